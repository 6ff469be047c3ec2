/**
 * The server that `--server=url` names, as an address without a slash at its end; null without one. Anything but an
 * http(s) address is left out, so that a wrong argument keeps nobody from the app.
 */
export function serverArgument(given: readonly string[]): string | null {
  const prefix = '--server=';
  const text = given.findLast((one) => one.startsWith(prefix))?.slice(prefix.length) ?? '';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
