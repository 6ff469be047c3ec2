import { JournalError } from './journal/journal.ts';

/** For `catch`, where a full disk must not stop what can be done without writing. */
export function passOverFullDisk(error: unknown): void {
  const isFull =
    (error instanceof JournalError && error.kind === 'no-space') ||
    (error instanceof DOMException && error.name === 'QuotaExceededError');
  if (!isFull) throw error;
}
