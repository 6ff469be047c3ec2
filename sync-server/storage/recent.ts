interface Kept<T> {
  version: number;
  value: T;
}

/**
 * What was read of the database lately, by name: each holds while nothing is written (`Storage.version`). At most so many
 * are kept; the one that was read longest ago goes first.
 */
export class Recent<T> {
  readonly #most: number;
  readonly #kept = new Map<string, Kept<T>>();
  constructor(most: number) {
    this.#most = most;
  }

  /** What was read under this name at the same version. */
  get(name: string, version: number): T | undefined {
    const known = this.#kept.get(name);
    return known?.version === version ? known.value : undefined;
  }

  /** `version`: of the database before it was read, so that what is written meanwhile makes another. */
  set(name: string, version: number, value: T): void {
    this.#kept.delete(name);
    this.#kept.set(name, { version, value });
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value ?? '');
  }
}
