import { z } from 'zod';

import { imageObject, imageRef } from './image.ts';
import { recordUid } from './record-uid.ts';
import { namedRelease } from './release-facts.ts';
import { recordSeal } from './record-seal.ts';
import { recordSignature } from './record-signature.ts';
import { confirmation, proofMethod, secondPerson, secondPersonState } from './second-person.ts';
import { revisionDecision } from './revision.ts';
import { fieldType } from './step-form.ts';

/**
 * The states of an entry. The names are ours, since the spec names none; `started` and `complete` also occur on live
 * servers.
 */
export const entryStatuses = ['started', 'paused', 'suspended', 'complete', 'cancelled'] as const;
export const entryStatus = z.enum(entryStatuses);
export type EntryStatus = z.infer<typeof entryStatus>;

export const entryEventTypes = [
  'start',
  'step',
  'pause',
  'resume',
  'suspend',
  'assume',
  'data',
  'finish',
  'cancel',
] as const;
export const entryEventType = z.enum(entryEventTypes);
export type EntryEventType = z.infer<typeof entryEventType>;

/** The range of a `Date`, and 30 years. Larger readings are invalid, and sums of them would be inexact. */
const maxClockMs = 8.64e15;
const maxMonotonicMs = 1e12;

/**
 * The time of an event as the device measured it. `at`: wall clock, ms since 1970. `mono`: monotonic reading in ms
 * within page session `session`. `offset`: estimated server clock minus device clock in ms.
 */
export const moment = z.strictObject({
  at: z.number().min(-maxClockMs).max(maxClockMs).optional(),
  mono: z.number().min(0).max(maxMonotonicMs).optional(),
  session: z.string().max(64).optional(),
  offset: z.number().min(-maxClockMs).max(maxClockMs).optional(),
  stepid: z.int().optional(),
});
export type Moment = z.infer<typeof moment>;

/** Limits of a number in the form revision that it was recorded with; null: none on this side. */
export const valueLimits = z.strictObject({ min: z.number().nullable(), max: z.number().nullable() });
export type ValueLimits = z.infer<typeof valueLimits>;

/**
 * One value in the API: always a string; a checkbox is '1' or '0'; a media field holds the media id. `limits`: only of
 * numbers whose field has limits. `unit`: only of numbers whose field has a unit. `computed`: the
 * value follows from others, and nobody entered it. `failed`: the check failed, or the text does not match the pattern of
 * its field; `reason`: why it failed. `more_photos`: ids of the pictures after the first one. `second_person`: only of fields
 * that ask for one.
 */
export const workDataValue = z.strictObject({
  field_revisionid: z.int(),
  field_guid: z.string(),
  field_type: fieldType,
  label: z.string(),
  stepid: z.int(),
  value: z.string(),
  limits: valueLimits.optional(),
  unit: z.string().optional(),
  computed: z.boolean().optional(),
  failed: z.boolean().optional(),
  reason: z.string().optional(),
  more_photos: z.array(z.string()).optional(),
  second_person: secondPerson.optional(),
});
export type WorkDataValue = z.infer<typeof workDataValue>;

/**
 * A required field without a value when the work was finished. `reason`: why, in the words of the person; null: no reason
 * was given.
 */
export const entryGap = z.strictObject({
  field_revisionid: z.int(),
  field_guid: z.string(),
  label: z.string(),
  stepid: z.int(),
  reason: z.string().nullable(),
});
export type EntryGap = z.infer<typeof entryGap>;

/** One stored event of an entry. `at`: its time on the server's clock in ms, as `appendEvent` determined it. */
export const entryEvent = z.strictObject({
  type: entryEventType,
  userid: z.int(),
  at: z.number(),
  mono: z.number().optional(),
  session: z.string().optional(),
  /** Whether the device's clock was wrong or the time had to be clamped. */
  adjusted: z.boolean().optional(),
  stepid: z.int().optional(),
  data: z.array(workDataValue).optional(),
  /** Only of `finish`. */
  gaps: z.array(entryGap).optional(),
  /** Only of `suspend`: for the next person. */
  note: z.string().optional(),
  /** The station at which it was recorded: the userid of its account. */
  stationid: z.int().optional(),
});
export type EntryEvent = z.infer<typeof entryEvent>;

