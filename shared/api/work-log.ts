import { z } from 'zod';

import { recordMeaning } from '#shared/model/record-signature.ts';
import { entryStatus, moment, workLogEntry } from '#shared/model/work-log.ts';
import { workRecordFile } from '#shared/model/work-record.ts';

import { del, get, idText, limit, offset, order, post, put, querySwitch, unixSeconds } from './endpoint.ts';
import { proof, proofFields } from './users.ts';

const seconds = z.coerce.number().pipe(unixSeconds);

const entryId = z.strictObject({ entryid: idText });
const guideId = z.strictObject({ guideid: idText });

/**
 * Filters of GET /work_log (as on live servers). Extension: the team of somebody who held the entry, its state, whether it
 * deviates, and when it was started.
 *
 * - ORDER-LIST-1 A list shows the entries that match all filters, among those that the caller may see. An entry deviates if
 *   a deviation was reported in it, or it was finished without a required value.
 */
export const entryFilter = z.object({
  offset,
  limit,
  order,
  guideid: idText.optional(),
  userid: idText.optional(),
  workorderid: z.string().optional(),
  teamid: idText.optional().meta({ description: 'Only entries that a member of this team held' }),
  status: entryStatus.optional(),
  deviating: querySwitch.meta({ description: 'true: only entries with deviations or missing values' }),
  from: seconds.optional().meta({ description: 'Only entries started from this UNIX time on' }),
  until: seconds.optional().meta({ description: 'Only entries started before this UNIX time' }),
});
export type EntryFilter = z.output<typeof entryFilter>;

/** A page of entries, wrapped as live servers wrap it (not in the spec). */
export const entryPage = z.strictObject({
  results: z.array(workLogEntry),
  offset: z.int(),
  limit: z.int(),
  totalResults: z.int(),
  moreResults: z.boolean(),
});

/** Work order numbers are texts; a number is converted to its digits. */
export const workorderid = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().trim().min(1).max(255));

/** Maximum length of a serial or lot number, in characters; maximum number of those of one order. */
export const serialLimit = 100;
export const serialsLimit = 500;

/** Serial or lot numbers. Surrounding spaces are removed; inner ones count. */
export const serials = z.array(z.string().trim().min(1).max(serialLimit)).max(serialsLimit);

/**
 * Body of POST /work_log (not in the spec; live servers take guideid and workorderid in the body or query). Extension:
 * `guide_revisionid`, any guide_revisionid or revisionid that the guide ever had, is the version that the worker saw;
 * the fields of a moment are the time of the start; `planned_orderid`: the planned order that the entry fulfils, if its
 * start is the first to arrive; `planned_occurrence`: which order of a series that is, since a restored server makes it
 * again under another number; `serials`: serial or lot numbers of what is worked on, by default those of the planned
 * order. `join_code` is accepted and ignored.
 */
export const newEntry = z.strictObject({
  guideid: z.int().positive().optional(),
  workorderid: workorderid.optional(),
  guide_revisionid: z.int().positive().optional(),
  join_code: z.string().optional(),
  planned_orderid: z.int().positive().optional(),
  planned_occurrence: z.strictObject({ seriesid: z.int().positive(), occurrence: z.int() }).optional(),
  serials: serials.optional(),
  ...moment.shape,
});
export type NewEntry = z.output<typeof newEntry>;

/**
 * Query of POST /work_log. Extension: `form_revisionid`, the highest form revision of the guide's own steps that the worker
 * saw, and `unsaved`, whether they worked by changes of their own that the server did not have yet. They are in the query
 * because servers that do not know them ignore them there.
 */
const newEntryQuery = z.object({
  guideid: idText.optional(),
  workorderid: workorderid.optional(),
  form_revisionid: z.coerce.number().int().min(0).optional(),
  unsaved: querySwitch,
});

/** Maximum length of a reason, in characters. */
export const reasonLimit = 1000;

/**
 * Body of POST finish. Extension: `gaps`, why required fields have no value. The entry keeps each gap, also without a
 * reason; reasons of fields that have a value are ignored.
 */
export const finishBody = moment.extend({
  gaps: z
    .array(z.strictObject({ field_revisionid: z.int(), reason: z.string().trim().min(1).max(reasonLimit) }))
    .max(1000)
    .optional(),
});
export type FinishBody = z.output<typeof finishBody>;

/** Body of POST suspend. Extension: `note`, what the next person should know. */
export const suspendBody = moment.extend({ note: z.string().trim().max(2000).optional() });
export type SuspendBody = z.output<typeof suspendBody>;

/**
 * Body of every move (not in the spec; live clients send `{}`). Extension: the time of the move as the device measured
 * it.
 */
const move = {
  params: entryId,
  body: moment,
  result: workLogEntry,
  conflict: workLogEntry,
  offline: 'entry-move',
  recorded: true,
} as const;

/** The most photos of one field. */
export const mostPhotos = 20;

/**
 * What a value has besides its text: why a check failed, further pictures of an Image field, and the userid of the second
 * person that it names.
 */
const fieldDetails = z.strictObject({
  reason: z.string().trim().max(reasonLimit).optional(),
  more_photos: z
    .array(z.union([z.string(), z.int()]))
    .max(mostPhotos)
    .optional(),
  second_person: z.int().positive().optional(),
});

/**
 * Body of PUT stepData (not in the spec; as live clients send it): values by field_revisionid. `lasttimingid`: the
 * timing segment that the caller knows; 409 if it is not the current one. Extension: `details` of values in `fields`, by
 * field_revisionid.
 */
export const stepData = z.strictObject({
  fields: z.record(z.string().regex(/^\d+$/), z.union([z.string(), z.number(), z.boolean()])),
  details: z.record(z.string().regex(/^\d+$/), fieldDetails).optional(),
  lasttimingid: z.int().nullable().optional(),
  ...moment.shape,
});
export type StepData = z.output<typeof stepData>;

