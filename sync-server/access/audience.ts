import type { GuideFacts } from '#shared/model/guide.ts';
import type { Viewer } from '#server/http/context.ts';
import type { Principal } from '#server/storage/feed.ts';

/** As much of a guide as decides who may see and edit it. */
export type GuideAccess = Pick<GuideFacts, 'public' | 'userid' | 'allowed_users' | 'allowed_teams'>;

/** Who may see a guide: everybody when public, else its author, whom it is shared with, and the administrators. */
export function guideAudience(guide: GuideAccess): Principal[] {
  if (guide.public) return ['public'];
  return [
    'admin',
    `user:${guide.userid}`,
    ...(guide.allowed_users ?? []).map((userid): Principal => `user:${userid}`),
    ...(guide.allowed_teams ?? []).map((teamid): Principal => `team:${teamid}`),
  ];
}

/** Who may see a wiki: whoever may read the site. */
export function wikiAudience(): Principal[] {
  return ['public'];
}

/** Whether the viewer belongs to an audience. */
export function isAmong(viewer: Viewer, audience: readonly Principal[]): boolean {
  return audience.some((principal) => viewer.principals.includes(principal));
}
