import { screenList } from '#shared/rules/screens.ts';

/** What a scanned code says: an address of the app, an address elsewhere, or no address. */
export type ScannedCode = { path: string } | { host: string } | null;

/** The first segments of the addresses of a station's screens. */
const ofStation = new Set(['', 'library', 'favorites', 'guides', 'work-orders', 'station', 'sync']);

/** The public address of a guide, as printed on its page: `/Guide/Drive_belt/61`. */
const guidePath = /^\/(?:guide|teardown)\/[^/]+\/(\d+)$/i;

/** Reads a code. `origins`: those of the app and its server. Screens without navigation, such as the sign-in, are none. */
export function readCode(code: string, origins: readonly string[], isStation: boolean): ScannedCode {
  const url = URL.parse(code.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (!origins.includes(url.origin)) return { host: url.host };
  const guideid = guidePath.exec(url.pathname)?.[1];
  if (guideid !== undefined) return { path: `/guides/${guideid}` };
  const first = url.pathname.split('/')[1] ?? '';
  const isScreen = screenList.some(([, screen]) => {
    return screen.isAlone !== true && screen.path.split('/')[1] === first;
  });
  if (!isScreen || (isStation && !ofStation.has(first))) return { host: url.host + url.pathname };
  return { path: `${url.pathname}${url.search}${url.hash}` };
}
