import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/features/can.ts';
import { editors, moderators } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';
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

/** The guide; 404 as above, 403 when it may be seen but who else sees it is for others to decide. */
export async function mustShareGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.share', facts))
    throw forbidden('Only the author or a moderator decides who sees this guide', moderators);
  return facts;
}

/** 403 when a body asks for another privacy than the guide has, and the caller may not decide it. */
export function mustDecidePrivacy(
  ctx: Context,
  guide: GuideFacts,
  { public: isPublic }: Readonly<Record<string, unknown>>,
): void {
  if (isPublic === undefined || isPublic === guide.public) return;
  if (!can(ctx.viewer, 'guide.share', guide))
    throw forbidden('Only the author or a moderator makes this guide public or private', moderators);
}

/** The guide; 404 as above, 403 when it may be seen but not deleted. */
export async function mustDeleteGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.delete', facts))
    throw forbidden('Only the author or a moderator deletes this guide', moderators);
  return facts;
}

/** 401 and 403 for whoever may not list guides that are not public. */
export function mustListPrivateGuides(ctx: Context): void {
  if (ctx.viewer.userid === 0) throw new Problem('unauthorized', 'Authentication required');
  if (!can(ctx.viewer, 'guide.listPrivate', null))
    throw forbidden('Only administrators list private guides', ['Admin']);
}

/** 403 for whoever writes no guides. */
export function mustCreateGuide(ctx: Context): void {
  if (!can(ctx.viewer, 'guide.create', null)) throw forbidden('You may not create guides', editors);
}

/** 403 when a body asks for another author than the guide has, and the caller may not hand it over. */
export function mustHandOver(
  ctx: Context,
  guide: { userid: number; isNew: boolean },
  { author }: Readonly<Record<string, unknown>>,
): void {
  if (author === undefined || author === guide.userid) return;
  if (!can(ctx.viewer, 'guide.handOver', guide))
    throw forbidden('Only the author or an administrator hands a guide to another author', ['Admin']);
}

/** 422 when there is no such person. */
export async function requireAuthor(ctx: Context, author: number | undefined): Promise<void> {
  if (author !== undefined && (await findPerson(ctx.db, author)) === undefined)
    throw invalid('author', `There is no user ${author}`);
}

/** The guide; 404 as above, 403 when it may be seen but not tagged. */
export async function mustTagGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.tag', facts))
    throw forbidden('Only the author or a moderator tags this guide', moderators);
  return facts;
}
