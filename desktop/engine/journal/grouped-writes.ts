import { BehaviorSubject, type Observable } from 'rxjs';

import type { Environment } from '../platform/ports.ts';
import type { Journal, JournalRecord } from './journal.ts';

/** Pause before records that the disk refused are written again, ms. */
const againAfter = 5000;

/**
 * Writes records of the journal in groups: those that come during one append are written with the next, and only the last
 * one of each id. What the disk refuses is written again, until it is stored.
 */
export class GroupedWrites {
  readonly #journal: Journal;
  readonly #environment: Pick<Environment, 'setTimer'>;
  /** Records that are still to be written, by collection and id. */
  readonly #waiting = new Map<string, JournalRecord>();
  readonly #isBusy = new BehaviorSubject(false);
  #writing: Promise<void> | null = null;
  #cancelRetry: (() => void) | null = null;

  constructor(journal: Journal, environment: Pick<Environment, 'setTimer'>) {
    this.#journal = journal;
    this.#environment = environment;
  }

  /** Whether records wait to be stored; emits the present state first. */
  get isBusy(): Observable<boolean> {
    return this.#isBusy;
  }

  /** Resolves when the records are stored; rejects when the disk refuses them. */
  write(records: readonly JournalRecord[]): Promise<void> {
    for (const record of records) this.#waiting.set(`${record.collection}/${record.id}`, record);
    this.#isBusy.next(true);
    return this.flush();
  }

  /** Whether records wait to be stored. */
  get isWaiting(): boolean {
    return this.#isBusy.value;
  }

  /** Writes what waits now; resolves when it is stored, and rejects when the disk refuses it. */
  async flush(): Promise<void> {
    if (this.#waiting.size > 0) this.#writing ??= this.#writeAll();
    await this.#writing;
  }

  close(): void {
    this.#cancelRetry?.();
    this.#isBusy.complete();
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.size > 0) await this.#writeGroup();
    } finally {
      // In the same turn as the last look at what waits, so that nothing that comes later is left behind.
      this.#writing = null;
      this.#isBusy.next(this.#waiting.size > 0);
    }
  }

  async #writeGroup(): Promise<void> {
    const group = [...this.#waiting];
    this.#waiting.clear();
    try {
      await this.#journal.append(group.map(([, record]) => record));
    } catch (error) {
      // A record that was written meanwhile is newer.
      for (const [key, record] of group) if (!this.#waiting.has(key)) this.#waiting.set(key, record);
      this.#writeLater();
      throw error;
    }
  }

  #writeLater(): void {
    this.#cancelRetry ??= this.#environment.setTimer(() => {
      this.#cancelRetry = null;
      // A failure sets the timer again.
      this.flush().catch(() => undefined);
    }, againAfter);
  }
}
