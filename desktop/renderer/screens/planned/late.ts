import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';

/** Whether a planned order is past its due time and not done. `now`: ms since 1970. */
export function isLate({ due, status }: PlannedOrderView, now: number): boolean {
  return due !== null && due < now && (status === 'open' || status === 'started');
}

/** The planned orders to show first on the board: late ones, and those that nobody has started. */
export function isAwaited(planned: PlannedOrderView, now: number): boolean {
  return planned.status === 'open' || isLate(planned, now);
}
