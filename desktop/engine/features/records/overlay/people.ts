import type { PersonFacts, TeamFacts } from '#shared/model/user.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { applies, isOpen } from './applies.ts';
import { profileEditOf, personId } from '#desktop/engine/outbox/kinds/people.ts';
import type { ProfileEdit } from '#desktop/engine/api/page-records.ts';

/** People and teams with waiting calls on top. `pending`: those with calls that the server does not have. */
export interface Everybody {
  people: PersonFacts[];
  teams: TeamFacts[];
  /** Ids as in the mirror. */
  pending: ReadonlySet<string>;
}

type Mirrored = { id: string; seq: number; facts: PersonFacts | TeamFacts };

/** People and teams with the calls (oldest first) on top. */
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
