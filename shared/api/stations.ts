import { z } from 'zod';

import {
  station,
  stationAccess,
  stationArrival,
  stationBadge,
  stationDetail,
  stationSelf,
  stationSettings,
} from '#shared/model/station.ts';
import { user } from '#shared/model/user.ts';
import { badgeNumberLimit, stationPinLength } from '#shared/rules/stations.ts';

import { del, get, idText, limit, offset, order, patch, post, put } from './endpoint.ts';
import { proof, proofFields } from './users.ts';

const tag = {
  name: 'Stations',
  description: 'Kiosks on the shop floor, and how people sign in there (extension)',
};
const ours = { tag, extension: true } as const;

const stationId = z.strictObject({ stationid: idText });
const stationPerson = z.strictObject({ stationid: idText, userid: idText });
const userId = z.strictObject({ userid: idText });

const name = z.string().trim().min(1).max(100);
const place = z.string().trim().max(200);
const teams = z.array(z.int().positive()).max(100);
/** Named settings change; the others stay, or are those of a new station. */
const settings = z.strictObject({
  idle_seconds: stationSettings.shape.idle_seconds.unwrap(),
  sign_in: stationSettings.shape.sign_in.unwrap(),
  notice: stationSettings.shape.notice.unwrap(),
  categories: stationSettings.shape.categories.unwrap(),
  tags: stationSettings.shape.tags.unwrap(),
});

/** Body of POST /stations. `people`: added by name, besides those of the teams. */
export const newStation = z.strictObject({
  name,
  place: place.optional(),
  teams: teams.optional(),
  people: z.array(z.int().positive()).max(500).optional(),
  settings: settings.partial().optional(),
  ...proof,
});
export type NewStation = z.output<typeof newStation>;

/** Body of PATCH /stations/{stationid}: only the named fields change; `teams` replaces all. */
export const stationEdit = z.strictObject({
  name: name.optional(),
  place: place.optional(),
  teams: teams.optional(),
  settings: settings.partial().optional(),
});
export type StationEdit = z.output<typeof stationEdit>;

const code = z.string().meta({
  description: 'What a person types on the device, within 15 minutes; only in the first answer',
  examples: ['7Q4XM-R2KD9'],
});

const exitCode = z.string().meta({
  description:
    'Ends station mode on the device, without a network too. Only this answer has it; the device learns of it at its next contact, and earlier ones end',
  examples: ['48021375'],
});

/** Body of POST /stations/enroll. `code`: as typed. `device`: the device's name for itself. */
export const enrolment = z.strictObject({
  code: z.string().min(1).max(50),
  device: z.string().trim().max(100).optional(),
  app_version: z.string().trim().max(50).optional(),
});

/** The answer to an enrolment. It cannot be read again. */
const enrolled = z
  .strictObject({
    /** The station's token. Earlier ones of the station have ended. */
    authToken: z.string(),
    /** The station's account, as `GET /user` shows it: with `accountid` and `serverid`. */
    account: user,
    station: stationSelf,
    /**
     * The secret by which the station checks verifiers: 32 bytes in base64. It is made anew by each enrolment. The device
     * keeps it sealed, and nobody can read it again.
     */
    secret: z.string(),
  })
  .meta({ id: 'EnrolledStation' });

/**
 * Body of POST /stations/self/report. `oldest`: seconds since the oldest waiting change was recorded. `failed_tries`:
 * wrong badges and PINs since the enrolment.
 */
export const stationReport = z.strictObject({
  app_version: z.string().trim().max(50),
  device: z.string().trim().max(100).optional(),
  waiting: z.int().min(0).max(1_000_000_000),
  oldest: z.int().min(0).max(1_000_000_000).nullable().optional(),
  failed_tries: z.int().min(0).max(1_000_000_000).optional(),
});

const badge = z.strictObject({
  userid: z.int().positive(),
  /** As a reader gives it. Compared in the form of `badgeNumber`; only keyed hashes are stored. */
  number: z.string().min(1).max(badgeNumberLimit),
  label: z.string().trim().max(100).optional(),
});

const pin = z
  .string()
  .regex(
    new RegExp(`^[0-9]{${stationPinLength.min},${stationPinLength.max}}$`),
    `Use ${stationPinLength.min} to ${stationPinLength.max} digits`,
  )
  .meta({ examples: ['480213'] });

/**
 * Stations (extension). Administrators see all stations, leads those that a team of theirs is at. `/stations/self` is for
 * the station's own token.
 */
