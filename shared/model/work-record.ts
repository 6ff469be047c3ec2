import { z } from 'zod';

import { deviationFacts } from './deviations.ts';
import { followedDeviation } from './planned-orders.ts';
import { namedPerson } from './record-seal.ts';
import { recordSignature } from './record-signature.ts';
import { workedRevision } from './revision.ts';
import { recordedConfirmation } from './second-person.ts';
import { entryEventType, entryStatus, workDataValue } from './work-log.ts';

/** A time on the server's clock: ISO 8601 in UTC with milliseconds. */
const time = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-03T06:00:00.000Z'] });

/**
 * The record of a work order: what was done, by which revision of the guide, by whom and when. It follows from the events of
 * the order alone, so that server and devices make the same record. Durations are in seconds. Its hash is the SHA-256 of
 * its canonical JSON (RFC 8785). Deviations are not part of it, because they are decided after the end.
 */
export const workRecord = z.strictObject({
  format: z.literal('benchbook-work-record'),
  version: z.literal(1),
  entryid: z.int(),
  workorderid: z.string(),
  guideid: z.int(),
  guide_title: z.string(),
  /** Serial or lot numbers of what was worked on. */
  serials: z.array(z.string()).optional(),
  status: entryStatus,
  started: time,
  ended: time.nullable(),
  duration: z.int(),
  active_duration: z.int(),
  pause_duration: z.int(),
  /** A device's clock was wrong, and times were corrected. */
  time_adjusted: z.boolean(),
  people: z.array(namedPerson),
  /** By which revisions it was worked, oldest first. */
  revisions: z.array(
    z.strictObject({
      decision: z.enum(['start', 'switch', 'keep']),
      ...workedRevision.shape,
      userid: z.int(),
      at: time,
    }),
  ),
  /** The start, pauses, hand-overs and the end, oldest first. */
  history: z.array(
    z.strictObject({ type: entryEventType, userid: z.int(), at: time, note: z.string().optional() }),
  ),
  /** Working time at each step, for each person. */
  step_times: z.array(z.strictObject({ stepid: z.int(), userid: z.int(), duration: z.int() })),
  /**
   * The last value of each field, as it was recorded. `files`: the guids of its pictures, in order. `confirmed`: by the second
   * person, before the end.
   */
  values: z.array(
    z.strictObject({
      ...workDataValue.shape,
      out_of_limits: z.boolean().optional(),
      files: z.array(z.string()).optional(),
      confirmed: recordedConfirmation.optional(),
      userid: z.int(),
      at: time,
    }),
  ),
  /** Required fields that had no value at the end. */
  missing: z.array(
    z.strictObject({
      label: z.string(),
      stepid: z.int(),
      field_guid: z.string(),
      reason: z.string().nullable(),
    }),
  ),
});
export type WorkRecord = z.infer<typeof workRecord>;

/**
 * A record as a file. `sha256`: the hash that the server stored at the end of the order, in hex; null: the order is open, or
 * the server does not have its end yet. `confirmations`: of second persons after the end, which are not part of the record.
 * `signatures`: of people; `applies` says whether the record still is what they signed. `deviations`: as they were when the
 * file was made, with their follow-up orders. `follows`: the deviation that the order follows up, if the reader sees its
 * planned order.
 */
export const workRecordFile = z
  .strictObject({
    record: workRecord,
    sha256: z.string().nullable(),
    confirmations: z.array(
      recordedConfirmation.extend({ label: z.string(), stepid: z.int(), value: z.string() }),
    ),
    signatures: z.array(recordSignature.extend({ applies: z.boolean() })),
    deviations: z.array(deviationFacts.omit({ uid: true, key: true, images: true })),
    follows: followedDeviation.optional(),
  })
  .meta({ id: 'WorkRecordFile' });
export type WorkRecordFile = z.infer<typeof workRecordFile>;
