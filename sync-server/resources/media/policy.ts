import { entryFacts } from '#shared/model/work-log.ts';
import type { Viewer } from '#server/http/context.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

/** The audience of nobody: keeps the list of audiences from being empty. */
const nobody = 0;

/** Whether the viewer may read a document or video: its owner, administrators, and who sees something that refers to it. */
export async function mayReadFile(
  db: Db,
  viewer: Viewer,
  file: { kind: 'Document' | 'Video'; id: number; guid: string; userid: number },
): Promise<boolean> {
  if (viewer.isAdmin || (viewer.userid !== 0 && viewer.userid === file.userid)) return true;
  return isReferenced(db, viewer, file.kind, file.id, file.guid);
}

/** Whether something the viewer may see refers to a file: a guide or wiki by its guid, a work log entry by its id. */
export async function isReferenced(
  db: Db,
  viewer: Viewer,
  kind: 'Image' | 'Document' | 'Video',
  id: number,
  guid: string,
): Promise<boolean> {
  const visible = [nobody, ...(await visibleAudiences(db, viewer.principals))];
  const holder = await db
    .selectFrom('documents')
    .select('id')
    .where('collection', 'in', ['guides', 'wikis', 'people'])
    .where('audience', 'in', visible)
    .where('body', 'like', `%${guid}%`)
    .limit(1)
    .executeTakeFirst();
  if (holder !== undefined) return true;
  const entries = await db
    .selectFrom('documents')
    .select('body')
    .where('collection', '=', 'workLog')
    .where('audience', 'in', visible)
    .where('body', 'like', `%"value":"${id}"%`)
    .execute();
  return entries.some((row) => {
    const values = entryFacts.parse(JSON.parse(row.body)).events.flatMap((event) => event.data ?? []);
    return values.some((value) => value.field_type === kind && value.value === String(id));
  });
}
