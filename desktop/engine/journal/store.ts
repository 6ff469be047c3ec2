import { z } from 'zod';

import { JournalError, journalErrorKinds } from './journal-error.ts';

export { JournalError, type JournalErrorKind } from './journal-error.ts';

/** What an append of a store survives; see README.md, JOURNAL-1. */
export type Durability = 'file' | 'private-file-system' | 'memory';

/**
 * The files of a journal. Names match `storeName`. Calls may overlap; a store runs them one after the other, in the
 * order of the calls. Every failure is a `JournalError` of the kind `no-space`, `sync-failed` or `unavailable`.
 */
export interface JournalStore {
  readonly durability: Durability;
  /** The names of all files, without the ballast. */
  list(): Promise<string[]>;
  /** The whole content, or undefined when there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Cuts the file at `at`, writes `bytes` there, and resolves after fsync. `at` is at most the file's length.
   * After a failure the content after `at` is undefined, and the content before it is unchanged.
   */
  append(name: string, at: number, bytes: Uint8Array): Promise<void>;
  /** Writes a new file and resolves after fsync of it and its folder. After a failure it may be incomplete. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file. Does nothing when there is no such file. */
  remove(name: string): Promise<void>;
  /** Releases the reserved space to the file system. False when there was none left. */
  releaseBallast(): Promise<boolean>;
  /** Reserves the ballast again. False when there is no room for it. */
  reserveBallast(): Promise<boolean>;
  close(): Promise<void>;
}

/** A store for large files, which are not fsynced after each piece. */
export interface FlushedStore extends JournalStore {
  /** Like `append`, but without fsync. Takes ownership of the bytes: the caller must not use them again. */
  put: (name: string, at: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Resolves after fsync of everything that was put into a file. */
  flush: (name: string) => Promise<void>;
}

/** A valid file name in a store. */
export const storeName = /^[a-z][a-z0-9-]{0,63}$/;

export const journalErrorKind = z.enum(journalErrorKinds);

/** `error` itself if it is a `JournalError`, else one of the kind `unavailable` with `error` as its cause. */
export function toJournalError(error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new JournalError('unavailable', message, { cause: error });
}

/** Removes a file that no record names any more. If that fails now, the next start removes it as a leftover. */
export async function removeQuietly(store: JournalStore, name: string): Promise<void> {
  await store.remove(name).catch(() => undefined);
}
