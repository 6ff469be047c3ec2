/** The scheme that serves the app's own pages. */
export const appScheme = 'benchbook';
/** The address of the app's page. Only its origin may call the main process. */
export const appUrl = `${appScheme}://app/`;

/** Whether `url` is a page of the app. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed?.protocol === `${appScheme}:` &&
    parsed.host === 'app' &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

/** The address of a screen of the app, without a query; null for any other address. */
export function addressOf(url: string): string | null {
  if (!isAppUrl(url)) return null;
  const { pathname, hash } = new URL(url);
  return `${appScheme}://app${pathname}${hash}`;
}

/** The video players that guides may embed; frames may show nothing else. */
export const playerOrigins = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'] as const;

/** Whether `url` is a page of one of these players. */
export function isPlayerUrl(url: string): boolean {
  const origin = URL.parse(url)?.origin;
  return playerOrigins.some((one) => one === origin);
}

const EXTERNAL = new Set(['http:', 'https:', 'mailto:']);

/** What a mail address may fill in. Some mail programs attach the files that other fields name. */
const mailFields = new Set(['to', 'cc', 'bcc', 'subject', 'body']);

/** Whether `url` may be opened by the system: only schemes that cannot start a program. */
export function isExternalUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || !EXTERNAL.has(parsed.protocol)) return false;
  const fields = [...parsed.searchParams.keys()];
  return parsed.protocol !== 'mailto:' || fields.every((field) => mailFields.has(field.toLowerCase()));
}
