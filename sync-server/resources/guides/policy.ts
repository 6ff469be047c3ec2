import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/access/can.ts';
import { editors, moderators } from '#server/access/roles.ts';
import type { Context } from '#server/http/context.ts';
import { findDocument } from '#server/storage/feed.ts';

import { findPerson } from '../users/store.ts';

/** The guide, if the viewer may see it. */
export async function findVisibleGuide(ctx: Context, guideid: number): Promise<GuideFacts | undefined> {
  const facts = await findDocument(ctx.db, 'guides', guideid);
  return facts !== undefined && can(ctx.viewer, 'guide.see', facts) ? facts : undefined;
}

/** The guide; 404 when it is missing or may not be seen, alike. */
export async function mustSeeGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await findVisibleGuide(ctx, guideid);
  if (facts === undefined) throw notFound('Guide');
  return facts;
}

/** The guide; 404 as above, 403 when it may be seen but not edited. */
export async function mustEditGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.edit', facts))
    throw forbidden('You may read this guide but not edit it', editors);
  return facts;
}

/** The guide; 404 as above, 403 when it may be seen but not deleted. */
export async function mustDeleteGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.delete', facts))
    throw forbidden('Only the author or a moderator deletes this guide', moderators);
  return facts;
}

/** 403 for whoever writes no guides. */
export function mustCreateGuide(ctx: Context): void {
  if (!can(ctx.viewer, 'guide.create', null)) throw forbidden('You may not create guides', editors);
}

/** Refuses another author than the guide has: 403 unless the caller may hand it over, 422 when there is no such person. */
export async function mustHandOver(
  ctx: Context,
  guide: { userid: number; isNew: boolean },
  author: number | undefined,
): Promise<void> {
  if (author === undefined || author === guide.userid) return;
  if (!can(ctx.viewer, 'guide.handOver', guide))
    throw forbidden('Only the author or an administrator hands a guide to another author', ['Admin']);
  if ((await findPerson(ctx.db, author)) === undefined) throw invalid('author', `There is no user ${author}`);
}

/** The guide; 404 as above, 403 when it may be seen but not tagged. */
export async function mustTagGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.tag', facts))
    throw forbidden('Only the author or a moderator tags this guide', moderators);
  return facts;
}
