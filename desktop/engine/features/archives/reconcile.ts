import type { ArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import type { ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveRows, IndexedArchive } from '#desktop/engine/storage/archive-rows.ts';
import { dropFile } from './store-file.ts';

/** The three homes of an archive. */
interface Homes {
  files: ArchiveFiles;
  rows: ArchiveRows;
  records: readonly ArchiveRecord[];
  /** Archives whose records a newer version wrote, with their files; null: a file that cannot be told. */
  unreadable: ReadonlyMap<string, string | null>;
  journal: (record: ArchiveRecord) => Promise<void>;
}

/** An archive after mending, as the index knew it before; `size` of its file, undefined when that is gone. */
export interface Mended {
  record: ArchiveRecord;
  known: IndexedArchive | undefined;
  size: number | undefined;
}

/**
 * What one of the three homes lost comes back from the others (README, ARCHIVE-4). What a newer version wrote stays as it is, with
 * its file.
 */
export async function mendHomes({ files, rows, records, unreadable, journal }: Homes): Promise<Mended[]> {
  const names = new Set(await files.list());
  const kept = new Map(records.map((record) => [record.archiveid, record]));
  const indexed = new Map((await rows.all()).map((archive) => [archive.record.archiveid, archive]));
  for (const [archiveid, { record }] of indexed) {
    if (kept.has(archiveid) || unreadable.has(archiveid)) continue;
    if (names.has(record.stored)) {
      await journal(record);
      kept.set(archiveid, record);
    } else await rows.remove(archiveid);
  }
  const named = new Set<string | null>([...kept.values()].map(({ stored }) => stored));
  for (const stored of unreadable.values()) named.add(stored);
  for (const name of named.has(null) ? [] : names) if (!named.has(name)) await dropFile(files, name);
  return Promise.all(
    [...kept.values()].map(async (record) => ({
      record,
      known: indexed.get(record.archiveid),
      size: await files.size(record.stored),
    })),
  );
}
