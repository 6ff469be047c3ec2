import { invalid } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { type Context, mustUserid } from '#server/core/context.ts';

/** An image of the caller's media manager by its id; null and undefined as they are. 422 when it is not there. */
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
  if (row === undefined) throw invalid('image', `Image ${imageid} is not in your media manager`);
  return { id: row.imageid, guid: row.guid, width: row.width, height: row.height };
}
