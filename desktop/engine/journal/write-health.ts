import type { JournalHealth } from './journal.ts';
import type { Replay } from './replay.ts';
import { JournalError, type JournalStore, toJournalError } from './store.ts';

/** Whether the journal can be written, and what its store has failed to do (JOURNAL-9, JOURNAL-10). */
export class WriteHealth {
  readonly #store: JournalStore;
  readonly #listeners = new Set<(health: JournalHealth) => void>();
  #health: JournalHealth;

  constructor(store: JournalStore, found: Replay) {
    this.#store = store;
    this.#health = {
      durability: store.durability,
      writable: !found.newer,
      ...(found.newer ? { problem: 'newer' as const } : {}),
      lowSpace: false,
      full: false,
      damage: found.damage,
      missing: found.missing,
    };
  }

  get current(): JournalHealth {
    return this.#health;
  }

  /** Calls `listener` after each change; returns a function that ends this. */
  watch(listener: (health: JournalHealth) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws JournalError `read-only` when the journal takes no more writes */
  mustBeWritable(): void {
    const { writable, problem } = this.#health;
    if (!writable)
      throw new JournalError('read-only', `The journal takes no more writes: ${problem ?? 'closed'}`);
  }

  /** Runs a write. If the disk is full, releases the ballast and runs it once more. */
  async withBallast(write: () => Promise<void>): Promise<void> {
    try {
      await this.#repeated(write);
      this.#report({ full: false });
    } catch (error) {
      if (error instanceof JournalError && error.kind === 'no-space') this.#report({ full: true });
      throw error;
    }
  }

  async #repeated(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const noted = this.note(error);
      const released = noted.kind === 'no-space' && (await this.#store.releaseBallast().catch(() => false));
      if (!released) throw noted;
      await write().catch((again: unknown) => {
        throw this.note(again);
      });
    }
  }

  /** Notes a failed write. A full disk is reported; after any other failure the journal takes no more writes. */
  note(thrown: unknown): JournalError {
    const error = toJournalError(thrown);
    if (error.kind === 'no-space') this.#report({ lowSpace: true });
    else if (this.#health.writable) this.#report({ writable: false, problem: error.kind });
    return error;
  }

  /** Tries to reserve the ballast. True if there is room for it. */
  async checkSpace(): Promise<boolean> {
    const reserved = await this.#store.reserveBallast().catch(() => false);
    this.#report({ lowSpace: !reserved });
    return reserved;
  }

  /** The journal takes no more writes, because it is closed. */
  close(): void {
    if (this.#health.writable) this.#report({ writable: false, problem: 'closed' });
  }

  #report(change: Partial<JournalHealth>): void {
    const next = { ...this.#health, ...change };
    const { writable, lowSpace, full } = this.#health;
    if (next.writable === writable && next.lowSpace === lowSpace && next.full === full) return;
    this.#health = next;
    for (const listener of this.#listeners) listener(next);
  }
}
