/** What SQLite says of content that is not what it wrote. */
const codes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Whether an error, or what caused it, says that the database is damaged. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return codes.some((one) => code.startsWith(one)) || isDamage(error.cause);
}

/**
 * Whether the database of this process was found damaged. It stays so until the server is started again: a database that
 * was damaged once is not to be relied on, whatever can still be read of it.
 */
export class Damage {
  readonly #listeners: ((words: string) => void)[] = [];
  #found: string | null = null;

  /** In SQLite's words; null: none was found. */
  get found(): string | null {
    return this.#found;
  }

  /** Calls the listeners the first time. */
  report(words: string): void {
    if (this.#found !== null) return;
    this.#found = words;
    for (const listener of this.#listeners) listener(words);
  }

  onFound(listener: (words: string) => void): void {
    this.#listeners.push(listener);
  }
}
