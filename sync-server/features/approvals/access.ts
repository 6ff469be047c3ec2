import type { Viewer } from '#server/core/viewer.ts';

import { isSignedIn } from '#server/core/roles.ts';

/** The relation of a viewer to a request. */
interface RequestAccess {
  seesGuide: boolean;
  /** The viewer raised or signed the request. */
  tookPart: boolean;
  /** A stage names the viewer or one of their teams. */
  isNamed: boolean;
}

/**
 * Administrators manage processes. Only people named by a stage can sign; administrators are no exception.
 * Administrators who act as another person cannot sign, and neither can kiosks.
 */
export const approvalRules = {
  'approvalProcess.see': (viewer: Viewer, _process: null): boolean => isSignedIn(viewer),
  'approvalProcess.manage': (viewer: Viewer, _process: null): boolean => viewer.isAdmin,
  'approvalRequest.see': (viewer: Viewer, request: Pick<RequestAccess, 'seesGuide' | 'tookPart'>): boolean =>
    isSignedIn(viewer) && (viewer.isAdmin || request.seesGuide || request.tookPart),
  'approvalRequest.sign': (viewer: Viewer, request: Pick<RequestAccess, 'isNamed'>): boolean =>
    isSignedIn(viewer) && viewer.impersonator === undefined && request.isNamed,
};
