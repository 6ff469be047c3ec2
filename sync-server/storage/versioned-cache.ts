import { LRUCache } from 'lru-cache';

/**
 * What was read of the database lately, by name.
 *
 * Invalidation: any commit, by whatever process, makes another version (`Storage.version`), and an entry is found only at
 * the version that it was read at. Beyond `most` entries, the one that was not used for longest goes.
 */
export class VersionedCache<T> {
  readonly #entries: LRUCache<string, { version: number; value: T }>;
  constructor(most: number) {
    this.#entries = new LRUCache({ max: most });
  }

  /** What was read under this name at the same version. */
  get(name: string, version: number): T | undefined {
    const known = this.#entries.get(name);
    return known?.version === version ? known.value : undefined;
  }

  /** `version`: of the database before it was read, so that what is written meanwhile makes another. */
  set(name: string, version: number, value: T): void {
    this.#entries.set(name, { version, value });
  }
}
