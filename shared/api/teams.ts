import { z } from 'zod';

import { courseAssignment } from '#shared/model/course.ts';
import { team, teamAttribute } from '#shared/model/team.ts';
import { userSummary } from '#shared/model/user.ts';

import { del, get, idText, order, patch, post, put } from './endpoint.ts';
import { problemBody } from './problem-body.ts';

const teamId = z.strictObject({ teamid: idText });
const member = z.strictObject({ teamid: idText, userid: idText });

/** A join code admits anyone who knows it to the team, so it must not be guessable. Codes are compared exactly. */
const joinCode = z.string().min(8).max(100);

const fields = {
  name: z.string().trim().min(1).max(100),
  description: z.string().max(10_000),
  image: z.int().positive().nullable(),
  location: z.string().max(200).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  join_code: joinCode.nullable(),
  attributes: z
    .array(z.strictObject({ name: z.string().trim().min(1).max(100), value: z.string().max(1000) }))
    .max(100),
};

/**
 * Body of POST /teams. `owner` (administrators only): the first owner; null: the first member becomes the owner.
 * Default: the caller.
 */
export const newTeam = z
  .strictObject({
    ...z.strictObject(fields).partial().shape,
    name: fields.name,
    owner: z.int().positive().nullable().optional(),
  })
  .meta({
    examples: [
      { name: 'Line B', description: 'The people at line B', location: 'Hall 2', join_code: 'belt-2026' },
    ],
  });
export type NewTeam = z.output<typeof newTeam>;

/**
 * Body of PATCH /teams/{teamid}: only the fields in the body change; `attributes` replaces all; `owner` must be a
 * member.
 */
export const teamEdit = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  owner: z.int().positive().optional(),
});
export type TeamEdit = z.output<typeof teamEdit>;

export const teams = {
  // Unlike other lists, this one returns all teams unless `limit` is sent, because existing clients do not page it.
  list: get('/teams', {
    summary: 'List teams with the reputation of their members together',
    access: 'public',
    query: z.object({
      order,
      newMemberSince: z.coerce
        .number()
        .int()
        .optional()
        .meta({ description: 'Only teams that somebody joined at this UNIX time or later' }),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .transform((value) => Math.min(value, 200))
        .optional(),
    }),
    result: z.array(team),
  }),
  members: get('/teams/{teamid}', {
    summary: 'List the members of a team',
    access: 'public',
    params: teamId,
    query: z.object({ order }),
    result: z.array(userSummary),
  }),
  attributes: get('/teams/{teamid}/attributes', {
    summary: 'List the attributes of a team',
    access: 'public',
    params: teamId,
    result: z.array(teamAttribute),
  }),
  read: get('/teams/{teamid}/record', {
    summary: 'Read a team',
    access: 'public',
    params: teamId,
    result: team,
    extension: true,
  }),
  courseAssignments: get('/teams/{teamid}/course_assignments', {
    summary: 'List the courses that a team is to take; for its members, its owner and administrators',
    params: teamId,
    result: z.array(courseAssignment),
    refuses: [403, 404],
  }),
  addMember: put('/teams/{teamid}/users/{userid}', {
    summary: 'Add a member: oneself with the join code, anybody as owner or administrator',
    params: member,
    query: z.object({
      join_code: z
        .string()
        .optional()
        .meta({ description: 'The join code of the team; the body may hold it' }),
    }),
    body: z.strictObject({ join_code: z.string().nullable().optional() }),
    result: z.array(userSummary),
    offline: 'membership',
    transaction: 'handler',
  }),
  removeMember: del('/teams/{teamid}/users/{userid}', {
    summary: 'Remove a member: oneself, or anybody as owner or administrator',
    params: member,
    result: z.array(userSummary),
    offline: 'membership',
  }),
  create: post('/teams', {
    summary: 'Found a team',
    status: 201,
    body: newTeam,
    result: team,
    refuses: [400, 403],
    extension: true,
  }),
  patch: patch('/teams/{teamid}', {
    summary: 'Edit a team',
    params: teamId,
    body: teamEdit,
    result: team,
    // On live servers, GET at this address lists the members.
    tagged: team,
    taggedAt: '/teams/{teamid}/record',
    extension: true,
  }),
  remove: del('/teams/{teamid}', {
    summary: 'Delete a team',
    status: 204,
    params: teamId,
    tagged: z.array(userSummary),
    conflictWords:
      'Open work orders are planned for the team (code `team-has-planned-orders`), or, with an If-Match, its members have changed meanwhile: then the body lists them as they are now',
    conflict: z.union([z.array(userSummary), problemBody]),
    extension: true,
  }),
};
