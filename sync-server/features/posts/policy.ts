import { forbidden, notFound } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { PostAccess } from './access.ts';
import { editors, moderators } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { findPost, type PostRow } from './store.ts';

const names = { story: 'Story', post: 'Post' } as const;

/** The story or post; throws 404 if it does not exist, is deleted or may not be seen. */
export async function mustSeePost(ctx: Context, kind: PostAccess['kind'], postid: number): Promise<PostRow> {
  const row = await findPost(ctx.db, kind, postid);
  if (row === undefined || !can(ctx.viewer, 'post.see', { kind })) throw notFound(names[kind]);
  return row;
}

export function mustWritePost(ctx: Context, kind: PostAccess['kind']): void {
  if (!can(ctx.viewer, 'post.write', { kind })) throw forbidden('You may not write this here', editors);
}

const refusals = {
  'post.edit': 'Only its author or a moderator edits this',
  'post.remove': 'Only its author or a moderator deletes this',
} as const;

/** The story or post; throws 404 as above, 403 unless the caller is its author or a moderator. */
export async function mustChangePost(
  ctx: Context,
  action: keyof typeof refusals,
  kind: PostAccess['kind'],
  postid: number,
): Promise<void> {
  const { userid } = await mustSeePost(ctx, kind, postid);
  if (!can(ctx.viewer, action, { kind, userid })) throw forbidden(refusals[action], moderators);
}
