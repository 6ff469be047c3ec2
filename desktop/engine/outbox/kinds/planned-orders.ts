import { z } from 'zod';

import type { PlannedOrderFacts, Priority } from '#shared/model/planned-orders.ts';
import type { NamedRelease } from '#shared/model/release-facts.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type CallKindSpec, fieldsDetail, fieldsOf, joined } from './kind.ts';

/** What a planner says about an order. Exactly one of `userid` and `teamid` is not null. `due`: UNIX seconds. */
export interface PlannedFields {
  guideid: string;
  /** The release of the guide to work by; null: the guide as it is at the start. */
  release: NamedRelease | null;
  workorderid: string;
  userid: number | null;
  teamid: number | null;
  due: number | null;
  priority: Priority;
  serials: readonly string[];
  note: string;
  /** How it repeats (RFC 5545); null: it does not. */
  rrule: string | null;
}

/** What a planner says in an order of the server. */
export function plannedFieldsOf(facts: PlannedOrderFacts): PlannedFields {
  const {
    guideid,
    release = null,
    workorderid,
    userid,
    teamid,
    due,
    priority,
    serials,
    note,
    series,
  } = facts;
  const rrule = series?.rrule ?? null;
  return {
    guideid: String(guideid),
    release,
    workorderid,
    userid,
    teamid,
    due,
    priority,
    serials,
    note,
    rrule,
  };
}

/** The order on whose revision a call was made. `uid`: absent for an older server. */
interface PlannedBase {
  uid?: string;
  fields: PlannedFields;
}

/**
 * The fields that a call about a planned order sets: all when it creates one, those that change when it edits one. `base`:
 * only of calls that name the revision that they change.
 */
export type PlannedContext = Partial<PlannedFields> & { base?: PlannedBase };

/** The context of a call about a planned order; undefined for any other call. */
export function plannedContextOf({ kind, context }: OutboxCall): PlannedContext | undefined {
  return isPlan(kind) || kind === 'planned-edit' || kind === 'planned-withdraw'
    ? (context as PlannedContext)
    : undefined;
}

/** Whether a call plans a new order. */
export function isPlan(kind: OutboxCall['kind']): boolean {
  return kind === 'planned-create' || kind === 'planned-follow-up';
}

/** The deviation that a call plans a follow-up order of; undefined for any other call. */
export function followedBy({ kind, path }: Pick<OutboxCall, 'kind' | 'path'>): string | undefined {
  return kind === 'planned-follow-up' ? path.split('/')[2] : undefined;
}

/** Whether a call planned a follow-up order of a deviation that had one when it arrived. */
export function isSecondFollowUp({ kind, state, refusal }: OutboxCall): boolean {
  return kind === 'planned-follow-up' && state === 'parked' && refusal?.status === 409;
}

const planned = {
  activity: 'planned',
  context: z.looseObject({ guideid: z.string(), workorderid: z.string() }).partial(),
  hasOwnName: true,
  about: (call) => {
    const guideid = plannedContextOf(call)?.guideid;
    return guideid === undefined ? null : { collection: 'guides', id: guideid };
  },
  words: (call) => {
    const { workorderid, serials, note } = fieldsOf(call.body);
    return [workorderid, serials, note]
      .flat()
      .flatMap((value) => (typeof value === 'string' && value !== '' ? [{ place: {}, value }] : []));
  },
} as const satisfies Partial<CallKindSpec>;

/** The body of both calls. Whoever is named last is to do the work. */
function joinedBody(last: OutboxCall, incoming: OutboxCall): unknown {
  const { userid, teamid, ...earlier } = fieldsOf(last.body);
  const later = fieldsOf(incoming.body);
  const isReassigned = 'userid' in later || 'teamid' in later;
  const named = { ...(userid === undefined ? {} : { userid }), ...(teamid === undefined ? {} : { teamid }) };
  return { ...earlier, ...(isReassigned ? {} : named), ...later };
}

/**
 * Whether the order is not the one on which a call was made, although it has the same number and revision (OUTBOX-31): a
 * restored server gives both out again.
 */
function isMistaken(call: OutboxCall, facts: unknown): boolean {
  const base = plannedContextOf(call)?.base;
  const now = facts as PlannedOrderFacts;
  if (base === undefined || call.query['revisionid'] !== String(now.revisionid)) return false;
  const isOther = base.uid !== undefined && now.uid !== undefined && base.uid !== now.uid;
  return isOther || !sameValue(base.fields, plannedFieldsOf(now));
}

/** A change without the order that it changes. */
function withoutBase(call: OutboxCall): OutboxCall {
  const { base: _base, ...fields } = plannedContextOf(call) ?? {};
  return { ...call, subject: fields.workorderid ?? '', context: fields };
}

const withdrawn = z.looseObject({ status: z.literal('withdrawn') });

const second =
  'A follow-up order of this deviation was planned before yours arrived. Open the deviation to see it. Plan yours as an order of its own, or discard it.';

const tooLate =
  'This planned order changed before your change arrived: somebody started it, or another planner changed it. Open it and change it again, or discard this.';

/**
 * Calls that plan an order, change a planned order, or withdraw one.
 *
 * - PLANNED-7 Orders are planned, changed and withdrawn offline. A change that arrives too late is kept, with words that
 *   say why, until the planner changes the present order or discards it.
 * - FOLLOW-UP-4 A follow-up order is planned offline, and its deviation shows it at once. One that arrives second is kept, with
 *   words that say why, until its planner plans it as an order of its own or discards it; the deviation shows the first.
 */
export const plannedKinds = {
  'planned-create': { ...planned, creates: 'plannedOrders', detail: () => 'planned' },
  'planned-follow-up': {
    ...planned,
    creates: 'plannedOrders',
    detail: () => 'follow-up',
    conflict: () => ({ action: 'park', message: second }),
  },
  'planned-edit': {
    ...planned,
    detail: fieldsDetail,
    join: (last, incoming) => {
      if (!isPlan(last.kind) && last.kind !== 'planned-edit') return null;
      if (last.kind === 'planned-edit' && last.state === 'parked')
        return { put: [incoming], drop: [last.id], result: incoming };
      return joined(last, incoming, joinedBody(last, incoming));
    },
    isMistaken,
    stripRecord: withoutBase,
    conflict: () => ({ action: 'park', message: tooLate }),
  },
  'planned-withdraw': {
    ...planned,
    detail: () => 'withdrawn',
    join: (last, incoming, isNeeded) => {
      if (isPlan(last.kind)) return isNeeded ? null : { put: [], drop: [last.id], result: incoming };
      const call = last.state === 'parked' ? incoming : { ...incoming, query: last.query };
      return { put: [call], drop: [last.id], result: call };
    },
    isMistaken,
    stripRecord: withoutBase,
    conflict: (_call, theirs) =>
      withdrawn.safeParse(theirs).success ? { action: 'drop' } : { action: 'park', message: tooLate },
  },
} satisfies Record<string, CallKindSpec>;
