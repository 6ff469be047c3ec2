import type { Archive } from '#shared/formats/omanual/archive.ts';

import type { ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';

/** How many archives stay open. Their directories are in memory, their contents are not. */
const mostOpen = 4;

/**
 * The open archives that were used last, by the names of their files. While a new version replaces an old one, readers
 * with the old record still get the old file.
 */
export class OpenArchives {
  readonly #open: (record: ArchiveRecord) => Promise<Archive>;
  readonly #known = new Map<string, Promise<Archive>>();

  constructor(open: (record: ArchiveRecord) => Promise<Archive>) {
    this.#open = open;
  }

  get(record: ArchiveRecord): Promise<Archive> {
    const { stored } = record;
    const known = this.#known.get(stored);
    const opening = known ?? this.#open(record);
    this.#known.delete(stored);
    this.#known.set(stored, opening);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostOpen) break;
      this.#known.delete(oldest);
    }
    if (known === undefined) opening.catch(() => this.forget(stored));
    return opening;
  }

  /** Forgets an archive whose file is removed. */
  forget(stored: string): void {
    this.#known.delete(stored);
  }
}
