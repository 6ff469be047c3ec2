import { LRUCache } from 'lru-cache';

import type { Db } from './tables.ts';

/** Characters of all kept documents together, as JSON; parsed they take about three times as much. */
const mostKept = 8 * 1024 * 1024;

interface Kept {
  /** The place in the feed of what the document says: another one is another version. */
  seq: number;
  size: number;
  document: unknown;
}

/**
 * Documents that were read lately, parsed: most of them are read far more often than they change, and parsing takes
 * longer than asking the database whether they did. Nobody may change one; they are frozen.
 *
 * Invalidation: whoever finds a document asks the database for its place in the feed, and uses it only at the same place
 * (`findDocuments`). Beyond `mostKept` characters, the one that was not asked for longest goes.
 */
export class DocumentCache {
  readonly #documents = new LRUCache<string, Kept>({
    maxSize: mostKept,
    sizeCalculation: ({ size }) => size,
  });

  /** As it was kept, whatever became of it since. */
  find(key: string): Kept | undefined {
    return this.#documents.get(key);
  }

  /** Parses a document and keeps it. */
  keep(key: string, { seq, body }: { seq: number; body: string }): unknown {
    const document: unknown = JSON.parse(body);
    this.put(key, { seq, size: body.length, document });
    return document;
  }

  /** Keeps a document as it is. */
  put(key: string, one: Kept): void {
    freeze(one.document);
    this.#documents.set(key, one);
  }
}

/** What is frozen whole: versions of a document share most of their parts. */
const frozen = new WeakSet<object>();

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return;
  for (const inner of Object.values(value)) freeze(inner);
  frozen.add(Object.freeze(value));
}

const kept = new WeakMap<Db, DocumentCache>();

/**
 * Has the documents be kept that are read by `db`. Only for what reads what is committed: a transaction that fails gives
 * its places in the feed back, and another version gets them.
 */
export function keepDocuments(db: Db): void {
  kept.set(db, new DocumentCache());
}

/** What is kept of what `db` reads; undefined: nothing is. */
export function documentsOf(db: Db): DocumentCache | undefined {
  return kept.get(db);
}

const beside = new WeakMap<Db, Db>();

/**
 * Has a transaction find what is kept of what `reader` reads. That is safe though it keeps nothing itself: a place in the
 * feed that is committed is given to no other version.
 */
export function readBeside(tx: Db, reader: Db): void {
  beside.set(tx, reader);
}

/** Who keeps documents that `db` may find: itself, or the reader beside it. */
export function keeperOf(db: Db): Db {
  return beside.get(db) ?? db;
}
