import { type Observable, combineLatest, map, of, switchMap } from 'rxjs';

import { callsOf } from '../features/records/overlay/applies.ts';
import { overlayEntry } from '../features/records/overlay/entry.ts';
import { leadOf } from '../features/records/lead.ts';
import { localEntries, orderViewMaker } from '../features/records/order-views.ts';
import type { Board, WorkOrder } from '../api/records.ts';
import { type Sources, realIdOf } from '../features/records/sources.ts';
import { sortWorkOrders } from '../features/records/work-order-view.ts';

/** The person's work orders, and those that they may take over. */
export function workOrders(sources: Sources): Observable<WorkOrder[]> {
  return combineLatest([sources.core.mirror.all('workLog'), sources.calls, orderViewMaker(sources)]).pipe(
    map(([records, calls, view]) => {
      const orders = localEntries(records, calls, sources).map(view);
      return sortWorkOrders(
        // A lead also sees orders of guides that they may not see, and cannot take those over.
        orders.filter(
          (order) => order.mine || order.frozen || (order.status === 'suspended' && order.guideTitle !== ''),
        ),
      );
    }),
  );
}

/** How long an ended order stays on the board, ms. */
const boardMs = 24 * 60 * 60_000;

/** The work orders that this person sees: open ones, and those that ended lately. */
export function board(sources: Sources): Observable<Board> {
  const { mirror, clock, environment } = sources.core;
  return combineLatest([
    mirror.all('workLog'),
    sources.calls,
    orderViewMaker(sources),
    sources.me,
    sources.people,
    sources.rows,
  ]).pipe(
    map(([records, calls, view, me, { teams }, rows]) => {
      const steps = new Map(rows.map((row) => [row.id, row.steps]));
      const since = environment.now() + clock.offset() - boardMs;
      const orders = localEntries(records, calls, sources)
        .map(view)
        .filter(({ endedAt }) => endedAt === null || endedAt > since)
        .map((order) => ({
          ...order,
          steps: steps.get(order.guideid) ?? 0,
          deviates:
            order.gaps.length > 0 ||
            Object.values(order.values).some(({ broken, isFailed }) => broken !== null || isFailed),
        }));
      const { isAdmin, leads } = leadOf(me, teams);
      return { isLead: isAdmin || leads.length > 0, orders: sortWorkOrders(orders) };
    }),
  );
}

/** One work order of any person; null if it is not on this device. */
export function workOrder(sources: Sources, entryid: string): Observable<WorkOrder | null> {
  return realIdOf(sources, entryid).pipe(
    switchMap((id) => {
      const record = id.startsWith('tmp:') ? of(null) : sources.core.mirror.one('workLog', id);
      return combineLatest([record, sources.calls, orderViewMaker(sources)]).pipe(
        map(([mirrored, calls, view]) => {
          const entry = overlayEntry(id, mirrored, callsOf(calls, 'workLog', id, sources.resolve));
          return entry === null ? null : view(entry);
        }),
      );
    }),
  );
}
