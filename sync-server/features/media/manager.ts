import { can } from '#server/features/can.ts';
import { isSentBy } from '#server/core/stations.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { invalid } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';

/** Kinds of files in a media manager. */
export type MediaKind = 'image' | 'document' | 'video';

/**
 * Whether the caller may use the file in a record, because it is in the caller's media manager.
 *
 * - STATION-11 In the name of a person, a station uses only files that it sent itself. Otherwise it could show itself other
 *   files of that person, by naming their numbers in a text or a value.
 */
export async function isUsable(ctx: Context, kind: MediaKind, id: number): Promise<boolean> {
  const { station } = ctx.viewer;
  if (station !== undefined && !(await isSentBy(ctx.db, station, kind, id))) return false;
  return isInManager(ctx, kind, id);
}

/** Whether the file is in the caller's media manager. Administrators can use the files of all media managers. */
export async function isInManager(ctx: Context, kind: MediaKind, id: number): Promise<boolean> {
  let select = ctx.db.selectFrom('media_manager').select('id').where('kind', '=', kind).where('id', '=', id);
  if (!can(ctx.viewer, 'media.useAny', null)) select = select.where('userid', '=', ctx.viewer.userid);
  return (await select.executeTakeFirst()) !== undefined;
}

/** Adds a file to a person's media manager. */
export async function addToManager(ctx: Context, kind: MediaKind, id: number, userid: number): Promise<void> {
  await ctx.db.insertInto('media_manager').values({ userid, kind, id, date: ctx.seconds }).execute();
}

/**
 * An image of the caller's media manager; null and undefined are returned as they are. Throws 422 if it is not there.
 */
export async function ownImage(
  ctx: Context,
  imageid: number | null | undefined,
): Promise<ImageRef | null | undefined> {
  if (imageid == null) return imageid;
  const row = await ctx.db
    .selectFrom('images')
    .innerJoin('media_manager', (join) =>
      join.onRef('media_manager.id', '=', 'images.imageid').on('kind', '=', 'image'),
    )
    .select(['imageid', 'guid', 'width', 'height'])
    .where('imageid', '=', imageid)
    .where('media_manager.userid', '=', mustUserid(ctx))
    .executeTakeFirst();
  if (row === undefined || !(await isUsable(ctx, 'image', imageid)))
    throw invalid('image', `Image ${imageid} is not in your media manager`);
  return { id: row.imageid, guid: row.guid, width: row.width, height: row.height };
}
