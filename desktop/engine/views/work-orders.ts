import { type Observable, combineLatest, map, of, switchMap } from 'rxjs';

import type { GuideRow, Mirrored, OutboxCall } from '../platform/ports.ts';
import { entryContextOf } from '../outbox/kinds/work-orders.ts';
import { callsOf } from '../features/records/overlay/applies.ts';
import { type LocalEntry, overlayEntry } from '../features/records/overlay/entry.ts';
import { leadOf } from '../features/records/lead.ts';
import { guideSaveOf } from '../outbox/kinds/guides.ts';
import type { Board, WorkOrder } from '../api/records.ts';
import { type Me, type Sources, realIdOf } from '../features/records/sources.ts';
import { sortWorkOrders, workOrderView } from '../features/records/work-order-view.ts';

/** The person's work orders, and those that they may take over. */
export function workOrders(sources: Sources): Observable<WorkOrder[]> {
  return combineLatest([sources.core.mirror.all('workLog'), sources.calls, viewMaker(sources)]).pipe(
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
    viewMaker(sources),
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
      return combineLatest([record, sources.calls, viewMaker(sources)]).pipe(
        map(([mirrored, calls, view]) => {
          const entry = overlayEntry(id, mirrored, callsOf(calls, 'workLog', id, sources.resolve));
          return entry === null ? null : view(entry);
        }),
      );
    }),
  );
}

/** The mirror's work orders with waiting calls on top, and work orders that exist in calls only. */
export function localEntries(
  records: readonly Mirrored<'workLog'>[],
  calls: readonly OutboxCall[],
  { resolve }: Sources,
): LocalEntry[] {
  const byEntry = new Map<string, OutboxCall[]>(records.map((record) => [record.id, []]));
  for (const call of calls) {
    if (entryContextOf(call) === undefined) continue;
    const id = resolve(call.target.id);
    const own = byEntry.get(id);
    if (own === undefined) byEntry.set(id, [call]);
    else own.push(call);
  }
  const mirrored = new Map(records.map((record) => [record.id, record]));
  return [...byEntry].flatMap(([id, own]) => overlayEntry(id, mirrored.get(id) ?? null, own) ?? []);
}

/** A function that makes the view of a work order. */
function viewMaker(sources: Sources): Observable<(entry: LocalEntry) => WorkOrder> {
  return combineLatest([sources.me, sources.names, sources.rows, sources.calls]).pipe(
    map(([me, names, rows, calls]) => {
      const guides = guideNames(rows, calls, sources);
      return (entry: LocalEntry): WorkOrder => oneView(entry, me, names, guides, sources);
    }),
  );
}

type GuideName = { title: string; imageGuid: string | null };

function guideNames(
  rows: readonly GuideRow[],
  calls: readonly OutboxCall[],
  { resolve }: Sources,
): Map<string, GuideName> {
  const guides = new Map<string, GuideName>();
  for (const call of calls) {
    const content = call.kind === 'guide-create' ? guideSaveOf(call)?.content : undefined;
    if (content === undefined) continue;
    guides.set(resolve(call.target.id), { title: content.title, imageGuid: content.image?.guid ?? null });
  }
  for (const { id, title, imageGuid } of rows)
    guides.set(id, { title, imageGuid: imageGuid === '' ? null : imageGuid });
  return guides;
}

function oneView(
  entry: LocalEntry,
  me: Me,
  names: ReadonlyMap<number, string>,
  guides: ReadonlyMap<string, GuideName>,
  { core, resolve }: Sources,
): WorkOrder {
  const guideid = resolve(entry.guideid);
  const guide = guides.get(guideid);
  return workOrderView(
    { ...entry, guideid },
    {
      me: me.userid,
      offset: core.clock.offset(),
      guideTitle: guide?.title ?? '',
      imageGuid: guide?.imageGuid ?? null,
      nameOf: (userid) => names.get(userid) ?? '',
    },
  );
}
