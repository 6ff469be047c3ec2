import { type KnownFiles, type MediaNeed, knownOf } from './needs.ts';

/** What a download needs. */
export interface DownloadDeps {
  /** A request to the session's server; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  fetch: typeof globalThis.fetch;
  /** The media index, as it is now. */
  known(): KnownFiles;
  /** SHA-256 of bytes in lower-case hexadecimal. */
  sha256(bytes: Uint8Array): Promise<string>;
}

/**
 * Fetches and verifies one file. `gone`: the server has no such file.
 *
 * - CARRY-19 Incomplete and altered bytes are never stored, nor a page that a portal or proxy sends instead of a file.
 */
export async function fetchFile(
  need: MediaNeed,
  deps: DownloadDeps,
  signal: AbortSignal,
): Promise<Blob | 'gone' | 'failed'> {
  const response = need.url.startsWith('/')
    ? await deps.request(need.url, { signal })
    : await deps.fetch(need.url, { credentials: 'omit', signal });
  if (response.status === 404 || response.status === 410) return 'gone';
  if (!response.ok) return 'failed';
  const blob = await response.blob();
  return (await isWhole(need, response, blob, deps)) ? blob : 'failed';
}

async function isWhole(
  need: MediaNeed,
  response: Response,
  blob: Blob,
  { sha256, known }: Pick<DownloadDeps, 'sha256' | 'known'>,
): Promise<boolean> {
  const file = knownOf(need, known());
  const stated = response.headers.get('Content-Length');
  const isEncoded = response.headers.has('Content-Encoding');
  if (stated !== null && !isEncoded && Number(stated) !== blob.size) return false;
  if (file !== undefined && file.bytes !== blob.size) return false;
  if (file === undefined) return !isPage(await blob.slice(0, 64).text(), need);
  return (await sha256(new Uint8Array(await blob.arrayBuffer()))) === file.sha256;
}

/** Documents that may be pages themselves, by the end of their address. */
const textual = /\.(html?|xhtml|mht(ml)?|md|txt)([?#]|$)/i;

/** Whether bytes begin like an HTML page or JSON, and the file is none: a portal or proxy may have sent it instead. */
function isPage(beginning: string, { key, url }: MediaNeed): boolean {
  const text = beginning.replace(/^[\s\u{FEFF}]+/u, '');
  if (key.startsWith('document:')) return !textual.test(url) && /^<(!doctype html|html)\b/i.test(text);
  return text === '' || /^(<(!doctype|!--|html|head|body|title|meta|script)|[{[])/i.test(text);
}
