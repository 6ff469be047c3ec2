import { archiveLimits } from '#shared/api/omanual.ts';
import { invalid } from '#shared/api/problem.ts';
import { RefusedAddress, publicMessageOf, TooLong, type RefusalLog } from '#server/platform/outbound.ts';
import type { Services } from '#server/core/services.ts';

/** Timeout for fetching an archive, ms. */
const timeoutMs = 15 * 60_000;
const redirects = 3;

/** Fetches the file of an import. Throws 422 for an address that may not be called or returns no file. */
export async function fetchArchive(
  services: Services,
  importid: number,
  url: string,
  job: { signal: AbortSignal; progress(done: number, total: number, phase: string): void },
): Promise<{ sha256: string; size: number }> {
  let size = 0;
  let file: { sha256: string; size: number };
  try {
    file = await services.archives.writeUpload(importid, async (sink) => {
      const answer = await services.outbound.call(url, {
        timeoutMs,
        mostBytes: archiveLimits.bytes,
        redirects,
        signal: job.signal,
        sink: async (piece) => {
          await sink.write(piece);
          size += piece.length;
          job.progress(size, 0, 'Fetching');
        },
      });
      if (answer.status !== 200) throw invalid('url', `The address answered ${answer.status}`);
    });
  } catch (error) {
    job.signal.throwIfAborted();
    throw problemOf(error, services);
  }
  if (size === 0) throw invalid('url', 'The address answered with nothing');
  return file;
}

function problemOf(error: unknown, { log }: Services): unknown {
  const why = whyNotFetched(error, log);
  return why === undefined ? error : invalid('url', why.message);
}

/**
 * Why an address returned no file, in words for people; undefined if the address is not the cause. `isSilence`: there
 * was no response. `log` receives the details that people are not shown.
 */
export function whyNotFetched(
  error: unknown,
  log: RefusalLog,
): { message: string; isSilence: boolean } | undefined {
  if (error instanceof RefusedAddress) return { message: publicMessageOf(error, log), isSilence: false };
  if (error instanceof TooLong) return { message: 'The file is too large', isSilence: false };
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return { message: 'The address did not answer in time', isSilence: true };
  return 'code' in error
    ? { message: `The address could not be reached (${String(error.code)})`, isSilence: true }
    : undefined;
}
