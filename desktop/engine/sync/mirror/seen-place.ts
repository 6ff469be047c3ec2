import { z } from 'zod';

import { checkpointText } from '#shared/sync/wire.ts';

import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';

/** A place of the feed as the journal's `meta` keeps it. */
const stored = z.object({ place: checkpointText });

/**
 * The highest place of the server's feed that this device ever saw, in pages, events and answers to its own calls. It is
 * told with every request, so that a server that was restored to before it notices (OUTBOX-33).
 */
export class SeenPlace {
  readonly #journal: Journal;
  readonly #id: string;
  #place: string | null;
  /** What the journal has. */
  #stored: string | null;

  private constructor(journal: Journal, id: string, place: string | null) {
    this.#journal = journal;
    this.#id = id;
    this.#place = place;
    this.#stored = place;
  }

  static async open(journal: Journal, home: string): Promise<SeenPlace> {
    const id = `seen/${home}`;
    const { meta } = await journal.entries();
    const found = stored.safeParse(meta.get(id));
    return new SeenPlace(journal, id, found.success ? found.data.place : null);
  }

  get place(): string | null {
    return this.#place;
  }

  note(place: string): void {
    if (seqOf(place) <= seqOf(this.#place ?? '0')) return;
    this.#place = place;
  }

  /** Journals the place together with `records`, those of the calls whose answers told it. */
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

  /** The server has another history. */
  async forget(): Promise<void> {
    this.#place = null;
    this.#stored = null;
    await this.#journal.append([{ op: 'delete', collection: 'meta', id: this.#id }]);
  }
}

function seqOf(place: string): number {
  return Number(place.split('.')[0]);
}
