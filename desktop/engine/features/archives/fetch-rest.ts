import { ForeignAnswer } from '#desktop/engine/sync/connection-errors.ts';
import { FileSink } from './file-sink.ts';
import type { ArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { type Fetching, nothingFetched } from '#desktop/engine/storage/archive-record.ts';
import { validatorOf } from './validator.ts';

/**
 * `whole`: all bytes are here. `refused`: asking again helps nobody. `broken`: the rest may come later. `later`: it is
 * not made yet. `foreign`: something else answered in the place of the server; what is here stays.
 */
export type FetchedPart =
  | { kind: 'whole' }
  | { kind: 'refused'; why: 'gone' | 'refused' | 'closed' | 'elsewhere' | 'unmade' }
  | { kind: 'later' }
  | { kind: 'foreign' }
  | { kind: 'broken' };

export interface RestToFetch extends Pick<Fetching, 'validator' | 'flushed'> {
  /** Bytes of the whole as the server offered it; null: nothing was said of it. */
  offered: number | null;
  /** Asks for the file with these headers. */
  ask: (init: RequestInit) => Promise<Response>;
  /** Asked when that failed: the source is there, but hands nothing to this page. */
  isClosed: () => Promise<boolean>;
  files: ArchiveFiles;
  stored: string;
  /** ms since 1970. */
  now: () => number;
  signal: AbortSignal;
  /** The answer began: size of the whole (0: unknown), its validator, and what of it is safe here. */
  began: (about: Pick<Fetching, 'size' | 'validator' | 'flushed'>) => Promise<void>;
  /** So many bytes are here. */
  written: (size: number) => void;
  /** So many bytes are safe here. */
  safe: (size: number) => Promise<void>;
}

/** Fetches what is missing of a file and writes it to its end. A file that has changed meanwhile begins anew. */
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
    if (!(await rest.isClosed())) return { kind: 'broken' };
    // A site may hand out the whole, and yet not let a page ask for a part.
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
  // What is here is given up only for a file, never for what a portal or proxy says of itself.
  if (from === 0 && (rest.offered !== null || here > 0) && !startsWith(first, signature)) {
    await reader.cancel();
    return { kind: 'foreign' };
  }
  const next = from > 0 ? validator : validatorOf(response.headers, rest.now());
  // What is of another version must not be taken for a part of this one, whenever the device stops.
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

/** At least so many bytes of a stream, or all there are; null when it broke off before. */
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

/** What is here is no part of what is there. */
async function restart({ files, stored, began, written }: RestToFetch): Promise<FetchedPart> {
  await files.remove(stored);
  written(0);
  await began({ size: 0, ...nothingFetched });
  return { kind: 'broken' };
}

/** Size of the whole file (0: it does not say), and where what the answer holds begins. */
function partOf({ headers, status }: Response, asked: number): { size: number; from: number } {
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  if (range !== null) return { from: Number(range[1] ?? 0), size: range[2] === '*' ? 0 : Number(range[2]) };
  // A page is not shown the range by other sites; then it is the one that was asked for.
  const from = status === 206 ? asked : 0;
  const length = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  return { from, size: length === 0 ? 0 : from + length };
}

/** True when the stream came to its end. What came before it broke off is safe when this resolves. */
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
