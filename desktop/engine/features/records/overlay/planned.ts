import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';

import {
  followedBy,
  isPlan,
  isSecondFollowUp,
  plannedContextOf,
  plannedFieldsOf,
  type PlannedContext,
  type PlannedFields,
} from '#desktop/engine/outbox/kinds/planned-orders.ts';
import { entryContextOf } from '#desktop/engine/outbox/kinds/work-orders.ts';
import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';

import { applies, type ResolveId } from './applies.ts';

/** A planned order as this device knows it. */
export interface LocalPlanned
  extends PlannedFields, Pick<PlannedOrderFacts, 'uid' | 'status' | 'teamids' | 'revisionid'> {
  id: string;
  /** Of the record in the mirror; null: it exists in calls only. */
  seq: number | null;
  plannedBy: number;
  entryid: string | null;
  startedBy: number | null;
  others: readonly { entryid: string; userid: number; isReassigned: boolean; isOtherGuide: boolean }[];
  earlier_revision?: PlannedOrderFacts['earlier_revision'];
  series?: PlannedOrderFacts['series'];
  /** The deviation that it follows up. */
  deviationid: string | null;
  /** What the server says of that; undefined: the order is not on the server yet, or follows none. */
  follows?: PlannedOrderFacts['follows'];
  isPending: boolean;
}

/** The mirror's planned orders with waiting calls on top, and those that exist in calls only. */
export function localPlanned(
  records: readonly Mirrored<'plannedOrders'>[],
  calls: readonly OutboxCall[],
  resolve: ResolveId,
): LocalPlanned[] {
  const known = new Map(records.map((record) => [record.id, ofMirror(record)]));
  for (const call of calls) {
    const context = plannedContextOf(call);
    if (context === undefined) overlayWork(known, call, resolve);
    else overlayPlan(known, call, context, resolve);
  }
  return [...known.values()];
}

function ofMirror({ id, seq, facts }: Mirrored<'plannedOrders'>): LocalPlanned {
  const { planned_by, entryid, holders, others, follows } = facts;
  return {
    ...facts,
    ...plannedFieldsOf(facts),
    id,
    seq,
    plannedBy: planned_by,
    entryid: entryid === null ? null : String(entryid),
    startedBy: holders[0] ?? null,
    others: others.map(({ entryid: other, userid, reassigned = false, other_guide = false }) => ({
      entryid: String(other),
      userid,
      isReassigned: reassigned,
      isOtherGuide: other_guide,
    })),
    deviationid: follows === undefined ? null : String(follows.deviationid),
    isPending: false,
  };
}

/** A call of a planner. A follow-up order that arrived second is shown among the refused changes only. */
function overlayPlan(
  known: Map<string, LocalPlanned>,
  call: OutboxCall,
  { base: _base, ...fields }: PlannedContext,
  resolve: ResolveId,
): void {
  if (isSecondFollowUp(call)) return;
  const id = resolve(call.target.id);
  const planned = known.get(id) ?? (isPlan(call.kind) ? ofCall(id, call, resolve) : undefined);
  if (planned === undefined || !applies(call, planned.seq) || isOfAnother(call, planned)) return;
  const status = call.kind === 'planned-withdraw' ? 'withdrawn' : planned.status;
  known.set(id, { ...planned, ...fields, status, isPending: true });
}

/** Whether a call is about another order that had this number, before the server was restored (OUTBOX-34). */
function isOfAnother({ record }: OutboxCall, { uid }: LocalPlanned): boolean {
  return record?.uid !== undefined && uid !== undefined && record.uid !== uid;
}

function ofCall(id: string, call: OutboxCall, resolve: ResolveId): LocalPlanned {
  const deviationid = followedBy(call);
  return {
    id,
    seq: null,
    revisionid: 0,
    guideid: '',
    release: null,
    workorderid: '',
    userid: null,
    teamid: null,
    teamids: [],
    due: null,
    priority: 'normal',
    serials: [],
    note: '',
    rrule: null,
    status: 'open',
    plannedBy: call.userid,
    entryid: null,
    startedBy: null,
    others: [],
    deviationid: deviationid === undefined ? null : resolve(deviationid),
    isPending: true,
  };
}

/** A call of a worker: a start that names a planned order, or a move of the work order that fulfils one. */
function overlayWork(known: Map<string, LocalPlanned>, call: OutboxCall, resolve: ResolveId): void {
  const about = entryContextOf(call);
  if (about === undefined) return;
  const entryid = resolve(call.target.id);
  if (call.kind === 'entry-create') {
    const planned = known.get(resolve(about.planned_orderid ?? ''));
    if (planned?.status !== 'open' || !applies(call, planned.seq)) return;
    known.set(planned.id, {
      ...planned,
      status: 'started',
      entryid,
      startedBy: call.userid,
      isPending: true,
    });
    return;
  }
  const planned = [...known.values()].find((one) => one.entryid !== null && resolve(one.entryid) === entryid);
  if (planned === undefined || !applies(call, planned.seq)) return;
  if (about.move === 'finish') known.set(planned.id, { ...planned, status: 'done', isPending: true });
  if (about.move === 'cancel') {
    const { earlier_revision: _earlier, ...rest } = planned;
    known.set(planned.id, { ...rest, status: 'open', entryid: null, startedBy: null, isPending: true });
  }
}
