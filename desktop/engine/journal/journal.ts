import type { NamedRecord } from './directory.ts';
import type { JournalCollection, JournalRecord } from './records.ts';
import type { SegmentDamage } from './replay.ts';
import type { Durability, JournalErrorKind } from './store.ts';

export type { JournalCollection, JournalRecord } from './records.ts';
export { JournalError } from './store.ts';
export type { Durability, JournalErrorKind } from './store.ts';

/** What `entries` gives: the current values, by collection and id. The engine parses them with its own schemas. */
export type JournalEntries = Record<JournalCollection, ReadonlyMap<string, unknown>>;

/** What `changes` gives. */
export interface JournalChanges {
  /** The append up to which this tells. */
  seq: number;
  /** Whether `values` is all there is, so that what is not in it is gone. */
  isWhole: boolean;
  /** Shared with the journal: not to be changed. */
  values: ReadonlyMap<string, unknown>;
  /** Ids that were deleted; none when `isWhole`. */
  deleted: readonly string[];
}

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

/** What a screen needs to tell people about the journal. */
export interface JournalHealth {
  durability: Durability;
  writable: boolean;
  /** Why it is not writable; `newer`: a later version of the app wrote it. */
  problem?: JournalErrorKind | 'newer';
  /** The reserved space is used up: free space on the disk, then call `checkSpace`. */
  lowSpace: boolean;
  /** What could not be read when it was opened. */
  damage: SegmentDamage[];
  /** Records that this damage took, as far as they are known by name. */
  missing: NamedRecord[];
}

export interface AppendOptions {
  /** An append whose id was appended before is not done again, also after a restart. */
  id?: string;
  /** What a start mends or notes, and the next start would again: a full disk does not refuse it (README, JOURNAL-17). */
  canWait?: boolean;
}

/** The fsynced log of what a person did and the server does not know yet; the rules are in README.md. */
export interface Journal {
  /** Puts and deletes, all or none; resolves after fsync. The values are read before it returns. */
  append(records: readonly JournalRecord[], options?: AppendOptions): Promise<void>;
  /** A copy of the current values. */
  entries(): Promise<JournalEntries>;
  /** What the appends after number `since` left of a collection; 0 for everything. Costs what it gives. */
  changes(collection: JournalCollection, since: number): Promise<JournalChanges>;
  /** Deletes `ids`. */
  forget(collection: JournalCollection, ids: readonly string[]): Promise<void>;
  /** Rewrites what is current into a new segment and drops the old one; happens by itself when it is worth it. */
  compact(): Promise<void>;
  /**
   * The same, and drops every other segment too, those kept for the support included: afterwards the files hold nothing
   * but what is current. Rejects when the disk is full, and then changes nothing.
   */
  purge(): Promise<void>;

  /** Keeps a file beside the journal, replacing one of the same id; resolves after fsync. */
  putFile(
    id: string,
    content: Uint8Array | Blob,
    about: { type: string; name: string },
    options?: AppendOptions,
  ): Promise<JournalFile>;
  /** @throws JournalError `missing` or `damaged` (its bytes do not have the sha256 they were put with) */
  readFile(id: string): Promise<JournalFile & { bytes: Uint8Array }>;
  deleteFile(id: string, options?: AppendOptions): Promise<void>;
  listFiles(): Promise<JournalFile[]>;

  /** Everything, readable or not, by path: for a support export as a zip archive. Works on a broken journal too. */
  exportAll(): Promise<Record<string, Uint8Array>>;
  health(): JournalHealth;
  /** Calls `listener` after each change of the health; returns what stops it. */
  watchHealth(listener: (health: JournalHealth) => void): () => void;
  /** Tries to reserve the ballast again after a person made room; true when there is room. */
  checkSpace(): Promise<boolean>;
  /** Waits for what is under way, then closes the store. */
  close(): Promise<void>;
}
