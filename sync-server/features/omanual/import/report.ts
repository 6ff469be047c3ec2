import type { ImportedItem, ImportReportRecord } from '#shared/model/archive-record.ts';
import type { Archive } from '#shared/formats/omanual/archive.ts';
import { mostListed, unlistedItems } from '#server/features/omanual/findings.ts';

import type { Notes } from './notes.ts';

/** What an import did so far, or would do. */
export class ImportReport {
  readonly #notes: Notes;
  #items: ImportedItem[] = [];
  #files = 0;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** Something was done with a record of the archive. */
  say(item: ImportedItem): void {
    this.#items.push(item);
  }

  /** Files came along. */
  countFiles(number: number): void {
    this.#files += number;
  }

  /** What was said of the check is over: now it is done. */
  beginAnew(): void {
    this.#items = [];
    this.#files = 0;
  }

  record({ version, producer, base, findings }: Archive): ImportReportRecord {
    const count = (action: ImportedItem['action']): number =>
      this.#items.filter((one) => one.action === action).length;
    return {
      version,
      producer,
      base,
      created: count('created'),
      changed: count('changed'),
      skipped: count('skipped'),
      media: this.#files,
      items: this.#items.slice(0, mostListed),
      findings: this.#notes.after([...unlistedItems(this.#items.length), ...findings]),
    };
  }
}
