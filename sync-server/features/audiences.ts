import type { ApprovalStage } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { openRequest } from '#shared/rules/approvals.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

/** The part of a guide that determines who may see and edit it. */
export type GuideAccess = Pick<
  GuideFacts,
  'public' | 'userid' | 'allowed_users' | 'allowed_teams' | 'approval'
>;

/**
 * The audience of a guide: everyone if it is public, or else its author, people and teams with whom it is shared, the
 * signers of an open request, and administrators.
 */
export function guideAudience(guide: GuideAccess): Principal[] {
  if (guide.public) return ['public'];
  const stages = openRequest(guide)?.stages ?? [];
  const userids = [guide.userid, ...(guide.allowed_users ?? []), ...stages.flatMap((one) => one.userids)];
  const teamids = [...(guide.allowed_teams ?? []), ...stages.flatMap((one) => one.teamids)];
  return [
    'admin',
    ...userids.map((userid): Principal => `user:${userid}`),
    ...teamids.map((teamid): Principal => `team:${teamid}`),
  ];
}

/** The audience of an open approval request: its requester, the people and teams in its stages, and administrators. */
export function requestAudience(userid: number, stages: readonly ApprovalStage[]): Principal[] {
  return [
    'admin',
    `user:${userid}`,
    ...stages.flatMap((one) => one.userids).map((named): Principal => `user:${named}`),
    ...stages.flatMap((one) => one.teamids).map((teamid): Principal => `team:${teamid}`),
  ];
}

/** The audience of a wiki: everyone who may read the site. */
export function wikiAudience(): Principal[] {
  return ['public'];
}

/** Whether the viewer belongs to an audience. */
export function isAmong(viewer: Viewer, audience: readonly Principal[]): boolean {
  return audience.some((principal) => viewer.principals.includes(principal));
}