/**
 * Body of POST revision (extension). `switch`: the work goes on by the named revision; `keep`: the person saw it and goes on
 * by the one before. `form_revisionid`: the highest form revision of the guide's own steps that they saw; absent: the
 * present one.
 */
export const revisionBody = moment.omit({ stepid: true }).extend({
  decision: z.enum(['switch', 'keep']),
  guide_revisionid: z.int().positive(),
  form_revisionid: z.int().min(0).optional(),
});
export type RevisionBody = z.output<typeof revisionBody>;

/** The SHA-256 of a text, in hex. */
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The field that asks for a second person. `values_sha256`: the values of its step that the person saw; 409 if it has others. */
const asked = { field_revisionid: z.int(), values_sha256: sha256.optional() };

/** What proves that the caller is the person of the session. */
const ownProof = {
  ...proof,
  current_password: proof.current_password.meta({
    description: 'The current password of the caller, needed unless there is a `sign_on_token`',
  }),
};

/** Body of POST confirm (extension). 422 for `current_password` without a proof. */
const confirmBody = z.strictObject({ ...asked, ...ownProof });
export type ConfirmBody = z.output<typeof confirmBody>;

/** Body of POST confirm/{userid} (extension). `password`: of that person. */
const confirmHereBody = z.strictObject({ ...asked, password: z.string().min(1).max(1000) });
export type ConfirmHereBody = z.output<typeof confirmHereBody>;

/**
 * Body of POST sign (extension). `record_sha256`: the hash of the record that the person saw; 409 if another one is stored.
 * 422 for `current_password` without a proof.
 */
const signRecordBody = z.strictObject({
  meaning: recordMeaning,
  comment: z.string().trim().max(2000).default(''),
  record_sha256: sha256.optional(),
  ...ownProof,
});
export type SignRecordBody = z.output<typeof signRecordBody>;

export const workLog = {
  list: get('/work_log', {
    lasts: 'one-second',
    summary: 'List work log entries',
    query: entryFilter,
    result: entryPage,
  }),
  read: get('/work_log/{entryid}', {
    lasts: 'one-second',
    summary: 'Read an entry',
    params: entryId,
    result: workLogEntry,
  }),
  record: get('/work_log/{entryid}/record', {
    summary: 'Read the record of an entry, with the hash that was stored at its end',
    params: entryId,
    result: workRecordFile,
    extension: true,
  }),
  create: post('/work_log', {
    summary: 'Start an entry',
    status: 201,
    query: newEntryQuery,
    body: newEntry,
    result: workLogEntry,
    refuses: [400, 404],
    offline: 'entry-create',
    recorded: true,
  }),
  finish: post('/work_log/{entryid}/finish', { summary: 'Finish an entry', ...move, body: finishBody }),
  cancel: post('/work_log/{entryid}/cancel', { summary: 'Cancel an entry', ...move }),
  pause: post('/work_log/{entryid}/pause', { summary: 'Pause an entry', ...move }),
  resume: post('/work_log/{entryid}/resume', { summary: 'Resume a paused entry', ...move }),
  suspend: post('/work_log/{entryid}/suspend', {
    summary: 'Suspend an entry, so that another may assume it',
    ...move,
    body: suspendBody,
  }),
  assume: post('/work_log/{entryid}/assume', { summary: 'Take over a suspended entry', ...move }),
  step: put('/work_log/{entryid}/step', {
    summary: 'Record the step that the worker is at',
    params: entryId,
    body: moment.extend({ stepid: z.int().positive() }),
    result: workLogEntry,
    conflict: workLogEntry,
    offline: 'entry-move',
    recorded: true,
    extension: true,
  }),
  stepData: put('/work_log/{entryid}/stepData', {
    summary: 'Save step form values',
    params: entryId,
    body: stepData,
    result: workLogEntry,
    conflict: workLogEntry,
    offline: 'entry-data',
    recorded: true,
  }),
  revision: post('/work_log/{entryid}/revision', {
    summary: 'Decide by which revision of the guide an entry goes on',
    params: entryId,
    body: revisionBody,
    result: workLogEntry,
    conflict: workLogEntry,
    offline: 'entry-revision',
    recorded: true,
    extension: true,
  }),
  confirm: post('/work_log/{entryid}/confirm', {
    summary: 'Confirm the values of a step as its second person',
    params: entryId,
    body: confirmBody,
    proofs: proofFields,
    result: workLogEntry,
    conflict: workLogEntry,
    transaction: 'handler',
    extension: true,
  }),
  confirmHere: post('/work_log/{entryid}/confirm/{userid}', {
    summary:
      'Have a colleague confirm the values of a step with their password, in the session of the caller',
    params: entryId.extend({ userid: idText }),
    body: confirmHereBody,
    proofs: ['password'],
    recorded: true,
    result: workLogEntry,
    conflict: workLogEntry,
    transaction: 'handler',
    extension: true,
  }),
  sign: post('/work_log/{entryid}/sign', {
    summary: 'Sign the record of an entry that ended',
    params: entryId,
    body: signRecordBody,
    proofs: proofFields,
    result: workRecordFile,
    conflict: workRecordFile,
    transaction: 'handler',
    extension: true,
  }),
  remove: del('/work_log/{entryid}', {
    summary: 'Delete an entry and its data',
    status: 204,
    params: entryId,
    tagged: workLogEntry,
  }),
  suspended: get('/work_log/{guideid}/suspended', {
    summary: 'List the suspended entries of a guide',
    params: guideId,
    result: z.array(workLogEntry),
  }),
};
