import type { ImageRef } from '#shared/model/image.ts';
import type { PersonFacts, TeamFacts } from '#shared/model/user.ts';

import type { OutboxCall } from '../../ports.ts';
import { applies, isOpen } from './applies.ts';

/** What of their own profile a person changes here; what is absent stays. A picture that waits for upload has the number 0. */
export interface ProfileEdit {
  name?: string;
  uniqueName?: string | null;
  summary?: string;
  about?: string;
  location?: string;
  image?: ImageRef | null;
}

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

/** People and teams with what the person did on top, and whose change the server does not have yet. */
export interface Everybody {
  people: PersonFacts[];
  teams: TeamFacts[];
  /** Ids as in the mirror. */
  pending: ReadonlySet<string>;
}

type Mirrored = { id: string; seq: number; facts: PersonFacts | TeamFacts };

/** Puts the calls, oldest first, on top of people and teams. */
export function overlayPeople(records: readonly Mirrored[], calls: readonly OutboxCall[]): Everybody {
  const known = new Map(records.map((record) => [record.id, record]));
  const pending = new Set<string>();
  for (const call of calls) {
    const record = known.get(call.target.id);
    if (call.target.collection !== 'people' || record === undefined || !applies(call, record.seq)) continue;
    if (isOpen(call)) pending.add(record.id);
    for (const changed of changedBy(call, record, known)) known.set(changed.id, changed);
  }
  const facts = [...known.values()].map((record) => record.facts);
  return {
    people: facts.filter((one) => one.kind === 'user'),
    teams: facts.filter((one) => one.kind === 'team'),
    pending,
  };
}

function changedBy(call: OutboxCall, record: Mirrored, known: ReadonlyMap<string, Mirrored>): Mirrored[] {
  const { facts } = record;
  const edit = profileEditOf(call);
  if (edit !== undefined && facts.kind === 'user') return [{ ...record, facts: edited(facts, edit) }];
  if (call.kind !== 'membership' || facts.kind !== 'team') return [];
  const isIn = call.method === 'PUT';
  const team = { ...record, facts: { ...facts, members: withOrWithout(facts.members, call.userid, isIn) } };
  const person = known.get(personId(call.userid));
  if (person?.facts.kind !== 'user') return [team];
  const teams = withOrWithout(person.facts.teams, facts.teamid, isIn);
  return [team, { ...person, facts: { ...person.facts, teams } }];
}

function edited(facts: PersonFacts, edit: ProfileEdit): PersonFacts {
  return {
    ...facts,
    username: edit.name ?? facts.username,
    unique_username: edit.uniqueName === undefined ? facts.unique_username : edit.uniqueName,
    summary: edit.summary ?? facts.summary,
    about_raw: edit.about ?? facts.about_raw,
    location: edit.location ?? facts.location,
    image: edit.image === undefined ? facts.image : edit.image,
  };
}

function withOrWithout(ids: readonly number[], id: number, isIn: boolean): number[] {
  const others = ids.filter((one) => one !== id);
  return isIn ? [...others, id] : others;
}
