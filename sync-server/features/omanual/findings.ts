import type { Finding, FindingKind } from '#shared/formats/omanual/archive.ts';

/** Most findings and most records in a report; there could be one for each line of each guide. */
export const mostListed = 2000;

/**
 * The findings for a report. If there are too many, the last line says how many are left out. `uncollected`: number of
 * further findings that were only counted.
 */
export function listedFindings(findings: readonly Finding[], uncollected = 0): Finding[] {
  if (findings.length + uncollected <= mostListed) return [...findings];
  const listed = findings.slice(0, mostListed - 1);
  const left = findings.length + uncollected - listed.length;
  // The reader of the archive stopped collecting findings itself.
  const isOpen = findings.slice(mostListed - 1).some(({ code }) => code === 'more');
  const count = (isOpen ? left - 1 : left).toLocaleString('en');
  const message = `${isOpen ? 'More than ' : ''}${count} further findings are not listed.`;
  return [...listed, { kind: 'dropped', code: 'more', member: '', place: '', message }];
}

/** The finding about records that a report does not list. Its counts include them. */
export function unlistedItems(items: number): Finding[] {
  if (items <= mostListed) return [];
  const [all, most] = [items, mostListed].map((number) => number.toLocaleString('en'));
  const message = `Of ${all} guides and categories the first ${most} are listed; the numbers count all of them.`;
  return [{ kind: 'dropped', code: 'more-items', member: '', place: '', message }];
}

/** Collects the findings of an import itself, besides those of the reader of the archive. */
export interface ImportNotes {
  add(kind: FindingKind, code: string, member: string, message: string): void;
}

/** The findings of an import, each once; beyond the limit of a report they are only counted. */
export class Notes implements ImportNotes {
  readonly #findings: Finding[] = [];
  readonly #seen = new Set<string>();

  add(kind: FindingKind, code: string, member: string, message: string): void {
    const key = `${code} ${member}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#findings.length < mostListed) this.#findings.push({ kind, code, member, place: '', message });
  }

  /** The findings for a report, those of the reader first. */
  after(readers: readonly Finding[]): Finding[] {
    return listedFindings([...readers, ...this.#findings], this.#seen.size - this.#findings.length);
  }
}
