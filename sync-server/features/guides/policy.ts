import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/features/can.ts';
import { editors, moderators } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, findStored } from '#server/storage/feed.ts';

import { findPerson } from '../users/store.ts';

/**
 * The guide, if the viewer may see it.
 *
 * - GUIDE-PRIVATE-1 In every list, private guides cannot be told from missing ones.
 * - GUIDE-PRIVATE-2 Guides that refer to a private guide show neither its title, steps and date nor its existence.
 * - GUIDE-PRIVATE-3 To people who may not see it, a private guide answers 404 to every call, and they cannot make it a
 *   prerequisite.
 */
export async function findVisibleGuide(ctx: Context, guideid: number): Promise<GuideFacts | undefined> {
  const facts = await readGuide(ctx, guideid);
  return facts !== undefined && can(ctx.viewer, 'guide.see', facts) ? facts : undefined;
}

/** The guide that a read asked for last: its gate and its handler ask for the same one. */
const readBefore = new WeakMap<Context, GuideFacts>();

async function readGuide(ctx: Context, guideid: number): Promise<GuideFacts | undefined> {
  if (ctx.db !== ctx.services.storage.reader) return findStored(ctx, 'guides', guideid);
  const known = readBefore.get(ctx);
  if (known?.guideid === guideid) return known;
  const facts = await findDocument(ctx.db, 'guides', guideid);
  if (facts !== undefined) readBefore.set(ctx, facts);
  return facts;
}

/** The guide; throws the same 404 if it does not exist or may not be seen. */
export async function mustSeeGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await findVisibleGuide(ctx, guideid);
  if (facts === undefined) throw notFound('Guide');
  return facts;
}

/** The guide; throws 404 as above, 403 if it may be seen but not edited. */
export async function mustEditGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.edit', facts))
    throw forbidden('You may read this guide but not edit it', editors);
  return facts;
}

/** The guide; throws 404 as above, 403 if the caller may see it but not decide who else may. */
export async function mustShareGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.share', facts))
    throw forbidden('Only the author or a moderator decides who sees this guide', moderators);
  return facts;
}

/** Throws 403 if a body changes the privacy of the guide and the caller may not. */
export function mustDecidePrivacy(
  ctx: Context,
  guide: GuideFacts,
  { public: isPublic }: Readonly<Record<string, unknown>>,
): void {
  if (isPublic === undefined || isPublic === guide.public) return;
  if (!can(ctx.viewer, 'guide.share', guide))
    throw forbidden('Only the author or a moderator makes this guide public or private', moderators);
}

/** The guide; throws 404 as above, 403 if it may be seen but not deleted. */
export async function mustDeleteGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.delete', facts))
    throw forbidden('Only the author or a moderator deletes this guide', moderators);
  return facts;
}

/** Throws 401 or 403 unless the caller may list private guides. */
export function mustListPrivateGuides(ctx: Context): void {
  if (ctx.viewer.userid === 0) throw new Problem('unauthorized', 'Authentication required');
  if (!can(ctx.viewer, 'guide.listPrivate', null))
    throw forbidden('Only administrators list private guides', ['Admin']);
}

/** Throws 403 unless the caller may create guides. */
export function mustCreateGuide(ctx: Context): void {
  if (!can(ctx.viewer, 'guide.create', null)) throw forbidden('You may not create guides', editors);
}

/**
 * Throws 403 if a body changes the author of the guide and the caller may not.
 *
 * - GUIDE-LIMIT-7 Whoever creates a guide may name another author, who must exist, as authors may for their guides.
 */
export function mustHandOver(
  ctx: Context,
  guide: { userid: number },
  { author }: Readonly<Record<string, unknown>>,
): void {
  if (author === undefined || author === guide.userid) return;
  if (!can(ctx.viewer, 'guide.handOver', guide))
    throw forbidden('Only the author or an administrator hands a guide to another author', ['Admin']);
}

/** Throws 422 if the author does not exist. */
export async function requireAuthor(ctx: Context, author: number | undefined): Promise<void> {
  if (author !== undefined && (await findPerson(ctx.db, author)) === undefined)
    throw invalid('author', `There is no user ${author}`);
}

/** The guide; throws 404 as above, 403 if it may be seen but not tagged. */
export async function mustTagGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!can(ctx.viewer, 'guide.tag', facts))
    throw forbidden('Only the author or a moderator tags this guide', moderators);
  return facts;
}
