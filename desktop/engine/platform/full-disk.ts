/** Errors whose `kind` says why something could not be stored: of the journal, here or in the window's process. */
const refusing: ReadonlySet<string> = new Set(['JournalError', 'IpcError']);

/** Whether something could not be stored for want of room, whoever says so: the journal, a secret, a database. */
export function isFullDisk(error: unknown): boolean {
  // Dexie tells of it in an error of its own, or as what ended a transaction.
  if (namesIn(error).some((name) => /quota/i.test(name))) return true;
  return error instanceof Error && refusing.has(error.name) && Reflect.get(error, 'kind') === 'no-space';
}

/** For `catch`, where a full disk must not stop what can be done without writing. */
export function passOverFullDisk(error: unknown): void {
  if (!isFullDisk(error)) throw error;
}

/** The names of an error and of what caused it. */
export function namesIn(error: unknown): string[] {
  if (!(error instanceof Error) && !(error instanceof DOMException)) return [];
  return [error.name, ...namesIn(error.cause), ...namesIn(Reflect.get(error, 'inner'))];
}
