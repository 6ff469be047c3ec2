/** The bytes that were read are not those that were stored, or not all of them. */
export class BrokenRead extends Error {
  override name = 'BrokenRead';
}
