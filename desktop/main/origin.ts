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

/** The players of videos that guides embed; a frame may show them and nothing else. */
export const playerOrigins = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'] as const;

/** Whether `url` is a page of one of the players. */
export function isPlayerUrl(url: string): boolean {
  const origin = URL.parse(url)?.origin;
  return playerOrigins.some((one) => one === origin);
}

const EXTERNAL = new Set(['http:', 'https:', 'mailto:']);

/** Whether `url` may be handed to the system: nothing that could start a program. */
export function isExternalUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && EXTERNAL.has(parsed.protocol);
}
