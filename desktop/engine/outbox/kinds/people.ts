import { z } from 'zod';

import type { PersonFacts } from '#shared/model/user.ts';

import type { ProfileEdit } from '#desktop/engine/api/page-records.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { users } from '#shared/api/users.ts';
import { fieldsDetail, joined, fieldsOf, onOrOff, switches, type CallKindSpec } from './kind.ts';
import { teams } from '#shared/api/teams.ts';
import { notFound } from '#shared/api/problem.ts';

export const profileFieldNames = ['name', 'uniqueName', 'summary', 'about', 'location'] as const;
/** What a person says of themselves; '' where they say nothing. */
export type ProfileFields = Record<(typeof profileFieldNames)[number], string>;

/** What a `profile-save` call carries beside its body. `base`: the profile that it was made on. */
export type ProfileContext = ProfileEdit & { base?: ProfileFields };

/** The edit in a call's context. */
export function profileEditOf(call: OutboxCall): ProfileEdit | undefined {
  const context = profileContextOf(call);
  if (context === undefined) return undefined;
  const { base: _, ...edit } = context;
  return edit;
}

/** Contexts are written by this engine alone and come back as they were, or not at all. */
function profileContextOf({ kind, context }: OutboxCall): ProfileContext | undefined {
  if (kind !== 'profile-save' || typeof context !== 'object' || context === null) return undefined;
  return context;
}

/** The profile that the edit in a call was made on; undefined where the call is of an older app. */
export function profileBaseOf(call: OutboxCall): ProfileFields | undefined {
  return profileContextOf(call)?.base;
}

/** The fields as the server has them. */
export function profileFieldsOf(facts: PersonFacts): ProfileFields {
  return {
    name: facts.username,
    uniqueName: facts.unique_username ?? '',
    summary: facts.summary ?? '',
    about: facts.about_raw,
    location: facts.location ?? '',
  };
}

/** Ids of people and teams in the mirror (`people`). */
export const personId = (userid: number): string => `user:${userid}`;
export const teamId = (teamid: number): string => `team:${teamid}`;

/** Calls that change a profile or who is in a team. */
export const peopleKinds = {
  'profile-save': {
    activity: 'profile',
    endpoints: [users.patch],
    context: z.looseObject({}),
    hasOwnName: true,
    overwrites: true,
    fileLost:
      'A picture or document in this is not on the server. Open it, add the file again and save: the rest of your change is kept.',
    detail: fieldsDetail,
    join: (last, incoming) =>
      last.kind === 'profile-save'
        ? joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) })
        : null,
  },
  membership: {
    activity: 'team',
    endpoints: [teams.addMember, teams.removeMember],
    hasOwnName: true,
    absent: [notFound('Member'), notFound('Team')],
    detail: onOrOff,
    join: switches,
  },
} satisfies Record<string, CallKindSpec>;
