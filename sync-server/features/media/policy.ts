import { forbidden } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

/** The audience of nobody: keeps the list of audiences from being empty. */
const nobody = 0;

type FileKind = 'Image' | 'Document' | 'Video';

/** Whether the viewer may read a file: its owner, administrators, and who sees something that refers to it. */
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

/** Whether something the viewer may see shows a file: a guide or wiki by its guid, a work log entry by its id. */
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

/** 403 for whoever adds no files. */
export function mustUpload(ctx: Context): void {
  if (!can(ctx.viewer, 'media.upload', null)) throw forbidden('You may not upload here');
}

/** 403 for the shared account of a kiosk: what others put there for an order stays as it is. */
export function mustArrange(ctx: Context): void {
  if (!can(ctx.viewer, 'media.arrange', null)) throw forbidden('A kiosk adds files and changes none');
}
