import { LRUCache } from 'lru-cache';

import type { Db } from './tables.ts';

/** Maximum size of all cached documents, in characters of JSON. Parsed, they take about three times as much memory. */
const mostCachedCharacters = 8 * 1024 * 1024;

interface CachedDocument {
  /** The seq of this version of the document. */
  seq: number;
  size: number;
  document: unknown;
}

/**
 * A cache of parsed documents. Most documents are read far more often than they change, and parsing one takes longer
 * than asking the database for its seq. Documents are frozen, because callers share them.
 *
 * Invalidation: `findDocuments` reads the seq of a cached document from the database and uses it only if the seq is
 * the same. Beyond `mostCachedCharacters` characters, the least recently used one is removed.
 */
export class DocumentCache {
  readonly #documents = new LRUCache<string, CachedDocument>({
    maxSize: mostCachedCharacters,
    sizeCalculation: ({ size }) => size,
  });

  /** The cached version, which may be outdated. */
  find(key: string): CachedDocument | undefined {
    return this.#documents.get(key);
  }

  /** Parses a document and caches it. */
  add(key: string, { seq, body }: { seq: number; body: string }): unknown {
    const document: unknown = JSON.parse(body);
    this.put(key, { seq, size: body.length, document });
    return document;
  }

  /** Caches and freezes a document. */
  put(key: string, one: CachedDocument): void {
    freeze(one.document);
    this.#documents.set(key, one);
  }
}

/** Objects that are frozen including their content: versions of a document share most of their parts. */
const frozen = new WeakSet<object>();

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return;
  for (const inner of Object.values(value)) freeze(inner);
  frozen.add(Object.freeze(value));
}

const caches = new WeakMap<Db, DocumentCache>();

/**
 * Caches the documents that `db` reads. Only for connections that read committed data: after a failed transaction, its
 * seqs are given to other versions.
 */
export function cacheDocuments(db: Db): void {
  caches.set(db, new DocumentCache());
}

/** The cache of `db`; undefined if it has none. */
export function documentsOf(db: Db): DocumentCache | undefined {
  return caches.get(db);
}

const readers = new WeakMap<Db, Db>();

/**
 * Lets a transaction use the document cache of `reader`. This is safe, because a committed seq is never given to
 * another version. The transaction itself caches nothing.
 */
export function readBeside(tx: Db, reader: Db): void {
  readers.set(tx, reader);
}

/** The connection whose cache `db` uses: its own, or that of the reader (`readBeside`). */
export function cacheOwnerOf(db: Db): Db {
  return readers.get(db) ?? db;
}
