import type { Environment } from './ports.ts';
import type { TroubleNotes } from './troubles.ts';

interface World extends TroubleNotes {
  environment: Pick<Environment, 'setTimer'>;
  /** Runs alone among all that writes these copies. */
  inOrder: (run: () => Promise<void>) => Promise<void>;
}

/** After so long, what the database could not take is offered to it again, ms. */
const againAfter = 30_000;

/** Copies in the database of what the journal holds. What it cannot take is written with the next ones, or after a while. */
export class OwedCopies<T> {
  readonly #world: World;
  readonly #write: (put: readonly T[], drop: readonly string[]) => Promise<void>;
  readonly #put = new Map<string, T>();
  readonly #drop = new Set<string>();
  #cancel: (() => void) | null = null;
  #isClosed = false;

  constructor(world: World, write: (put: readonly T[], drop: readonly string[]) => Promise<void>) {
    this.#world = world;
    this.#write = write;
  }

  /** Whether the database lacks something that it was offered. */
  get isOwing(): boolean {
    return this.#put.size > 0 || this.#drop.size > 0;
  }

  /** Writes copies, and drops others by id. To be called in order; a failure is noted. */
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

  /** Drops what is owed but is no longer so: `copy` is what was to be written, undefined where a copy was to go. */
  forget(isOver: (id: string, copy: T | undefined) => boolean): void {
    for (const [id, copy] of this.#put) if (isOver(id, copy)) this.#put.delete(id);
    for (const id of this.#drop) if (isOver(id, undefined)) this.#drop.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  async #settle(): Promise<void> {
    const { environment, inOrder, noteTrouble, noteSuccess } = this.#world;
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