/** An entry as facts (feed collection `workLog`): its events, from which `foldEntry` computes everything else. */
export const entryFacts = z.strictObject({
  entryid: z.int(),
  uid: recordUid,
  key: z.string().optional(),
  guideid: z.int(),
  workorderid: z.string(),
  guide_revisionid: z.int(),
  max_form_revisionid: z.int(),
  handoffid: z.int().nullable(),
  /** The teams of everyone who held the entry, at the time when they took it. Their leads see the entry. */
  teamids: z.array(z.int()).optional(),
  /** The planned order that the start named. It says whether this entry fulfils it, or is one of its own. */
  planned_orderid: z.int().optional(),
  /** Serial or lot numbers of what is worked on (TRACE-1). Absent if there are none. */
  serials: z.array(z.string()).optional(),
  /** The release that the planned order named, if the work began by it. */
  release: namedRelease.optional(),
  /** By which revisions it was worked, oldest first; absent in entries stored before this was recorded. */
  revisions: z.array(revisionDecision).optional(),
  /** The seal of its record, since it ended. */
  record: recordSeal.optional(),
  /** The signatures of its record, oldest first. */
  signatures: z.array(recordSignature).optional(),
  /** What second persons confirmed, oldest first. */
  confirmations: z.array(confirmation).optional(),
  events: z.array(entryEvent),
  /** Media that values refer to, by media id. */
  images: z.array(imageRef),
});
export type EntryFacts = z.infer<typeof entryFacts>;

/** A video as a value: its URLs by format in lower case, and the sizes of its poster image. */
const workVideo = z.strictObject({
  type: z.literal('GuideVideoObject'),
  videoid: z.int(),
  srcid: z.int().nullable(),
  guid: z.string(),
  active: z.boolean(),
  imageid: z.int().nullable(),
  video_urls: z.record(z.string(), z.string()),
  ...imageObject.omit({ id: true, guid: true, original: true }).shape,
  original: imageObject.shape.original.optional(),
});
export type WorkVideo = z.infer<typeof workVideo>;

/**
 * A value of `work_data` in the API (as on live servers). Extension: a number whose field has limits has `limits`, and
 * `out_of_limits` says whether it breaks one; `unit` is the unit of the field, and `computed` says
 * that the value follows from others. `failed`: it is not what its field asks for; `reason`: why. `more_photos` are the ids
 * of further pictures, and `more_photos_src` their addresses. `second_person`: who the person is, and whether the server
 * verified it; `at` and `method` only if it did.
 */
export const workData = z.strictObject({
  label: z.string(),
  value: z.string(),
  field_revisionid: z.int(),
  stepid: z.int(),
  step_number: z.int().nullable(),
  field_type: fieldType,
  image_src: imageObject.optional(),
  document_src: z.string().optional(),
  video_src: z.string().optional(),
  video_data: workVideo.optional(),
  limits: valueLimits.optional(),
  out_of_limits: z.boolean().optional(),
  unit: z.string().optional(),
  computed: z.boolean().optional(),
  failed: z.boolean().optional(),
  reason: z.string().optional(),
  more_photos: z.array(z.string()).optional(),
  more_photos_src: z.array(imageObject).optional(),
  second_person: z
    .strictObject({
      state: secondPersonState,
      name: z.string(),
      userid: z.int().nullable(),
      at: z.int().nullable(),
      method: proofMethod.nullable(),
    })
    .optional(),
});

/** A decision about the revision of an entry in the API, with flat names and UNIX seconds. */
const entryRevision = revisionDecision.omit({ counted: true, at: true }).extend({
  revision_number: z.int().optional(),
  revision_date: z.int().optional(),
  at: z.int(),
});

/**
 * A work log entry in the API (spec, "Work log entry"; other fields as live servers send them). Extension: a complete
 * entry has `gaps`, and `has_deviations` says whether it has gaps or values out of limits. `deviations`: how many were reported. `handover`: the note of the last
 * suspension, its author, and when it was written (UNIX seconds). `planned_orderid`: the planned order that the start named.
 * `serials`: the serial or lot numbers of what is worked on. `release`: the release that the planned order named, if the work began by it. `revisions`: the revisions of the guide by which it was worked, oldest first; `guide_revisionid` is the one in force.
 * `stations`: the stations at which it was recorded (userids).
 */
export const workLogEntry = z
  .strictObject({
    entryid: z.int(),
    guideid: z.int(),
    userid: z.int(),
    workorderid: z.string(),
    starttime: z.int(),
    endtime: z.int().nullable(),
    timingid: z.int().nullable(),
    duration: z.int(),
    active_duration: z.int(),
    status: entryStatus,
    cancelled: z.int(),
    handoffid: z.int().nullable(),
    guide_revisionid: z.int(),
    max_form_revisionid: z.int(),
    work_data: z.array(workData),
    signoffs: z.array(z.never()),
    pause_duration: z.int(),
    active_stepid: z.int().nullable(),
    step_durations: z.array(z.strictObject({ stepid: z.int(), duration: z.int() })),
    time_adjusted: z.boolean(),
    gaps: z.array(entryGap).optional(),
    has_deviations: z.boolean().optional(),
    deviations: z.int().optional(),
    handover: z.strictObject({ note: z.string(), userid: z.int(), at: z.int() }).optional(),
    planned_orderid: z.int().optional(),
    serials: z.array(z.string()).optional(),
    release: namedRelease.optional(),
    revisions: z.array(entryRevision).optional(),
    stations: z.array(z.int()).optional(),
  })
  .meta({ id: 'WorkLogEntry' });
export type WorkLogEntry = z.infer<typeof workLogEntry>;
