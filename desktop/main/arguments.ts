import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/**
 * The archives that the system started the app with: absolute paths. `folder`: what relative ones count from. File
 * managers of Linux hand over `file:` addresses.
 */
export function fileArguments(given: readonly string[], folder: string): string[] {
  return given
    .slice(1)
    .flatMap((one) => (one.startsWith('file:') ? pathsOf(one) : [one]))
    .filter((one) => !one.startsWith('-') && /\.(omanual|oman|zip|xml)$/i.test(one))
    .map((one) => resolve(folder, one));
}

function pathsOf(address: string): string[] {
  try {
    return [fileURLToPath(address)];
  } catch {
    return [];
  }
}
