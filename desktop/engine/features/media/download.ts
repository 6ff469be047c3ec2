import type { MediaNeed } from './needs.ts';

/** What a download needs. */
export interface DownloadDeps {
  /** A request to the session's server; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  fetch: typeof globalThis.fetch;
  /** SHA-256 of bytes in lower-case hexadecimal. */
  sha256(bytes: Uint8Array): Promise<string>;
}

/** Fetches and verifies one file. Incomplete or altered bytes are a failure. `gone`: the server has no such file. */
export async function fetchFile(need: MediaNeed, deps: DownloadDeps): Promise<Blob | 'gone' | 'failed'> {
  const response = need.url.startsWith('/')
    ? await deps.request(need.url)
    : await deps.fetch(need.url, { credentials: 'omit' });
  if (response.status === 404 || response.status === 410) return 'gone';
  if (!response.ok) return 'failed';
  const blob = await response.blob();
  return (await isWhole(need, response, blob, deps)) ? blob : 'failed';
}

async function isWhole(
  need: MediaNeed,
  response: Response,
  blob: Blob,
  { sha256 }: Pick<DownloadDeps, 'sha256'>,
): Promise<boolean> {
  const stated = response.headers.get('Content-Length');
  const isEncoded = response.headers.has('Content-Encoding');
  if (stated !== null && !isEncoded && Number(stated) !== blob.size) return false;
  if (need.bytes !== null && need.bytes !== blob.size) return false;
  // A document may be an HTML page itself.
  if (need.sha256 === null)
    return need.key.startsWith('document:') || !isPage(await blob.slice(0, 64).text());
  return (await sha256(new Uint8Array(await blob.arrayBuffer()))) === need.sha256;
}

/** Whether bytes begin like an HTML page or JSON: a portal or proxy may send these instead of a picture or video. */
function isPage(beginning: string): boolean {
  const text = beginning.replace(/^[\s\u{FEFF}]+/u, '');
  return text === '' || /^(<(!doctype|!--|html|head|body|title|meta|script)|[{[])/i.test(text);
}
