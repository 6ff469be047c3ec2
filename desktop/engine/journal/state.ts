import type { NamedRecord } from './directory.ts';
import type { JournalChanges, JournalEntries } from './journal.ts';
import { type Collection, collections, type StoredRecord } from './records.ts';

/** A value in the journal, and the sequence number of its append. */
export interface Entry {
  seq: number;
  value: unknown;
}

/** The current contents of a journal: the latest put of each collection and id, unless a delete came later. */
export class JournalState {
  readonly entries: Record<Collection, Map<string, Entry>> = emptyEntries();
  /** The highest sequence number seen. */
  seq = 0;
  /** Ids of the latest appends, oldest first. A repeated append is recognised by them. */
  readonly recentIds = new Set<string>();
  // While segments are merged, deletes are remembered: an older put of the same id may be read later.
  #deleted: Map<string, number> | undefined = new Map();
  // All changes after the append `#recentSince`, oldest first.
  #recent: { seq: number; collection: Collection; id: string }[] = [];
  #recentSince = 0;

  /** Applies one append. Records that are older than the present state of their id change nothing. */
  apply(seq: number, records: readonly StoredRecord[]): void {
    this.seq = Math.max(this.seq, seq);
    for (const record of records) {
      if (this.#deleted === undefined)
        this.#recent.push({ seq, collection: record.collection, id: record.id });
      const known = this.entries[record.collection].get(record.id)?.seq ?? this.#deletedAt(record);
      if (known > seq) continue;
      if (record.op === 'put') {
        this.entries[record.collection].set(record.id, { seq, value: record.value });
      } else {
        this.entries[record.collection].delete(record.id);
        this.#deleted?.set(keyOf(record), seq);
      }
    }
    if (this.#recent.length > 2 * RECENT_CHANGES) this.#forgetChanges(RECENT_CHANGES);
  }

  /** The changes of a collection by the appends after `since`. */
  changes(collection: Collection, since: number): JournalChanges {
    const entries = this.entries[collection];
    if (since < this.#recentSince) {
      const values = new Map([...entries].map(([id, { value }]) => [id, value]));
      return { seq: this.seq, isWhole: true, values, deleted: [] };
    }
    const from = this.#recent.findLastIndex(({ seq }) => seq <= since) + 1;
    const ids = this.#recent.slice(from).flatMap((one) => (one.collection === collection ? [one.id] : []));
    const values = new Map<string, unknown>();
    const deleted = new Set<string>();
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry === undefined) deleted.add(id);
      else values.set(id, entry.value);
    }
    return { seq: this.seq, isWhole: false, values, deleted: [...deleted] };
  }

  /** A copy of the current values. */
  copies(): JournalEntries {
    const { outbox, drafts, meta } = this.entries;
    // Each collection is copied when it is first used: no caller needs all three.
    return {
      get outbox() {
        return new CopiedValues(outbox);
      },
      get drafts() {
        return new CopiedValues(drafts);
      },
      get meta() {
        return new CopiedValues(meta);
      },
    };
  }

  remember(id: string): void {
    this.recentIds.delete(id);
    this.recentIds.add(id);
    if (this.recentIds.size <= RECENT_IDS) return;
    for (const oldest of this.recentIds) {
      this.recentIds.delete(oldest);
      return;
    }
  }

  /** Ends the merging of segments. From here on, appends come in order. */
  settle(): void {
    this.#deleted = undefined;
    this.#recentSince = this.seq;
  }

  #forgetChanges(kept: number): void {
    const forgotten = this.#recent.splice(0, this.#recent.length - kept);
    this.#recentSince = forgotten.at(-1)?.seq ?? this.#recentSince;
  }

  /** Which of `records` neither exist nor were deleted. To be called before `settle`. */
  missing(records: readonly NamedRecord[]): NamedRecord[] {
    return records.filter(
      ({ collection, id }) =>
        !this.entries[collection].has(id) &&
        this.#deleted?.has(keyOf({ op: 'delete', collection, id })) === false,
    );
  }

  #deletedAt(record: StoredRecord): number {
    const deleted = this.#deleted;
    return deleted === undefined || deleted.size === 0 ? -1 : (deleted.get(keyOf(record)) ?? -1);
  }
}

// A client repeats only the calls that were under way when its leader closed: a handful, never a thousand.
const RECENT_IDS = 1000;

// A caller that missed more changes than this gets the whole collection.
const RECENT_CHANGES = 4096;

/** Values by id. Each is copied when it is read, so that reading one of many costs one copy. */
class CopiedValues extends Map<string, unknown> {
  constructor(entries: ReadonlyMap<string, { value: unknown }>) {
    super();
    for (const [id, { value }] of entries) this.set(id, value);
  }

  override get(id: string): unknown {
    return structuredClone(super.get(id));
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const id of super.keys()) yield [id, this.get(id)];
  }

  override *values(): MapIterator<unknown> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  override forEach(run: (value: unknown, id: string, map: Map<string, unknown>) => void): void {
    for (const [id, value] of this.entries()) run(value, id, this);
  }
}

function emptyEntries(): Record<Collection, Map<string, Entry>> {
  return { outbox: new Map(), drafts: new Map(), meta: new Map(), files: new Map() };
}

function keyOf(record: StoredRecord): string {
  return `${collections.indexOf(record.collection)}/${record.id}`;
}
