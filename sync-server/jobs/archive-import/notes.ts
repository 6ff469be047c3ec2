import type { Finding, FindingKind } from '#shared/omanual/archive.ts';

/** Findings and records that a report lists at most. */
export const mostListed = 2000;

/** What an import itself finds, beside what the reader of the archive found. */
export interface ImportNotes {
  add(kind: FindingKind, code: string, member: string, message: string): void;
}

/** Findings of both, as many as are kept. */
export class Notes implements ImportNotes {
  readonly findings: Finding[] = [];
  readonly #seen = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(kind: FindingKind, code: string, member: string, message: string): void {
    const key = `${code} ${member}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.findings.length <= this.#most) this.findings.push({ kind, code, member, place: '', message });
  }

  /** With those of the reader in front; the last one says so where there are more than are kept. */
  after(readers: readonly Finding[]): Finding[] {
    const all = [...readers, ...this.findings];
    if (all.length <= this.#most) return all;
    const more = {
      kind: 'dropped',
      code: 'more',
      member: '',
      place: '',
      message: 'There is more to report.',
    } as const;
    return [...all.slice(0, this.#most - 1), more];
  }
}
