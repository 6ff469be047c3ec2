import { z } from 'zod';

import { recordUid } from './record-uid.ts';
import { namedRelease } from './release-facts.ts';
import { countedRevision } from './revision.ts';

export const priorities = ['low', 'normal', 'high'] as const;
export const priority = z.enum(priorities);
export type Priority = z.infer<typeof priority>;

/** `started` and `done`: an entry of the work log fulfils it. `withdrawn`: nobody is to start it any more. */
export const plannedStatuses = ['open', 'started', 'done', 'withdrawn'] as const;
export const plannedStatus = z.enum(plannedStatuses);
export type PlannedStatus = z.infer<typeof plannedStatus>;

/** The deviation that a follow-up order comes from, as it was when the order was raised (FOLLOW-UP-3). */
export const followedDeviation = z.strictObject({
  deviationid: z.int(),
  entryid: z.int(),
  /** The number of the order in which it was reported. */
  workorderid: z.string(),
  title: z.string(),
});
export type FollowedDeviation = z.infer<typeof followedDeviation>;

/** `worked`: the revision by which an order was started. `present`: the one that it was to be worked by. */
export const earlierRevision = z.strictObject({ worked: countedRevision, present: countedRevision });
export type EarlierRevision = z.infer<typeof earlierRevision>;

/**
 * A planned order as facts (feed collection `plannedOrders`): work that a person, a team or a station (the account of a
 * kiosk) is to do. Exactly one of `userid` and `teamid` is not null. Times are UNIX seconds.
 */
export const plannedOrderFacts = z.strictObject({
  planned_orderid: z.int(),
  uid: recordUid,
  key: z.string().optional(),
  revisionid: z.int(),
  guideid: z.int(),
  /** The release of the guide to work by; absent: the guide as it is at the start. */
  release: namedRelease.optional(),
  /** The number of the work order that is to be started. */
  workorderid: z.string(),
  userid: z.int().nullable(),
  teamid: z.int().nullable(),
  /** The team, or the teams of the person. Their leads see and change the planned order. */
  teamids: z.array(z.int()),
  /** When the work must be done; null: at any time. */
  due: z.int().nullable(),
  priority,
  /** Serial or lot numbers of the parts. */
  serials: z.array(z.string()),
  note: z.string(),
  status: plannedStatus,
  planned_by: z.int(),
  planned_date: z.int(),
  /** The entry that fulfils it: the first whose start arrived. */
  entryid: z.int().nullable(),
  /** Everybody who held that entry, in the order in which they did. */
  holders: z.array(z.int()),
  /**
   * Entries of their own: their starts named this planned order, and arrived when it was not open. `reassigned`: it had been
   * given to somebody else. `other_guide`: it had been changed to another guide than the one that was worked by.
   */
  others: z.array(
    z.strictObject({
      entryid: z.int(),
      userid: z.int(),
      reassigned: z.literal(true).optional(),
      other_guide: z.literal(true).optional(),
    }),
  ),
  /** The entry that fulfils it was started by another revision than the order asked for when the start arrived. */
  earlier_revision: earlierRevision.optional(),
  /** Who was to do it before it was given to others; absent: nobody. */
  formerly: z.array(z.strictObject({ userid: z.int().nullable(), teamid: z.int().nullable() })).optional(),
  /** Of an order that repeats. `rrule`: RFC 5545; `occurrence`: the time for which the rule made it, UNIX seconds. */
  series: z.strictObject({ seriesid: z.int(), rrule: z.string(), occurrence: z.int() }).optional(),
  /** Of a follow-up order. */
  follows: followedDeviation.optional(),
});
export type PlannedOrderFacts = z.infer<typeof plannedOrderFacts>;

/** A planned order in the API. */
export const plannedOrder = plannedOrderFacts
  .omit({ uid: true, key: true, formerly: true })
  .meta({ id: 'PlannedOrder' });
export type PlannedOrder = z.infer<typeof plannedOrder>;
