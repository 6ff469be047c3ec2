import { z } from 'zod';

import { deviation } from '#shared/model/deviations.ts';
import { plannedOrder, plannedStatus, priority } from '#shared/model/planned-orders.ts';

import { get, idText, limit, offset, order, patch, post } from './endpoint.ts';
import { serials, workorderid } from './work-log.ts';

const tag = {
  name: 'Planned orders',
  description:
    'Work that people, teams and stations are to do; entries of the work log fulfil it (extension)',
};

const plannedOrderId = z.strictObject({ planned_orderid: idText });
const deviationId = z.strictObject({ deviationid: idText });

/** Filters of GET /work_orders. `userid`, `teamid`: who is to do the work. */
export const plannedOrderFilter = z.object({
  offset,
  limit,
  order,
  guideid: idText.optional(),
  userid: idText.optional(),
  teamid: idText.optional(),
  workorderid: z.string().optional(),
  deviationid: idText.optional().meta({ description: 'Only the follow-up orders of this deviation' }),
  status: plannedStatus.optional().meta({ description: 'Only those in this state' }),
});
export type PlannedOrderFilter = z.output<typeof plannedOrderFilter>;

/** Maximum length of a note, in characters. */
export const plannedNoteLimit = 4000;

/** How long ago the first order of a series may be due, days. */
export const oldestSeriesDays = 90;

const id = z.int().positive();
/** UNIX seconds up to the year 9999. */
const due = z.int().min(0).max(253_402_300_799).nullable();
const note = z.string().trim().max(plannedNoteLimit);

/**
 * Body of POST /work_orders. Either `userid` or `teamid` says who is to do the work; a station is the account of its
 * kiosk. Default: no due time, normal priority. `rrule`: how the order repeats after its due time (a recurrence rule of
 * RFC 5545, at most daily), in the time zone of the site. `releaseid`: the release of the guide to work by; null or
 * absent: the guide as it is at the start.
 */
export const newPlannedOrder = z
  .strictObject({
    guideid: id,
    releaseid: id.nullable().optional(),
    workorderid,
    userid: id.optional(),
    teamid: id.optional(),
    due: due.optional(),
    priority: priority.optional(),
    serials: serials.optional(),
    note: note.optional(),
    rrule: z.string().trim().min(1).max(200).optional(),
  })
  .meta({
    examples: [
      { guideid: 61, workorderid: 'WO-88', userid: 7, priority: 'normal', note: 'The belt is in shelf 4.' },
    ],
  });
export type NewPlannedOrder = z.output<typeof newPlannedOrder>;

/**
 * Body of POST follow_up. Default: the guide of the deviation, and the serial or lot numbers of its work order.
 */
export const newFollowUp = newPlannedOrder.omit({ rrule: true }).partial({ guideid: true });
export type NewFollowUp = z.output<typeof newFollowUp>;

/**
 * Body of PATCH: what changes. A `userid` replaces the team, and the other way round. Another guide, or a `releaseid` of
 * null, removes the release.
 */
export const plannedOrderEdit = newPlannedOrder.omit({ rrule: true }).partial();
export type PlannedOrderEdit = z.output<typeof plannedOrderEdit>;

/** Body of POST withdraw. `following`: also the open orders of its series that follow it, and the series ends. */
export const plannedWithdrawal = z.strictObject({ following: z.boolean().optional() });

export const plannedOrders = {
  list: get('/work_orders', {
    tag,
    extension: true,
    lasts: 'until-written',
    summary: 'List planned orders',
    query: plannedOrderFilter,
    result: z.array(plannedOrder),
  }),
  read: get('/work_orders/{planned_orderid}', {
    tag,
    extension: true,
    lasts: 'until-written',
    summary: 'Read a planned order',
    params: plannedOrderId,
    result: plannedOrder,
  }),
  create: post('/work_orders', {
    tag,
    extension: true,
    summary: 'Plan an order',
    status: 201,
    body: newPlannedOrder,
    result: plannedOrder,
    refuses: [400, 403, 404],
    offline: 'planned-create',
  }),
  followUp: post('/deviations/{deviationid}/follow_up', {
    tag,
    extension: true,
    summary: 'Plan a follow-up order of a deviation that has none',
    status: 201,
    params: deviationId,
    body: newFollowUp,
    result: plannedOrder,
    conflict: deviation,
    offline: 'planned-follow-up',
  }),
  edit: patch('/work_orders/{planned_orderid}', {
    tag,
    extension: true,
    summary: 'Change a planned order that nobody has started',
    params: plannedOrderId,
    body: plannedOrderEdit,
    result: plannedOrder,
    revisioned: plannedOrder,
    offline: 'planned-edit',
  }),
  withdraw: post('/work_orders/{planned_orderid}/withdraw', {
    tag,
    extension: true,
    summary: 'Withdraw a planned order that nobody has started',
    params: plannedOrderId,
    body: plannedWithdrawal,
    result: plannedOrder,
    revisioned: plannedOrder,
    offline: 'planned-withdraw',
  }),
};
