import type { JournalRecord } from '../journal/journal.ts';
import type { Environment } from '../platform/ports.ts';
import type { TroubleNotes } from '../sync/troubles.ts';

interface Deps extends TroubleNotes {
  environment: Pick<Environment, 'setTimer'>;
  /** Runs alone among all tabs that write these copies. */
  inOrder: (run: () => Promise<void>) => Promise<void>;
  /** Prefix of records in the journal's `meta` that note which copies the database still has to delete. */
  overPrefix: string;
}

/** Pause before a failed write is repeated, ms. */
const againAfter = 30_000;

/** Writes copies of journal records to the database. A failed write is repeated with the next one, or after a while. */
export class OwedCopies<T> {
  readonly #deps: Deps;
  readonly #write: (put: readonly T[], drop: readonly string[]) => Promise<void>;
  readonly #put = new Map<string, T>();
  readonly #drop = new Set<string>();
  /** Copies that the journal notes as obsolete. */
  #noted: ReadonlySet<string> = new Set();
  #cancel: (() => void) | null = null;
  #isClosed = false;

  constructor(deps: Deps, write: (put: readonly T[], drop: readonly string[]) => Promise<void>) {
    this.#deps = deps;
    this.#write = write;
  }

  /** Sets which copies the journal notes as obsolete since an earlier start. */
  knowOver(ids: ReadonlySet<string>): void {
    this.#noted = ids;
  }

  /**
   * Makes `append` note, with its other entries, which copies are obsolete although the database still holds them: the
   * next start would take them for records that the journal lost. `put`: ids of stored records, which are no longer
   * obsolete.
   */
  async noteOver(
    append: (notes: readonly JournalRecord[]) => Promise<void>,
    put: readonly string[] = [],
  ): Promise<void> {
    const stored = new Set(put);
    const over = new Set([...this.#drop].filter((id) => !stored.has(id)));
    const fresh = [...over].filter((id) => !this.#noted.has(id));
    const past = [...this.#noted].filter((id) => !over.has(id));
    const place = (id: string) => ({ collection: 'meta', id: this.#deps.overPrefix + id }) as const;
    await append([
      ...fresh.map((id): JournalRecord => ({ op: 'put', ...place(id), value: true })),
      ...past.map((id): JournalRecord => ({ op: 'delete', ...place(id) })),
    ]);
    this.#noted = over;
  }

  /** Whether a write has failed and was not repeated yet. */
  get isOwing(): boolean {
    return this.#put.size > 0 || this.#drop.size > 0;
  }

  /** Writes copies, and deletes others by id. Must be called in order. A failure is noted as trouble. */
  async store(put: readonly (readonly [string, T])[], drop: readonly string[]): Promise<void> {
    for (const [id, copy] of put) {
      this.#put.set(id, copy);
      this.#drop.delete(id);
    }
    for (const id of drop) {
      this.#drop.add(id);
      this.#put.delete(id);
    }
    await this.#settle();
  }

  /** Cancels failed writes for which `isOver` holds. `copy`: what was to be written; undefined: it was to be deleted. */
  forget(isOver: (id: string, copy: T | undefined) => boolean): void {
    for (const [id, copy] of this.#put) if (isOver(id, copy)) this.#put.delete(id);
    for (const id of this.#drop) if (isOver(id, undefined)) this.#drop.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  async #settle(): Promise<void> {
    const { environment, inOrder, noteTrouble, noteSuccess } = this.#deps;
    this.#cancel?.();
    this.#cancel = null;
    try {
      await this.#write([...this.#put.values()], [...this.#drop]);
      this.#put.clear();
      this.#drop.clear();
      noteSuccess();
    } catch (error) {
      noteTrouble(error);
      if (this.#isClosed) return;
      this.#cancel = environment.setTimer(() => {
        inOrder(() => this.#settle()).catch(noteTrouble);
      }, againAfter);
    }
  }
}

/** Ids of copies that the journal's `meta` notes as obsolete: the app ended before the database deleted them. */
export function overIn(meta: ReadonlyMap<string, unknown>, overPrefix: string): Set<string> {
  const noted = [...meta.keys()].filter((id) => id.startsWith(overPrefix));
  return new Set(noted.map((id) => id.slice(overPrefix.length)));
}
