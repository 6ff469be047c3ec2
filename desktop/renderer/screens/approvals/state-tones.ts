import type { GuideApprovalView } from '#desktop/engine/api/approval-records.ts';
import type { Tone } from '#desktop/renderer/ui/badge.tsx';

/** How the state of an approval looks. */
export const stateTones: Record<GuideApprovalView['state'], Tone> = {
  unapproved: 'warn',
  pending: 'accent',
  approved: 'ok',
  rejected: 'danger',
  void: 'warn',
};
