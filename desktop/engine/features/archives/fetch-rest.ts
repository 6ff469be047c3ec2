import { ForeignAnswer, PrivateNetwork } from '#desktop/engine/sync/connection-errors.ts';
import { FileSink } from './file-sink.ts';
import type { ArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { type Fetching, nothingFetched } from '#desktop/engine/storage/archive-record.ts';

/**
 * `whole`: all bytes are here. `refused`: a repeated request would be refused again. `broken`: the rest may come later.
 * `later`: the server is still making the archive. `foreign`: something between device and server answered; the stored
 * part stays.
 */
export type FetchedPart =
  | { kind: 'whole' }
  | { kind: 'refused'; why: 'gone' | 'refused' | 'closed' | 'elsewhere' | 'unmade' | 'private' }
  | { kind: 'later' }
  | { kind: 'foreign' }
  | { kind: 'broken' };

/** A file that is to be fetched, what is stored of it, and callbacks during the fetch. */
export interface RestToFetch extends Pick<Fetching, 'validator' | 'flushed'> {
  /** Size of the file that the server offered, bytes; null if unknown. */
  offered: number | null;
  /** Requests the file. */
  ask: (init: RequestInit) => Promise<Response>;
  /** Called when `ask` failed: whether the site can be reached, but refuses requests of this page (CORS). */
  isClosed: () => Promise<boolean>;
  files: ArchiveFiles;
  stored: string;
  /** ms since 1970. */
  now: () => number;
  signal: AbortSignal;
  /**
   * Called when the response begins, with the size of the file (0: unknown), its validator, and the bytes that are
   * safe.
   */
  began: (about: Pick<Fetching, 'size' | 'validator' | 'flushed'>) => Promise<void>;
  /** Called with the number of bytes that are written. */
  written: (size: number) => void;
  /** Called with the number of bytes that are fsynced. */
  safe: (size: number) => Promise<void>;
}

/** Fetches the missing part of a file and appends it. If the file has changed, begins again with an empty one. */
export async function fetchRest(rest: RestToFetch): Promise<FetchedPart> {
  const { files, stored, validator, signal } = rest;
  const here = validator === '' ? 0 : Math.min(rest.flushed, (await files.size(stored)) ?? 0);
  let response: Response;
  try {
    response = await rest.ask({
      signal,
      ...(here > 0 && { headers: { Range: `bytes=${here}-`, 'If-Range': validator } }),
    });
  } catch (error) {
    if (error instanceof ForeignAnswer) return { kind: 'foreign' };
    if (error instanceof PrivateNetwork) return { kind: 'refused', why: 'private' };
    if (!(await rest.isClosed())) return { kind: 'broken' };
    // A site may allow requests of a page for the whole file, but not for a part.
    return here > 0 ? restart(rest) : { kind: 'refused', why: 'closed' };
  }
  const { status } = response;
  const part = partOf(response, here);
  if (status === 416) {
    if (here > 0 && part.size === here) return { kind: 'whole' };
    return rest.offered === null ? restart(rest) : { kind: 'foreign' };
  }
  if (status === 404 || status === 410) return { kind: 'refused', why: 'gone' };
  if (status >= 500 || status === 429 || status === 401) return { kind: 'broken' };
  if (!response.ok || response.body === null) return { kind: 'refused', why: 'refused' };
  const isOther = rest.offered !== null && part.size !== 0 && part.size !== rest.offered;
  const isElsewhere = status === 206 && part.from !== here;
  if (isOther || (isElsewhere && rest.offered !== null)) {
    await response.body.cancel();
    return { kind: 'foreign' };
  }
  if (isElsewhere) return restart(rest);
  const from = status === 206 ? here : 0;
  const reader = response.body.getReader();
  const first = await firstBytes(reader, signature.length);
  if (first === null) return { kind: 'broken' };
  // The stored part is given up only for an archive, not for the page of a portal or proxy.
  if (from === 0 && (rest.offered !== null || here > 0) && !startsWith(first, signature)) {
    await reader.cancel();
    return { kind: 'foreign' };
  }
  const next = from > 0 ? validator : validatorOf(response.headers, rest.now());
  // Removed first: if the device stops, bytes of another version must not be taken for a part of this one.
  if (from === 0) await files.remove(stored);
  await rest.began({
    size: part.size === 0 ? (rest.offered ?? 0) : part.size,
    validator: next,
    flushed: from,
  });
  if (!(await write(rest, first, reader, from))) return { kind: 'broken' };
  const isShort = rest.offered !== null && ((await files.size(stored)) ?? 0) < rest.offered;
  return { kind: isShort ? 'broken' : 'whole' };
}

/** How a zip archive begins. */
const signature = [0x50, 0x4b];

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}

/** The beginning of a stream, at least `count` bytes if it has them; null when it broke off before. */
async function firstBytes(reader: Reader, count: number): Promise<Uint8Array<ArrayBuffer> | null> {
  let bytes = new Uint8Array();
  while (bytes.length < count) {
    const next = await reader.read().catch(() => null);
    if (next === null) return null;
    if (next.done) break;
    const longer = new Uint8Array(bytes.length + next.value.length);
    longer.set(bytes);
    longer.set(next.value, bytes.length);
    bytes = longer;
  }
  return bytes;
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** Removes the stored part, because it is not a part of the present file. */
async function restart({ files, stored, began, written }: RestToFetch): Promise<FetchedPart> {
  await files.remove(stored);
  written(0);
  await began({ size: 0, ...nothingFetched });
  return { kind: 'broken' };
}

/** Size of the whole file (0: unknown), and the offset of the part in the response. */
function partOf({ headers, status }: Response, asked: number): { size: number; from: number } {
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  if (range !== null) return { from: Number(range[1] ?? 0), size: range[2] === '*' ? 0 : Number(range[2]) };
  // Pages cannot read `Content-Range` of other sites. The part is then the one that was requested.
  const from = status === 206 ? asked : 0;
  const length = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  return { from, size: length === 0 ? 0 : from + length };
}

/** Writes the stream. True when it was complete. If it broke off, the part before is safe when this resolves. */
async function write(
  { files, stored, written, safe }: RestToFetch,
  first: Uint8Array<ArrayBuffer>,
  reader: Reader,
  from: number,
): Promise<boolean> {
  const writer = await files.open(stored, from);
  try {
    const sink = new FileSink(writer, { written, flushed: safe });
    await sink.write(first);
    for (;;) {
      const next = await reader.read().catch(() => null);
      if (next?.done !== false) {
        await sink.finish();
        return next !== null;
      }
      await sink.write(next.value);
    }
  } finally {
    await writer.close();
  }
}

/** A `Last-Modified` of at least this age in the response is a strong validator, ms (RFC 9110, 8.8.2.2). */
const settledMs = 60_000;

/** Assumed error of the device's clock, ms. */
const clockErrorMs = 24 * 60 * 60_000;

/**
 * The validator with which an interrupted fetch can be resumed (`If-Range`, RFC 9110, 13.1.5): a strong ETag, else a
 * `Last-Modified` that is a strong validator, because it is well before the response. '' when there is neither. `now`:
 * this device's time, used for responses without a date; ms since 1970.
 */
export function validatorOf(headers: Headers, now: number): string {
  const tag = headers.get('etag') ?? '';
  if (tag.startsWith('"')) return tag;
  const changed = headers.get('last-modified') ?? '';
  const date = Date.parse(headers.get('date') ?? '');
  const latest = Number.isNaN(date) ? now - clockErrorMs : date - settledMs;
  return Date.parse(changed) <= latest ? changed : '';
}
