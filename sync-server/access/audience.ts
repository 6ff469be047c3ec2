import type { GuideFacts } from '#shared/model/guide.ts';
import type { Viewer } from '#server/http/context.ts';
import type { Principal } from '#server/storage/feed.ts';

/** As much of a guide as decides who may see and edit it. */
export type GuideAccess = Pick<GuideFacts, 'public' | 'userid'>;

/** Who may see a guide: everybody when public, else its author and the administrators. */
export function guideAudience(guide: GuideAccess): Principal[] {
  return guide.public ? ['public'] : ['admin', `user:${guide.userid}`];
}

/** Who may see a wiki: whoever may read the site. */
export function wikiAudience(): Principal[] {
  return ['public'];
}

/** Whether the viewer belongs to an audience. */
export function isAmong(viewer: Viewer, audience: readonly Principal[]): boolean {
  return audience.some((principal) => viewer.principals.includes(principal));
}
