import { z } from 'zod';

import { disposition } from './deviations.ts';
import { plannedStatus } from './planned-orders.ts';
import { namedPerson } from './record-seal.ts';
import { recordUid } from './record-uid.ts';
import { entryStatus, workDataValue } from './work-log.ts';

/** A time on the server's clock: ISO 8601 in UTC with milliseconds. */
const time = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-03T06:00:00.000Z'] });

const order = { entryid: z.int(), workorderid: z.string() };

/**
 * What a team did in a span of time, as the server computed it once: it never changes. People are named as they were named
 * then. Durations are in seconds. The state of orders and deviations is that at the end of the span, or at `computed` if that
 * was earlier; of planned orders, which have no history, that at `computed`. Work that arrived at the server later is not in
 * it.
 */
export const shiftSummary = z.strictObject({
  format: z.literal('benchbook-shift-summary'),
  version: z.literal(1),
  team: z.strictObject({ teamid: z.int(), name: z.string() }),
  from: time,
  to: time,
  computed: time,
  made_by: namedPerson,
  /** In the words of the lead, for the next shift. */
  note: z.string(),
  /** Everyone who appears in it. */
  people: z.array(namedPerson),
  /** Orders that were open in the span, by their start. */
  orders: z.array(
    z.strictObject({
      ...order,
      guideid: z.int(),
      /** Null: not everyone may see the guide. */
      guide_title: z.string().nullable(),
      status: entryStatus,
      /** Who held it at the end. */
      userid: z.int(),
      started: time,
      ended: time.nullable(),
      /** Working time in the span. */
      duration: z.int(),
      /** Of a suspended order: for the next person. */
      handover: z.string().nullable(),
    }),
  ),
  /** Values recorded in the span that are out of limits or failed; of each field of an order the last one. */
  values: z.array(
    z.strictObject({
      ...order,
      ...workDataValue.pick({
        label: true,
        stepid: true,
        value: true,
        limits: true,
        unit: true,
        reason: true,
      }).shape,
      userid: z.int(),
      at: time,
    }),
  ),
  deviations: z.strictObject({
    /** How many were reported and decided in the span, and were open at its end. */
    raised: z.int(),
    decided: z.int(),
    open: z.int(),
    /** Those, open ones first, then by number; of those that were only open, the latest 200. */
    list: z.array(
      z.strictObject({
        deviationid: z.int(),
        ...order,
        title: z.string(),
        userid: z.int(),
        reported: time,
        /** The decision that counted; null: it was open. */
        decision: z.strictObject({ disposition, reason: z.string(), userid: z.int(), at: time }).nullable(),
      }),
    ),
  }),
  /** Working time in the span, and the number of orders on which it was spent, by person. */
  times: z.array(z.strictObject({ userid: z.int(), duration: z.int(), orders: z.int() })),
  planned: z.strictObject({
    /** How many nobody had started, and how many were past their due time and not done. */
    open: z.int(),
    late: z.int(),
    /** Those, by due time; at most 200. */
    list: z.array(
      z.strictObject({
        planned_orderid: z.int(),
        workorderid: z.string(),
        guideid: z.int(),
        userid: z.int().nullable(),
        status: plannedStatus,
        due: time.nullable(),
        late: z.boolean(),
      }),
    ),
  }),
});
export type ShiftSummary = z.infer<typeof shiftSummary>;

/**
 * A shift summary as facts (feed collection `shiftSummaries`). `sha256`: of the canonical JSON of the summary (RFC 8785), in
 * hex.
 */
export const shiftSummaryFacts = z.strictObject({
  shift_summaryid: z.int(),
  uid: recordUid,
  key: z.string().optional(),
  teamid: z.int(),
  sha256: z.string(),
  summary: shiftSummary,
});
export type ShiftSummaryFacts = z.infer<typeof shiftSummaryFacts>;

/** A shift summary in the API. */
export const shiftSummaryRecord = shiftSummaryFacts
  .omit({ uid: true, key: true })
  .meta({ id: 'ShiftSummary' });
export type ShiftSummaryRecord = z.infer<typeof shiftSummaryRecord>;

/** A shift summary in a list: what it is about, and the note. Times are UNIX seconds. */
export const shiftSummaryHead = z
  .strictObject({
    shift_summaryid: z.int(),
    teamid: z.int(),
    from: z.int(),
    to: z.int(),
    computed: z.int(),
    userid: z.int(),
    note: z.string(),
    sha256: z.string(),
  })
  .meta({ id: 'ShiftSummaryHead' });
export type ShiftSummaryHead = z.infer<typeof shiftSummaryHead>;
