import { z } from 'zod';

import type { PersonFacts } from '#shared/model/user.ts';

import type { ProfileEdit } from '#desktop/engine/api/page-records.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { fieldsDetail, joined, fieldsOf, onOrOff, switches, type CallKindSpec } from './kind.ts';
import { notFound } from '#shared/api/problem.ts';

export const profileFieldNames = ['name', 'uniqueName', 'summary', 'about', 'location'] as const;
/** Fields of a profile; '' if the person says nothing. */
export type ProfileFields = Record<(typeof profileFieldNames)[number], string>;

/** Context of a `profile-save` call. `base`: the profile before the edit. */
export type ProfileContext = ProfileEdit & { base?: ProfileFields };

/** The edit in a call's context. */
export function profileEditOf(call: OutboxCall): ProfileEdit | undefined {
  const context = profileContextOf(call);
  if (context === undefined) return undefined;
  const { base: _, ...edit } = context;
  return edit;
}

/** Contexts are only written by this engine. */
function profileContextOf({ kind, context }: OutboxCall): ProfileContext | undefined {
  if (kind !== 'profile-save' || typeof context !== 'object' || context === null) return undefined;
  return context;
}

/** The profile before the edit in a call; undefined for calls of an older app. */
export function profileBaseOf(call: OutboxCall): ProfileFields | undefined {
  return profileContextOf(call)?.base;
}

/** The fields of a profile as the server stores them. */
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

/** Calls that change a profile or the members of a team. */
export const peopleKinds = {
  'profile-save': {
    activity: 'profile',
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
  // A join code is stored as it is: it is meant to be passed on, and cannot be used to sign in.
  membership: {
    activity: 'team',
    hasOwnName: true,
    absent: [notFound('Member'), notFound('Team')],
    detail: onOrOff,
    join: switches,
  },
} satisfies Record<string, CallKindSpec>;
