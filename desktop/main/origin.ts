/** The scheme that serves the app's own pages. */
export const appScheme = 'benchbook';
/** The page of the app; its origin is the only one that may call the main process. */
export const appUrl = `${appScheme}://app/`;

/** Whether `url` is one of our own pages. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed?.protocol === `${appScheme}:` &&
    parsed.host === 'app' &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

const EXTERNAL = new Set(['http:', 'https:', 'mailto:']);

/** Whether `url` may be handed to the system: nothing that could start a program. */
export function isExternalUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && EXTERNAL.has(parsed.protocol);
}
