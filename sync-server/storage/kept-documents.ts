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
 */
export class KeptDocuments {
  readonly #documents = new Map<string, Kept>();
  #size = 0;

  /** As it was kept, whatever became of it since. */
  find(key: string): Kept | undefined {
    const known = this.#documents.get(key);
    if (known !== undefined) {
      this.#documents.delete(key);
      this.#documents.set(key, known);
    }
    return known;
  }

  /** Parses a document and keeps it; what was not asked for longest goes for it. */
  keep(key: string, { seq, body }: { seq: number; body: string }): unknown {
    const document: unknown = JSON.parse(body);
    freeze(document);
    this.#drop(key);
    this.#documents.set(key, { seq, size: body.length, document });
    this.#size += body.length;
    while (this.#size > mostKept) this.#drop(this.#documents.keys().next().value ?? '');
    return document;
  }

  #drop(key: string): void {
    this.#size -= this.#documents.get(key)?.size ?? 0;
    this.#documents.delete(key);
  }
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) freeze(inner);
  Object.freeze(value);
}

const kept = new WeakMap<Db, KeptDocuments>();

/**
 * Has the documents be kept that are read by `db`. Only for what reads what is committed: a transaction that fails gives
 * its places in the feed back, and another version gets them.
 */
export function keepDocuments(db: Db): void {
  kept.set(db, new KeptDocuments());
}

/** What is kept of what `db` reads; undefined: nothing is. */
export function documentsOf(db: Db): KeptDocuments | undefined {
  return kept.get(db);
}
