import { forbidden, notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context, Viewer } from '#server/http/context.ts';
import { findDocument, type Principal } from '#server/storage/feed.ts';

/** Privileges that let a person edit guides of others. */
const editors = ['Author', 'Moderator', 'Admin'];

/** Who may see a guide: everybody when public, else its author and the administrators. */
export function guideAudience(facts: Pick<GuideFacts, 'public' | 'userid'>): Principal[] {
  return facts.public ? ['public'] : ['admin', `user:${facts.userid}`];
}

export function canSee(viewer: Viewer, facts: Pick<GuideFacts, 'public' | 'userid'>): boolean {
  return guideAudience(facts).some((principal) => viewer.principals.includes(principal));
}

/** Authors of the site edit what they see; everybody edits their own guides. */
export function canEdit(viewer: Viewer, facts: Pick<GuideFacts, 'public' | 'userid'>): boolean {
  if (viewer.userid === 0 || !canSee(viewer, facts)) return false;
  return facts.userid === viewer.userid || viewer.privileges.some((one) => editors.includes(one));
}

/** The author, moderators and administrators (API facts 5: sole contributor or privileged). */
export function canDelete(viewer: Viewer, facts: Pick<GuideFacts, 'public' | 'userid'>): boolean {
  if (viewer.userid === 0 || !canSee(viewer, facts)) return false;
  return facts.userid === viewer.userid || viewer.isAdmin || viewer.privileges.includes('Moderator');
}

/** The guide, if the viewer may see it. */
export async function findVisibleGuide(ctx: Context, guideid: number): Promise<GuideFacts | undefined> {
  const facts = await findDocument(ctx.db, 'guides', guideid);
  return facts !== undefined && canSee(ctx.viewer, facts) ? facts : undefined;
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
  if (!canEdit(ctx.viewer, facts)) throw forbidden('You may read this guide but not edit it', editors);
  return facts;
}

/** The guide; 404 as above, 403 when it may be seen but not deleted. */
export async function mustDeleteGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await mustSeeGuide(ctx, guideid);
  if (!canDelete(ctx.viewer, facts))
    throw forbidden('Only the author or a moderator deletes this guide', ['Moderator', 'Admin']);
  return facts;
}
