import type { ArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import type { ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveRows, IndexedArchive } from '#desktop/engine/storage/archive-rows.ts';
import { dropFile } from './file-sink.ts';

/** The three places in which archives are stored. */
interface StoredFiles {
  files: ArchiveFiles;
  rows: ArchiveRows;
  records: readonly ArchiveRecord[];
  /** Archives whose records a newer version wrote, with the names of their files; null if the name is unknown. */
  unreadable: ReadonlyMap<string, string | null>;
  journal: (record: ArchiveRecord) => Promise<void>;
}

/**
 * An archive after reconciling. `known`: its entry in the index before. `size` of its file; undefined if it is gone.
 */
export interface Reconciled {
  record: ArchiveRecord;
  known: IndexedArchive | undefined;
  size: number | undefined;
}

/**
 * Restores what one of the three places has lost from the others (README, ARCHIVE-4). Records of a newer version stay
 * as they are, with their files.
 */
export async function reconcile({
  files,
  rows,
  records,
  unreadable,
  journal,
}: StoredFiles): Promise<Reconciled[]> {
  const names = new Set(await files.list());
  const journalled = new Map(records.map((record) => [record.archiveid, record]));
  const indexed = new Map((await rows.all()).map((archive) => [archive.record.archiveid, archive]));
  for (const [archiveid, { record }] of indexed) {
    if (journalled.has(archiveid) || unreadable.has(archiveid)) continue;
    if (names.has(record.stored)) {
      await journal(record);
      journalled.set(archiveid, record);
    } else await rows.remove(archiveid);
  }
  const named = new Set<string | null>([...journalled.values()].map(({ stored }) => stored));
  for (const stored of unreadable.values()) named.add(stored);
  for (const name of named.has(null) ? [] : names) if (!named.has(name)) await dropFile(files, name);
  return Promise.all(
    [...journalled.values()].map(async (record) => ({
      record,
      known: indexed.get(record.archiveid),
      size: await files.size(record.stored),
    })),
  );
}
