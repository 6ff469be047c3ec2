import { z } from 'zod';

/** How far a store keeps its word: see README.md, JOURNAL-1. */
export type Durability = 'file' | 'private-file-system' | 'memory';

/**
 * Where a journal keeps its bytes. Names match `storeName`. Calls may overlap; a store runs them one by one, in
 * the order they came. Every failure is a `JournalError` of the kind `no-space`, `sync-failed` or `unavailable`.
 */
export interface JournalStore {
  readonly durability: Durability;
  /** The names of all files, without the ballast. */
  list(): Promise<string[]>;
  /** The whole content, or undefined when there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Cuts the file at `at`, writes `bytes` there, and resolves after fsync. `at` is at most the file's length.
   * After a failure anything may stand behind `at`, but what stands before it is untouched.
   */
  append(name: string, at: number, bytes: Uint8Array): Promise<void>;
  /** Writes a whole new file and resolves after fsync of it and its folder; after a failure it may be cut short. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; no error when it is not there. */
  remove(name: string): Promise<void>;
  /** Gives the reserved space back to the file system; false when there was none left. */
  releaseBallast(): Promise<boolean>;
  /** Reserves the ballast again; false when there is no room for it. */
  reserveBallast(): Promise<boolean>;
  close(): Promise<void>;
}

/** A store for large files, which are not flushed at each piece. */
export interface FlushedStore extends JournalStore {
  /** Like `append`, but without fsync, and the bytes are taken over: nobody may use them again. */
  put: (name: string, at: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Resolves after fsync of all that was put into a file. */
  flush: (name: string) => Promise<void>;
}

/** What a file in a store may be called. */
export const storeName = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Why a journal call failed. `no-space`: the disk is full, nothing was changed, try again later. `sync-failed` and
 * `unavailable`: the store broke, the journal takes no more writes. `read-only`: it took no more writes before
 * this call. `missing`, `damaged`: no such file, or its bytes are not the ones that were put. `invalid`: the value
 * cannot be kept. `closed`: the journal was closed.
 */
export const journalErrorKind = z.enum([
  'no-space',
  'sync-failed',
  'unavailable',
  'read-only',
  'missing',
  'damaged',
  'invalid',
  'closed',
]);

export type JournalErrorKind = z.infer<typeof journalErrorKind>;

export class JournalError extends Error {
  readonly kind: JournalErrorKind;

  constructor(kind: JournalErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalError';
    this.kind = kind;
  }
}

/** `error` itself if it is a `JournalError`, otherwise one of the kind `unavailable` that names it as cause. */
export function toJournalError(error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new JournalError('unavailable', message, { cause: error });
}
