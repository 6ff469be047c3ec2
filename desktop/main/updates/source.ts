import { join } from 'node:path';

import { unlessMissing } from '../disk-errors.ts';
import { UpdateFailed } from './failure.ts';
import { plainFiles } from './plain-files.ts';

/** Part of a file, starting at byte `from`. */
export interface ReadPart {
  from: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** Where updates come from. Nothing that it returns is trusted. */
export interface UpdateSource {
  /**
   * Reads a file. It may begin before `from`, at 0. Undefined: it does not exist.
   * @throws UpdateFailed unreachable
   */
  read(name: string, from: number): Promise<ReadPart | undefined>;
  /** The address of a file for a person; null if it has none. */
  address(name: string): string | null;
}

/** Waits; tests do not. */
export type After = (ms: number) => { elapsed: Promise<void>; cancel(): void };

/** Longest pause between two pieces of a file, ms. */
const longestPause = 60_000;

/** Updates of a server. `server`: its address, without a trailing slash. */
export function serverSource(server: string, fetch: typeof globalThis.fetch, after: After): UpdateSource {
  const address = (name: string): string => `${server}/desktop/updates/${encodeURIComponent(name)}`;
  const inTime = async <T>(work: Promise<T>, abort: AbortController): Promise<T> => {
    const pause = after(longestPause);
    const tooLate = pause.elapsed.then((): never => {
      abort.abort();
      throw new UpdateFailed('unreachable', 'The server does not answer');
    });
    try {
      return await Promise.race([work, tooLate]);
    } catch (cause) {
      if (cause instanceof UpdateFailed) throw cause;
      throw new UpdateFailed('unreachable', 'The server cannot be reached', { cause });
    } finally {
      pause.cancel();
      tooLate.catch(() => undefined);
    }
  };
  return {
    address,
    async read(name, from) {
      const abort = new AbortController();
      const headers = from > 0 ? { Range: `bytes=${from}-` } : {};
      const options = { headers, credentials: 'omit', redirect: 'error', cache: 'no-store' } as const;
      const response = await inTime(fetch(address(name), { ...options, signal: abort.signal }), abort);
      if (response.status === 404) return undefined;
      const begins = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
      const isPart = response.status === 206 && begins === String(from);
      if (response.body === null || (response.status !== 200 && !isPart)) {
        abort.abort();
        throw new UpdateFailed('unreachable', `The server answered ${response.status}`);
      }
      const reader = response.body.getReader();
      return {
        from: isPart ? from : 0,
        chunks: (async function* () {
          try {
            for (;;) {
              const { done, value } = await inTime(reader.read(), abort);
              if (done) return;
              yield value;
            }
          } finally {
            abort.abort();
          }
        })(),
      };
    },
  };
}

/** An update in a folder, such as a USB drive. */
export function folderSource(folder: string): UpdateSource {
  return {
    address: () => null,
    async read(name, from) {
      const path = join(folder, name);
      const found = await plainFiles.stat(path).catch(unlessMissing);
      // A named pipe would never end.
      if (found?.isFile() !== true) return undefined;
      return {
        from,
        chunks: (async function* () {
          await using file = await plainFiles.open(path, 'r');
          yield* file.createReadStream({ start: from, autoClose: false }) as AsyncIterable<Uint8Array>;
        })(),
      };
    },
  };
}
