/** The stored files, least recently used first. */
export class HeldFiles {
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  /** Size of all files, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  has(key: string): boolean {
    return this.#sizes.has(key);
  }

  /** Size in bytes; undefined if it is not stored. */
  sizeOf(key: string): number | undefined {
    return this.#sizes.get(key);
  }

  keys(): string[] {
    return [...this.#sizes.keys()];
  }

  entries(): Iterable<[key: string, bytes: number]> {
    return this.#sizes.entries();
  }

  /** Adds a file, or moves it to the end. */
  hold(key: string, bytes: number): void {
    this.drop(key);
    this.#sizes.set(key, bytes);
    this.#bytes += bytes;
  }

  drop(key: string): void {
    this.#bytes -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
  }
}