export const stations = {
  list: get('/stations', {
    ...ours,
    summary: 'List stations with their last contact and what waits on them',
    query: z.object({ order, limit, offset }),
    result: z.array(station),
  }),
  create: post('/stations', {
    ...ours,
    summary: 'Make a station, with a code by which its device enrols',
    access: 'admin',
    status: 201,
    body: newStation,
    proofs: proofFields,
    result: stationDetail.extend({ enrolment_code: code.optional(), exit_code: exitCode.optional() }),
    refuses: [400, 403],
    transaction: 'handler',
  }),
  enroll: post('/stations/enroll', {
    ...ours,
    summary: 'Enrol this device as the station that a code belongs to',
    access: 'public',
    status: 201,
    body: enrolment,
    result: enrolled,
    unstored: true,
    transaction: 'handler',
  }),
  self: get('/stations/self', {
    ...ours,
    summary: 'Read what this station needs to let its people sign in, also without a network',
    result: stationSelf,
    unstored: true,
    refuses: [403],
  }),
  report: post('/stations/self/report', {
    ...ours,
    summary: 'Say which version this station runs and what waits on it',
    status: 204,
    body: stationReport,
    refuses: [400, 403],
  }),
  read: get('/stations/{stationid}', {
    ...ours,
    summary: 'Read a station with its people',
    params: stationId,
    result: stationDetail,
  }),
  patch: patch('/stations/{stationid}', {
    ...ours,
    summary: 'Change name, place, teams and settings of a station',
    params: stationId,
    body: stationEdit,
    result: stationDetail,
    tagged: stationDetail,
  }),
  code: post('/stations/{stationid}/code', {
    ...ours,
    summary: 'Make a new enrolment code for a station; earlier ones end',
    params: stationId,
    body: z.strictObject(proof),
    proofs: proofFields,
    result: z.strictObject({
      enrolment_code: code,
      code_expires_date: z.int(),
      exit_code: exitCode.optional(),
    }),
    unstored: true,
    transaction: 'handler',
  }),
  revoke: post('/stations/{stationid}/revoke', {
    ...ours,
    summary: 'Shut the device of a station out at once',
    params: stationId,
    result: stationDetail,
  }),
  addPerson: put('/stations/{stationid}/people/{userid}', {
    ...ours,
    summary: 'Add a person to a station by name',
    params: stationPerson,
    result: stationDetail,
  }),
  removePerson: del('/stations/{stationid}/people/{userid}', {
    ...ours,
    summary: 'Remove a person who was added to a station by name',
    params: stationPerson,
    result: stationDetail,
  }),
  acceptFormer: post('/stations/{stationid}/former_members/{userid}/accept', {
    ...ours,
    summary: 'Accept what a former member recorded at a station until now and the station still holds',
    params: stationPerson,
    result: stationDetail,
  }),
  refuseFormer: post('/stations/{stationid}/former_members/{userid}/refuse', {
    ...ours,
    summary: 'Refuse what a station still holds in the name of a former member',
    params: stationPerson,
    result: stationDetail,
  }),
  arrivals: get('/stations/{stationid}/arrivals', {
    ...ours,
    summary: 'List what arrived from a station in the name of its people, newest first',
    access: 'admin',
    params: stationId,
    query: z.object({
      limit,
      offset,
      since: z.coerce
        .number()
        .int()
        .optional()
        .meta({ description: 'Only what arrived at this UNIX time or later' }),
      userid: idText.optional(),
    }),
    result: z.array(stationArrival),
    refuses: [403, 404],
  }),
};

/** Badges and PINs (extension): for administrators, leads of a person's teams, and the person. */
export const stationBadges = {
  access: get('/users/{userid}/station_access', {
    ...ours,
    summary: 'Read how a person signs in at stations',
    params: userId,
    result: stationAccess,
    refuses: [403, 404],
  }),
  setPin: put('/users/{userid}/station_pin', {
    ...ours,
    summary: 'Set the PIN by which a person signs in at stations; proves the identity of the caller',
    status: 204,
    params: userId,
    body: z.strictObject({ pin, ...proof }),
    proofs: proofFields,
    guessable: true,
    transaction: 'handler',
  }),
  removePin: del('/users/{userid}/station_pin', {
    ...ours,
    summary: 'Remove the PIN by which a person signs in at stations',
    status: 204,
    params: userId,
  }),
  issue: post('/station_badges', {
    ...ours,
    summary:
      'Issue badges to people, who are members of a team of the caller; proves the identity of the caller',
    status: 201,
    body: z.strictObject({ badges: z.array(badge).min(1).max(50), ...proof }),
    proofs: proofFields,
    guessable: true,
    result: z.array(stationBadge),
    refuses: [400, 403, 404],
    transaction: 'handler',
  }),
  revoke: post('/station_badges/{station_badgeid}/revoke', {
    ...ours,
    summary: 'Revoke a badge; stations learn of it at their next contact',
    params: z.strictObject({ station_badgeid: idText }),
    result: stationBadge,
  }),
};
