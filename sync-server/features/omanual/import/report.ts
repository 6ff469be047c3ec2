import type { ImportedItem, ImportReportRecord } from '#shared/model/archive-record.ts';
import type { Archive } from '#shared/formats/omanual/archive.ts';
import { mostListed, unlistedItems, type Notes } from '#server/features/omanual/findings.ts';

/** Collects what an import did, or would do. */
export class ImportReport {
  readonly #notes: Notes;
  #items: ImportedItem[] = [];
  #files = 0;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** Adds the result for a record of the archive. */
  add(item: ImportedItem): void {
    this.#items.push(item);
  }

  /** Adds imported files. */
  countFiles(number: number): void {
    this.#files += number;
  }

  /** Discards the results of the check, before the import itself. */
  reset(): void {
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
