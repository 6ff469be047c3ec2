import type { Finding, FindingKind } from './archive.ts';
import { type XmlElement, placeOf } from './xml-tree.ts';

/** Collects the findings of reading an archive. Reading a document again adds nothing. */
export class Report {
  readonly findings: Finding[] = [];
  readonly #seen = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(kind: FindingKind, code: string, member: string, place: XmlElement | string, message: string): void {
    if (this.findings.length > this.#most) return;
    const where = typeof place === 'string' ? place : placeOf(place);
    const key = `${code} ${member} ${where} ${message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.findings.push(
      this.findings.length < this.#most
        ? { kind, code, member, place: where, message }
        : { kind: 'dropped', code: 'more', member: '', place: '', message: 'There is more to report.' },
    );
  }

  /** A report that adds findings about one document. */
  of(member: string): DocumentReport {
    return {
      member,
      add: (kind, code, place, message) => this.add(kind, code, member, place, message),
    };
  }
}

/** The report for one document. */
export interface DocumentReport {
  readonly member: string;
  add(kind: FindingKind, code: string, place: XmlElement | string, message: string): void;
}

/** Collects findings about one member while it is written. */
export interface Notes {
  add(kind: FindingKind, code: string, place: string, message: string): void;
}

/** Notes that append to `findings`. */
export function notesOf(member: string, findings: Finding[]): Notes {
  return {
    add: (kind, code, place, message) => findings.push({ kind, code, member, place, message }),
  };
}
