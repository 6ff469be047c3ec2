import type { Journal } from '#desktop/engine/journal/journal.ts';
import {
  archiveKey,
  type ArchiveRecord,
  recordsIn,
  unreadableIn,
} from '#desktop/engine/storage/archive-record.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';

/** The journal's records of the archives. Changes run one after the other. */
export class ArchiveRecords {
  /** Runs work after all work so far. */
  readonly #inOrder = serialQueue();
  readonly #journal: Journal;
  readonly #changed: () => void;

  /** `changed` is called after each change of the records. */
  constructor(journal: Journal, changed: () => void) {
    this.#journal = journal;
    this.#changed = changed;
  }

  async all(): Promise<ArchiveRecord[]> {
    const { meta } = await this.#journal.entries();
    return recordsIn(meta);
  }

  /** Files of records that this version cannot read, by archiveid; null if the file is unknown. */
  async unreadable(): Promise<Map<string, string | null>> {
    const { meta } = await this.#journal.entries();
    return unreadableIn(meta);
  }

  async find(archiveid: string): Promise<ArchiveRecord | undefined> {
    return (await this.all()).find((one) => one.archiveid === archiveid);
  }

  put(record: ArchiveRecord): Promise<void> {
    return this.#inOrder(() => this.#append(record));
  }

  /** Changes a record. Resolves to the changed record, or to null when it no longer exists. */
  edit(archiveid: string, change: (record: ArchiveRecord) => ArchiveRecord): Promise<ArchiveRecord | null> {
    return this.#inOrder(async () => {
      const before = await this.find(archiveid);
      if (before === undefined) return null;
      const after = change(before);
      await this.#append(after);
      return after;
    });
  }

  /**
   * Replaces the record with the id of `next`, and deletes the record `fetchedAs` under which it was fetched, both or
   * neither.
   */
  supersede(next: ArchiveRecord, fetchedAs: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#journal.append([
        { op: 'put', collection: 'meta', id: archiveKey(next.archiveid), value: next },
        { op: 'delete', collection: 'meta', id: archiveKey(fetchedAs) },
      ]);
      this.#changed();
    });
  }

  forget(archiveid: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#journal.forget('meta', [archiveKey(archiveid)]);
      this.#changed();
    });
  }

  async #append(record: ArchiveRecord): Promise<void> {
    const id = archiveKey(record.archiveid);
    await this.#journal.append([{ op: 'put', collection: 'meta', id, value: record }]);
    this.#changed();
  }
}
