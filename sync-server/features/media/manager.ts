import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

/** Kinds of files in a media manager. */
export type MediaKind = 'image' | 'document' | 'video';

/** Whether the caller's media manager holds the file; an administrator's is everybody's. */
export async function isInManager(ctx: Context, kind: MediaKind, id: number): Promise<boolean> {
  let select = ctx.db.selectFrom('media_manager').select('id').where('kind', '=', kind).where('id', '=', id);
  if (!can(ctx.viewer, 'media.useAny', null)) select = select.where('userid', '=', ctx.viewer.userid);
  return (await select.executeTakeFirst()) !== undefined;
}

/** Puts a file into somebody's media manager. */
export async function addToManager(ctx: Context, kind: MediaKind, id: number, userid: number): Promise<void> {
  await ctx.db.insertInto('media_manager').values({ userid, kind, id, date: ctx.seconds }).execute();
}
