import type { Finding, FindingKind } from '#shared/formats/omanual/archive.ts';
import { listedFindings, mostListed } from '#server/features/omanual/findings.ts';

/** What an import itself finds, beside what the reader of the archive found. */
export interface ImportNotes {
  add(kind: FindingKind, code: string, member: string, message: string): void;
}

/** What an import found, each thing once; of more than a report lists, how many. */
export class Notes implements ImportNotes {
  readonly #findings: Finding[] = [];
  readonly #seen = new Set<string>();

  add(kind: FindingKind, code: string, member: string, message: string): void {
    const key = `${code} ${member}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#findings.length < mostListed) this.#findings.push({ kind, code, member, place: '', message });
  }

  /** With those of the reader in front, as many as are listed; the last one says how many are not. */
  after(readers: readonly Finding[]): Finding[] {
    return listedFindings([...readers, ...this.#findings], this.#seen.size - this.#findings.length);
  }
}
