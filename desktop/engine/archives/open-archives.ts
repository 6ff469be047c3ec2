import type { Archive } from '#shared/omanual/archive.ts';

/** So many archives stay open: their index of members is in memory, their bytes are not. */
const mostOpen = 4;

/** The opened archives that were used last. */
export class OpenArchives {
  readonly #open: (archiveid: string) => Promise<Archive>;
  readonly #known = new Map<string, Promise<Archive>>();

  constructor(open: (archiveid: string) => Promise<Archive>) {
    this.#open = open;
  }

  get(archiveid: string): Promise<Archive> {
    const known = this.#known.get(archiveid);
    const opening = known ?? this.#open(archiveid);
    this.#known.delete(archiveid);
    this.#known.set(archiveid, opening);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostOpen) break;
      this.#known.delete(oldest);
    }
    if (known === undefined) opening.catch(() => this.forget(archiveid));
    return opening;
  }

  /** Its file is another one now, or gone. */
  forget(archiveid: string): void {
    this.#known.delete(archiveid);
  }
}
