import type { MediaNeed } from './needs.ts';

/** The files that a guide and its prerequisites need. `isLater`: they can wait for all others. */
export interface FileGroup {
  needs: readonly MediaNeed[];
  isLater: boolean;
}

/** The groups of files that this device needs, by name. */
export class FileGroups {
  readonly #groups = new Map<string, FileGroup>();
  /** Number of groups that need a file, by key. */
  readonly #references = new Map<string, number>();

  get(name: string): FileGroup | undefined {
    return this.#groups.get(name);
  }

  names(): string[] {
    return [...this.#groups.keys()];
  }

  all(): Iterable<FileGroup> {
    return this.#groups.values();
  }

  set(name: string, group: FileGroup): void {
    this.#count(group.needs, 1);
    this.delete(name);
    this.#groups.set(name, group);
  }

  delete(name: string): void {
    this.#count(this.#groups.get(name)?.needs ?? [], -1);
    this.#groups.delete(name);
  }

  /** Whether a group needs a file. */
  isNeeded(key: string): boolean {
    return this.#references.has(key);
  }

  /** Keys of all files that groups need. */
  keys(): string[] {
    return [...this.#references.keys()];
  }

  /** All files that groups need, each once. */
  needs(): MediaNeed[] {
    const all = new Map<string, MediaNeed>();
    for (const { needs } of this.#groups.values()) for (const need of needs) all.set(need.key, need);
    return [...all.values()];
  }

  #count(needs: readonly MediaNeed[], by: 1 | -1): void {
    for (const { key } of needs) {
      const count = (this.#references.get(key) ?? 0) + by;
      if (count === 0) this.#references.delete(key);
      else this.#references.set(key, count);
    }
  }
}
