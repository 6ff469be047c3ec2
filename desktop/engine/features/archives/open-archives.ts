import type { Archive } from '#shared/formats/omanual/archive.ts';

import type { ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';

/** So many archives stay open: their index of members is in memory, their bytes are not. */
const mostOpen = 4;

/**
 * The opened archives that were used last, by their files: while a new version takes the place of the old one, whoever
 * reads under the old record gets the old file, and nobody gets it afterwards.
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

  /** The file is gone. */
  forget(stored: string): void {
    this.#known.delete(stored);
  }
}
