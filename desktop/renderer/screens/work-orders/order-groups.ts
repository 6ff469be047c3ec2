import type { WorkOrder } from '#desktop/engine/api/records.ts';

/** The groups of work orders on lists and on the board, in order. */
export const orderGroups = ['running', 'paused', 'suspended', 'ended'] as const;
export type OrderGroup = (typeof orderGroups)[number];

export function groupOf({ status }: Pick<WorkOrder, 'status'>): OrderGroup {
  switch (status) {
    case 'started':
      return 'running';
    case 'paused':
    case 'suspended':
      return status;
    case 'complete':
    case 'cancelled':
      return 'ended';
    default:
      return status satisfies never;
  }
}

/** The address of the step at which the order is; of its guide, if it is at none. */
export function placeOfOrder({ guideid, activeStepid }: Pick<WorkOrder, 'guideid' | 'activeStepid'>): string {
  return `/guides/${guideid}${activeStepid === null ? '' : `#s${encodeURIComponent(activeStepid)}`}`;
}
