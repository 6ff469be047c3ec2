import type { NamedRecord } from './directory.ts';
import type { JournalCollection, JournalRecord } from './records.ts';
import type { SegmentDamage } from './replay.ts';
import type { Durability, JournalErrorKind } from './store.ts';

export type { JournalCollection, JournalRecord } from './records.ts';
export { JournalError } from './store.ts';
export type { Durability, JournalErrorKind } from './store.ts';

/** The current values, by collection and id. Callers parse them with their own schemas. */
export type JournalEntries = Record<JournalCollection, ReadonlyMap<string, unknown>>;

/** The changes of one collection. */
export interface JournalChanges {
  /** Number of the last append that is included. */
  seq: number;
  /** Whether `values` is complete: ids that are not in it do not exist any more. */
  isWhole: boolean;
  /** Shared with the journal; must not be changed. */
  values: ReadonlyMap<string, unknown>;
  /** Ids that were deleted; none when `isWhole`. */
  deleted: readonly string[];
}

/** A file beside the journal. */
export interface JournalFile {
  id: string;
  /** Media type, as given. */
  type: string;
  /** File name for people, as given. */
  name: string;
  /** In bytes. */
  size: number;
  /** In lower-case hexadecimal. */
  sha256: string;
}

/** The state of the journal, as screens show it. */
export interface JournalHealth {
  durability: Durability;
  writable: boolean;
  /** Why it is not writable; `newer`: a later version of the app wrote it. */
  problem?: JournalErrorKind | 'newer';
  /** The reserved space is used up. Call `checkSpace` after space on the disk was freed. */
  lowSpace: boolean;
  /** The last write was refused, because the disk is full. */
  full: boolean;
  /** The regions that could not be read when the journal was opened. */
  damage: SegmentDamage[];
  /** Records that this damage destroyed, as far as their names are known. */
  missing: NamedRecord[];
}

/** Options of an append. */
export interface AppendOptions {
  /** An append whose id was appended before is not repeated, even after a restart. */
  id?: string;
  /**
   * A repair or note of a start that the next start would repeat. A full disk does not refuse it (README, JOURNAL-17).
   */
  canWait?: boolean;
}

/** The fsynced log of what a person did and the server does not have yet. The rules are in README.md. */
export interface Journal {
  /** Puts and deletes records, all or none; resolves after fsync. The values are read before the call returns. */
  append(records: readonly JournalRecord[], options?: AppendOptions): Promise<void>;
  /** A copy of the current values. */
  entries(): Promise<JournalEntries>;
  /**
   * The changes of a collection by the appends after number `since` (0: everything). The cost grows with the result.
   */
  changes(collection: JournalCollection, since: number): Promise<JournalChanges>;
  /** Deletes `ids`. */
  forget(collection: JournalCollection, ids: readonly string[]): Promise<void>;
  /** Rewrites the current records into a new segment and removes the old one. The journal also does this by itself. */
  compact(): Promise<void>;
  /**
   * Compacts, and removes every other segment too, including those kept for support. Afterwards the files hold only
   * current records. Rejects when the disk is full, and then changes nothing.
   */
  purge(): Promise<void>;

  /** Stores a file beside the journal, and replaces one of the same id; resolves after fsync. */
  putFile(
    id: string,
    content: Uint8Array | Blob,
    about: { type: string; name: string },
    options?: AppendOptions,
  ): Promise<JournalFile>;
  /** @throws JournalError `missing`, or `damaged` if the bytes do not have the SHA-256 with which they were stored */
  readFile(id: string): Promise<JournalFile & { bytes: Uint8Array }>;
  deleteFile(id: string, options?: AppendOptions): Promise<void>;
  listFiles(): Promise<JournalFile[]>;

  /** Everything, readable or not, by path, for a support export as a zip archive. Works on a broken journal too. */
  exportAll(): Promise<Record<string, Uint8Array>>;
  health(): JournalHealth;
  /** Calls `listener` after each change of the health; returns a function that ends this. */
  watchHealth(listener: (health: JournalHealth) => void): () => void;
  /** Tries to reserve the ballast again after a person freed space. True when there is room for it. */
  checkSpace(): Promise<boolean>;
  /** Waits for calls that are under way, then closes the store. */
  close(): Promise<void>;
}
