/** SQLite's codes for a damaged database. */
const codes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Whether an error, or its cause, means that the database is damaged. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return codes.some((one) => code.startsWith(one)) || isDamage(error.cause);
}

/**
 * Whether the database was found damaged. Stays so until the next start: a damaged database cannot be relied on, even if
 * most of it can be read.
 */
export class Damage {
  readonly #listeners: ((words: string) => void)[] = [];
  #found: string | null = null;

  /** The damage in SQLite's words; null if none was found. */
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
