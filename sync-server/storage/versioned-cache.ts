import { LRUCache } from 'lru-cache';

/**
 * A cache of values that were read from the database, by name.
 *
 * Invalidation: any commit, of any process, changes the version of the database (`Storage.version`), and an entry is
 * valid only at the version at which it was read. Beyond `most` entries, the least recently used one is removed.
 */
export class VersionedCache<T> {
  readonly #entries: LRUCache<string, { version: number; value: T }>;
  constructor(most: number) {
    this.#entries = new LRUCache({ max: most });
  }

  /** The value under this name, if it was read at the same version. */
  get(name: string, version: number): T | undefined {
    const known = this.#entries.get(name);
    return known?.version === version ? known.value : undefined;
  }

  /** `version`: the version of the database before the value was read, so that a write meanwhile invalidates it. */
  set(name: string, version: number, value: T): void {
    this.#entries.set(name, { version, value });
  }
}
