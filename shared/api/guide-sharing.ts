import { z } from 'zod';

import { userSummary } from '#shared/model/user.ts';

import { del, get, idText, put } from './endpoint.ts';

const guideId = z.strictObject({ guideid: idText });
const guideUser = z.strictObject({ guideid: idText, userid: idText });
const guideTeam = z.strictObject({ guideid: idText, teamid: idText });

const sharedUsers = z.strictObject({ users: z.array(userSummary) });

const sharedTeam = z.strictObject({ teamid: z.int(), name: z.string() });

/** The teams with which a guide is shared, and what the caller may do with it (as on live servers). */
const sharedTeams = z.strictObject({
  guideTeams: z.array(sharedTeam),
  canIViewGuide: z.boolean(),
  canIEditGuide: z.boolean(),
  canIChangeGuidePrivacy: z.boolean(),
});
export type SharedTeams = z.infer<typeof sharedTeams>;

/**
 * Who else can read a private guide (as on live servers: allow-lists). Sharing is not part of the versioned record:
 * calls name no revision and create none. It allows reading, not editing.
 *
 * - LIVE-5 Sharing with a team, and ending it, answer the array of teams; reading answers an object around it.
 */
export const guideSharing = {
  users: get('/guides/{guideid}/users', {
    summary: 'List the people a guide is shared with',
    params: guideId,
    result: z.array(userSummary),
    extension: true,
  }),
  addUser: put('/guides/{guideid}/users/{userid}', {
    summary: 'Share a guide with a person',
    status: 201,
    params: guideUser,
    result: z.array(userSummary),
    extension: true,
  }),
  removeUser: del('/guides/{guideid}/users/{userid}', {
    summary: 'No longer share a guide with a person',
    params: guideUser,
    result: sharedUsers,
    extension: true,
  }),
  teams: get('/guides/{guideid}/teams', {
    summary: 'List the teams a guide is shared with',
    params: guideId,
    result: sharedTeams,
    extension: true,
  }),
  addTeam: put('/guides/{guideid}/teams/{teamid}', {
    summary: 'Share a guide with a team',
    status: 201,
    params: guideTeam,
    result: z.array(sharedTeam),
    extension: true,
  }),
  removeTeam: del('/guides/{guideid}/teams/{teamid}', {
    summary: 'No longer share a guide with a team',
    params: guideTeam,
    result: z.array(sharedTeam),
    extension: true,
  }),
};
