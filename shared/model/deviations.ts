import { z } from 'zod';

import { imageObject, imageRef } from './image.ts';
import { plannedStatus } from './planned-orders.ts';
import { recordUid } from './record-uid.ts';
import { workDataValue } from './work-log.ts';

/** What happens to the part: `use-as-is` releases it as it is. */
export const dispositions = ['use-as-is', 'rework', 'scrap', 'return'] as const;
export const disposition = z.enum(dispositions);
export type Disposition = z.infer<typeof disposition>;

/** What was measured, and where. `stepid` 0: at no step. `form_revisionid`: of the form with the limits. */
const measured = { stepid: z.int(), value: workDataValue.optional(), form_revisionid: z.int().optional() };

const decision = z.strictObject({
  disposition,
  reason: z.string(),
  userid: z.int(),
  /** UNIX seconds. */
  date: z.int(),
});
export type DeviationDecision = z.infer<typeof decision>;

/** The follow-up order of a deviation, and its state. */
const followUp = z.strictObject({
  planned_orderid: z.int(),
  /** The number of the work order that is to be started. */
  workorderid: z.string(),
  status: plannedStatus,
});

/**
 * A deviation as facts (feed collection `deviations`): something in a work order that is not as it must be, and what a
 * lead decided about it. `decisions`: oldest first; the last one counts. `date`: of the report, UNIX seconds. `follow_up`:
 * the order that was raised from it last; it changes without a new `revisionid`.
 */
export const deviationFacts = z.strictObject({
  deviationid: z.int(),
  uid: recordUid,
  key: z.string().optional(),
  revisionid: z.int(),
  entryid: z.int(),
  workorderid: z.string(),
  guideid: z.int(),
  userid: z.int(),
  date: z.int(),
  title: z.string(),
  note: z.string(),
  ...measured,
  images: z.array(imageRef),
  /** The station at which it was reported: the userid of its account. */
  stationid: z.int().optional(),
  decisions: z.array(decision),
  follow_up: followUp.optional(),
});
export type DeviationFacts = z.infer<typeof deviationFacts>;

/** A deviation in the API. `decision`: the one that counts; null while it is open. */
export const deviation = deviationFacts
  .omit({ uid: true, key: true, images: true })
  .extend({ images: z.array(imageObject), decision: decision.nullable() })
  .meta({ id: 'Deviation' });
export type Deviation = z.infer<typeof deviation>;
