import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';
import { guideOf } from '#test/support/guide-edits.ts';

/** A row of the feed, with the text that makes the checkpoint after it unique. */
type FeedEntry = FeedRow & { nonce: string };

/** The records of the stand-in server and their feed. Tests change them as other clients would. */
export class Records {
  /** Another history makes devices load everything again. */
  history = 'h1';
  readonly feed: FeedEntry[] = [];
  /** The records that exist, by `collection/id`. */
  readonly documents = new Map<string, FeedRow>();
  readonly #listeners = new Set<() => void>();
  #lastId = 500;
  #stoppedAt: number | null;

  /** `now`: a clock that only tests move, in ms since 1970; without it, time passes. */
  constructor({ now }: { now?: number } = {}) {
    this.#stoppedAt = now ?? null;
  }

  /** Ms since 1970. */
  get now(): number {
    return this.#stoppedAt ?? Date.now();
  }

  set now(now: number) {
    this.#stoppedAt = now;
  }

  /** Seconds since 1970. */
  get date(): number {
    return Math.floor(this.now / 1000);
  }

  /** A number for a new record or version. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Stores a record. `key`: the Idempotency-Key of the call that does it. */
  put(c: SyncedCollection, id: string, doc: object, key?: string): FeedRow {
    const row: FeedRow = { c, id, seq: this.feed.length + 1, doc, ...(key === undefined ? {} : { key }) };
    this.documents.set(`${c}/${id}`, { c, id, seq: row.seq, doc });
    this.#append(row);
    return row;
  }

  /** Stores a guide that is complete, so that calls can change it. */
  putGuide(guideid: number, change: Partial<GuideFacts> = {}): FeedRow {
    const plain = { guideid, revisionid: 1, guide_revisionid: 1, title: 'Belt', summary: '' };
    return this.put('guides', String(guideid), guideOf([], { ...plain, ...change }));
  }

  remove(c: SyncedCollection, id: string, key?: string): FeedRow {
    const seq = this.feed.length + 1;
    const row: FeedRow = { c, id, seq, removed: true, ...(key === undefined ? {} : { key }) };
    this.documents.delete(`${c}/${id}`);
    this.#append(row);
    return row;
  }

  has(c: SyncedCollection, id: string): boolean {
    return this.documents.has(`${c}/${id}`);
  }

  /** The facts of a record that exists. */
  read<T>(c: SyncedCollection, id: number | string): T {
    return must(this.documents.get(`${c}/${id}`)?.doc, `${c} ${id}`) as T;
  }

  /** The facts of all records of a collection. */
  all<T>(c: SyncedCollection): T[] {
    return [...this.documents.values()].flatMap((row) => (row.c === c ? [row.doc as T] : []));
  }

  /** The checkpoint after a row. */
  place(seq = this.feed.length): string {
    return seq === 0 ? '0.0' : `${seq}.${this.feed[seq - 1]?.nonce}`;
  }

  /** The newest row of each record that changed after `seq`, in feed order. */
  rowsAfter(seq: number): FeedRow[] {
    const newest = new Map(this.feed.map((row) => [`${row.c}/${row.id}`, row.seq]));
    return this.#rows(seq).filter((row) => newest.get(`${row.c}/${row.id}`) === row.seq);
  }

  /** Rows after `seq` as the feed sends them: of a row that a later one replaced, only the key. */
  feedAfter(seq: number): FeedRow[] {
    return this.#rows(seq).flatMap((row) => {
      if (row.removed === true || this.documents.get(`${row.c}/${row.id}`)?.seq === row.seq) return [row];
      return row.key === undefined ? [] : [{ c: row.c, id: row.id, seq: row.seq, key: row.key }];
    });
  }

  /** Calls `heard` after each change; returns a function that ends this. */
  watch(heard: () => void): () => void {
    this.#listeners.add(heard);
    return () => void this.#listeners.delete(heard);
  }

  #rows(seq: number): FeedRow[] {
    return this.feed.slice(seq).map((entry) => {
      const { nonce: _, ...row } = entry;
      return row;
    });
  }

  #append(row: FeedRow): void {
    this.feed.push({ ...row, nonce: `${this.history}n${row.seq}` });
    for (const heard of this.#listeners) heard();
  }
}
