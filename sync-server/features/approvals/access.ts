import type { Viewer } from '#server/core/viewer.ts';

import { isSignedIn } from '#server/core/roles.ts';

/** How somebody stands to a request: its guide, its stages and what was signed. */
interface RequestAccess {
  seesGuide: boolean;
  /** They asked for it, or signed it. */
  tookPart: boolean;
  /** A stage names them, by themselves or by a team. */
  isNamed: boolean;
}

/**
 * Approvals: administrators make processes; who is named by a stage signs, administrators included only if they are
 * named. Nobody signs as somebody else: not an administrator who acts as a person, not the account of a kiosk.
 */
export const approvalRules = {
  'approvalProcess.see': (viewer: Viewer, _process: null): boolean => isSignedIn(viewer),
  'approvalProcess.manage': (viewer: Viewer, _process: null): boolean => viewer.isAdmin,
  'approvalRequest.see': (viewer: Viewer, request: Pick<RequestAccess, 'seesGuide' | 'tookPart'>): boolean =>
    isSignedIn(viewer) && (viewer.isAdmin || request.seesGuide || request.tookPart),
  'approvalRequest.sign': (viewer: Viewer, request: Pick<RequestAccess, 'isNamed'>): boolean =>
    isSignedIn(viewer) && viewer.impersonator === undefined && request.isNamed,
};
