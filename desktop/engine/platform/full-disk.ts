/** Names of errors whose `kind` is the reason of a failed write: of the journal in this process or in Electron's. */
const refusing: ReadonlySet<string> = new Set(['JournalError', 'IpcError']);

/** Whether an error of the journal, the secrets or a database means that the disk is full. */
export function isFullDisk(error: unknown): boolean {
  // Dexie reports it as an error of its own, or as the cause of an aborted transaction.
  if (namesIn(error).some((name) => /quota/i.test(name))) return true;
  return error instanceof Error && refusing.has(error.name) && Reflect.get(error, 'kind') === 'no-space';
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
