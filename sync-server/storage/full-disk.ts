import type { Logger } from 'pino';

/** What the database and the file system say when there is no room. */
const codes: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']);

/** For the `catch` of work that can wait: on a full disk it is left for the next start. Other errors are thrown. */
export function unlessFull(log: Logger): (error: unknown) => undefined {
  return (error) => {
    if (!isFullDisk(error)) throw error;
    log.warn({ err: error }, 'left for the next start, because the disk is full');
  };
}

/** Whether an error, or what caused it, says that the disk is full. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && codes.has(error.code)) || isFullDisk(error.cause);
}
