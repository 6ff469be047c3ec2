/** Code of the app could not be loaded: there is no connection, or the server has another version by now. */
export class CodeMissing extends Error {
  override name = 'CodeMissing';
}
