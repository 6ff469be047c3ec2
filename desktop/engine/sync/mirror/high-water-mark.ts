import { z } from 'zod';

import { checkpointText } from '#shared/sync/wire.ts';

import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';

/** A checkpoint as the journal's `meta` stores it. */
const stored = z.object({ place: checkpointText });

/**
 * The highest checkpoint of the server's feed that this device ever saw, in pages, events and responses to its own calls.
 * Every request sends it, so that a server that was restored to an earlier state notices (OUTBOX-33).
 */
export class HighWaterMark {
  readonly #journal: Journal;
  readonly #id: string;
  #place: string | null;
  /** The checkpoint in the journal. */
  #stored: string | null;

  private constructor(journal: Journal, id: string, place: string | null) {
    this.#journal = journal;
    this.#id = id;
    this.#place = place;
    this.#stored = place;
  }

  static async open(journal: Journal, home: string): Promise<HighWaterMark> {
    const id = `seen/${home}`;
    const { meta } = await journal.entries();
    const found = stored.safeParse(meta.get(id));
    return new HighWaterMark(journal, id, found.success ? found.data.place : null);
  }

  get place(): string | null {
    return this.#place;
  }

  note(place: string): void {
    if (seqOf(place) <= seqOf(this.#place ?? '0')) return;
    this.#place = place;
  }

  /** Writes the checkpoint to the journal, in one append with `records` of the calls whose responses named it. */
  async journalWith(records: readonly JournalRecord[]): Promise<void> {
    const place = this.#place;
    const isStored = place === null || place === this.#stored;
    const own: JournalRecord[] = isStored
      ? []
      : [{ op: 'put', collection: 'meta', id: this.#id, value: { place } }];
    if (records.length + own.length === 0) return;
    await this.#journal.append([...records, ...own]);
    this.#stored = place;
  }

  /** Removes the checkpoint, because the server has another history. */
  async forget(): Promise<void> {
    this.#place = null;
    this.#stored = null;
    await this.#journal.append([{ op: 'delete', collection: 'meta', id: this.#id }]);
  }
}

function seqOf(place: string): number {
  return Number(place.split('.')[0]);
}
