import { forbidden } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

type FileKind = 'Image' | 'Document' | 'Video';

/** Whether the viewer may read a file: as its owner or an administrator, or by seeing a record that refers to it. */
export async function mayReadFile(
  db: Db,
  viewer: Viewer,
  file: { kind: FileKind; id: number; guid: string; userid: number },
): Promise<boolean> {
  const { kind, id, guid, userid } = file;
  if (can(viewer, 'file.read', { userid, isShown: false })) return true;
  const isShown = await isReferenced(db, viewer, kind, id, guid);
  return can(viewer, 'file.read', { userid, isShown });
}

/** Whether a record that the viewer may see shows a file: guides and wikis by its guid, work log entries by its id. */
async function isReferenced(
  db: Db,
  viewer: Viewer,
  kind: FileKind,
  id: number,
  guid: string,
): Promise<boolean> {
  const visible = [nobody, ...(await visibleAudiences(db, viewer.principals))];
  const use = await db
    .selectFrom('file_uses')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.collection', '=', 'file_uses.collection')
        .onRef('documents.id', '=', 'file_uses.id'),
    )
    .select('file')
    .where('file', 'in', [guid, `${kind}:${id}`])
    .where('audience', 'in', visible)
    .limit(1)
    .executeTakeFirst();
  return use !== undefined;
}

/** Throws 403 unless the caller may upload files. */
export function mustUpload(ctx: Context): void {
  if (!can(ctx.viewer, 'media.upload', null)) throw forbidden('You may not upload here');
}

/**
 * Throws 403 for the shared account of a kiosk, so that files which others uploaded for a work order stay unchanged.
 */
export function mustArrange(ctx: Context): void {
  if (!can(ctx.viewer, 'media.arrange', null)) throw forbidden('A kiosk adds files and changes none');
}
