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
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(kind: FindingKind, code: string, member: string, message: string): void {
    const isKnown = this.findings.some((one) => one.code === code && one.member === member);
    if (!isKnown && this.findings.length < this.#most)
      this.findings.push({ kind, code, member, place: '', message });
  }

  /** With those of the reader in front. */
  after(readers: readonly Finding[]): Finding[] {
    return [...readers, ...this.findings].slice(0, this.#most);
  }
}
