/**
 * Which records show which files.
 *
 * - MEDIA-2 The files of a record are stored in the transaction that writes the record, and are deleted with it.
 * - MEDIA-3 A link in a text shows a document or video only if its author may read it. A later edit by another person
 *   adds nothing.
 * - MEDIA-4 After an upgrade, an older database knows which records show which files.
 */
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { mayReadFile } from './policy.ts';
import type { Changes } from '#server/storage/feed.ts';
import { filesIn, filesOfEntry, showsFiles, without, type FileNames } from '#server/storage/file-names.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables, Tx } from '#server/storage/tables.ts';

/**
 * Stores which records show which files, so that permission checks of files need no search. To be called before the
 * changes are flushed. A link in a text makes a file readable only if the text's writer may read the file; links that
 * the text had before are not checked again. `writer` is null for the site itself, which may read all files.
 */
export async function rememberFileUses(tx: Tx, writer: Viewer | null, changes: Changes): Promise<void> {
  for (const { collection, id, body, document } of changes.records) {
    if (!showsFiles(collection)) continue;
    const { shown, linked }: FileNames =
      collection === 'workLog'
        ? { shown: filesOfEntry((document as EntryFacts | undefined) ?? { events: [] }), linked: new Set() }
        : filesIn(collection, body ?? '');
    const known = new Set((await usesOf(tx, { collection, id })).map((row) => row.file));
    const wanted = new Set(shown);
    for (const file of linked) if (known.has(file)) wanted.add(file);
    const fresh = without(linked, known);
    if (fresh.size > 0) {
      const before = filesIn(collection, (await changes.stored.findBody(tx, collection, id)) ?? '');
      for (const guid of without(fresh, before.linked))
        if (writer === null || (await mayReadGuid(tx, writer, guid))) wanted.add(guid);
    }
    for (const file of without(known, wanted)) await removeUse(tx, { collection, id, file });
    for (const file of without(wanted, known)) await addUse(tx, { collection, id, file });
  }
}

async function mayReadGuid(db: Db, viewer: Viewer, guid: string): Promise<boolean> {
  const document = await db
    .selectFrom('document_files')
    .select(['documentid as id', 'userid'])
    .where('guid', '=', guid)
    .executeTakeFirst();
  if (document !== undefined) return mayReadFile(db, viewer, { kind: 'Document', guid, ...document });
  const video = await db
    .selectFrom('video_files')
    .select(['videoid as id', 'userid'])
    .where('guid', '=', guid)
    .executeTakeFirst();
  return video !== undefined && mayReadFile(db, viewer, { kind: 'Video', guid, ...video });
}

const usesOf = prepared<{ collection: string; id: string }, { file: string }>((db, value) =>
  db
    .selectFrom('file_uses')
    .select('file')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const addUse = prepared<Tables['file_uses'], unknown>((db, value) =>
  db
    .insertInto('file_uses')
    .values({ collection: value('collection'), id: value('id'), file: value('file') }),
);

const removeUse = prepared<Tables['file_uses'], unknown>((db, value) =>
  db
    .deleteFrom('file_uses')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id'))
    .where('file', '=', value('file')),
);
