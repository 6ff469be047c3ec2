/** Names of errors whose `kind` is the reason of a failed write: of the journal in this process or in Electron's. */
const refusing: ReadonlySet<string> = new Set(['JournalError', 'IpcError']);

/** Free space below which an unknown error of a database is one of a full disk, bytes. */
const leastFree = 1_000_000;

/** The disk was full, although the browser reported something else. `cause`: the error of the browser. */
export class DiskFull extends Error {
  override name = 'QuotaExceededError';
}

/** Whether an error of the journal, the secrets or a database means that the disk is full. */
export function isFullDisk(error: unknown): boolean {
  // Dexie reports it as an error of its own, or as the cause of an aborted transaction.
  if (namesIn(error).some((name) => /quota/i.test(name))) return true;
  return error instanceof Error && refusing.has(error.name) && Reflect.get(error, 'kind') === 'no-space';
}

/**
 * Runs a call of IndexedDB. Chromium reports some writes that a full disk refuses, such as those when it opens a database,
 * as `UnknownError`; then the free space decides.
 *
 * @param freeBytes The space that may still be used, bytes.
 * @throws DiskFull, or the error of the call.
 */
export async function knowingFullDisk<T>(
  freeBytes: () => Promise<number>,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const mayBeFull = namesIn(error).includes('UnknownError');
    if (mayBeFull && (await freeBytes().catch(() => Infinity)) < leastFree)
      throw new DiskFull('The disk is full', { cause: error });
    throw error;
  }
}

/** For `catch`: ignores a full disk, where work can go on without the write; throws any other error again. */
export function passOverFullDisk(error: unknown): void {
  if (!isFullDisk(error)) throw error;
}

/** The names of an error and of its causes. */
export function namesIn(error: unknown): string[] {
  if (!(error instanceof Error) && !(error instanceof DOMException)) return [];
  return [error.name, ...namesIn(error.cause), ...namesIn(Reflect.get(error, 'inner'))];
}
