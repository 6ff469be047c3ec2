/**
 * Why a journal call failed. `no-space`: the disk is full, nothing was changed, try again later. `sync-failed` and
 * `unavailable`: the store failed, and the journal takes no more writes. `read-only`: the journal took no more writes
 * before this call. `missing`, `damaged`: no such file, or its bytes are not those that were stored. `invalid`: the
 * value cannot be stored. `closed`: the journal was closed.
 */
export const journalErrorKinds = [
  'no-space',
  'sync-failed',
  'unavailable',
  'read-only',
  'missing',
  'damaged',
  'invalid',
  'closed',
] as const;

export type JournalErrorKind = (typeof journalErrorKinds)[number];

/** A failed call of the journal or its store. */
export class JournalError extends Error {
  readonly kind: JournalErrorKind;

  constructor(kind: JournalErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalError';
    this.kind = kind;
  }
}

/** The code of the journal's worker did not arrive. Nothing is wrong with the store: opening may be tried again. */
export class WorkerMissing extends JournalError {
  constructor() {
    super('unavailable', 'The code of the journal’s worker could not be loaded');
    this.name = 'WorkerMissing';
  }
}
