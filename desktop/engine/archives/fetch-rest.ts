import { type ArchiveFiles, bufferedSink } from './files.ts';

/**
 * `whole`: all bytes are here. `refused`: asking again helps nobody. `broken`: the rest may come later. `later`: it is
 * not made yet.
 */
export type FetchedPart =
  | { kind: 'whole' }
  | { kind: 'refused'; why: 'gone' | 'refused' | 'closed' | 'elsewhere' | 'unmade' }
  | { kind: 'later' }
  | { kind: 'broken' };

export interface RestToFetch {
  /** Asks for the file with these headers. */
  ask: (init: RequestInit) => Promise<Response>;
  /** Asked when that failed: the source is there, but hands nothing to this page. */
  isClosed: () => Promise<boolean>;
  files: ArchiveFiles;
  stored: string;
  /** Validator of what is here; '' for none. */
  etag: string;
  signal: AbortSignal;
  /** The answer began: size of the whole (0: unknown) and its validator. */
  began: (size: number, etag: string) => Promise<void>;
  /** Bytes that are here. */
  progress: (done: number) => void;
}

/** Fetches what is missing of a file and writes it to its end. A file that has changed meanwhile begins anew. */
export async function fetchRest(rest: RestToFetch): Promise<FetchedPart> {
  const { files, stored, etag, signal } = rest;
  const here = etag === '' ? 0 : ((await files.size(stored)) ?? 0);
  if (etag === '') await files.remove(stored);
  let response: Response;
  try {
    response = await rest.ask({
      signal,
      ...(here > 0 && { headers: { Range: `bytes=${here}-`, 'If-Range': etag } }),
    });
  } catch {
    return (await rest.isClosed()) ? { kind: 'refused', why: 'closed' } : { kind: 'broken' };
  }
  const total = totalOf(response, here);
  if (response.status === 416) return here > 0 && total === here ? { kind: 'whole' } : restart(rest);
  if (response.status === 404 || response.status === 410) return { kind: 'refused', why: 'gone' };
  if (response.status >= 500 || response.status === 429 || response.status === 401) return { kind: 'broken' };
  if (!response.ok || response.body === null) return { kind: 'refused', why: 'refused' };
  if (response.status === 200 && here > 0) await files.remove(stored);
  await rest.began(total, response.headers.get('etag') ?? '');
  return (await write(rest, response.body)) ? { kind: 'whole' } : { kind: 'broken' };
}

/** What is here is no part of what is there. */
async function restart({ files, stored, began, progress }: RestToFetch): Promise<FetchedPart> {
  await files.remove(stored);
  progress(0);
  await began(0, '');
  return { kind: 'broken' };
}

/** Size of the whole file; 0 when the answer does not say. */
function totalOf({ headers, status }: Response, here: number): number {
  const stated = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (stated !== undefined) return Number(stated);
  const length = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  return status === 206 ? here + length : length;
}

/** True when the stream came to its end. */
async function write(rest: RestToFetch, body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<boolean> {
  const writer = await rest.files.open(rest.stored);
  const sink = bufferedSink(async (bytes) => {
    await writer.write(bytes);
    rest.progress(writer.size);
  });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: null }));
      if (value !== null && value !== undefined) await sink.write(value);
      if (!done) continue;
      await sink.flush();
      return value !== null;
    }
  } finally {
    await writer.close();
  }
}
