/**
 * Four eyes: a second person confirms the values of a step.
 *
 * - COSIGN-1 A Text Input with `second_person` asks for the name of another person, who confirms the values of its step:
 *   `anyone`, `members` of one of its `second_person_teams` at the time of confirming, or `leads` of the teams that do the
 *   work and administrators. A client that does not know this reads, fills in and saves a text (FIELD-1).
 * - COSIGN-2 Nobody confirms work of their own: neither the holder of the order, nor whoever recorded one of the values that
 *   the step has. A kiosk confirms nothing, because its user is unknown.
 * - COSIGN-5 A confirmation applies to the values that the step had, each field with its last value that is not empty. A call
 *   that changes one of them empties the field, whoever sends it, with the name that it had. A call that names a second
 *   person applies to the values after it. Recording the same values and the same name again changes nothing.
 */
import type { FormField } from '#shared/model/step-form.ts';
import type { EntryEvent, EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';

import { canonicalJson } from './canonical-json.ts';
import { foldEntry } from './work-log.ts';

const kinds = ['anyone', 'members', 'leads'];

/** Whether there is such a kind of second person. */
export function isKindOfSecondPerson(kind: string): boolean {
  return kinds.includes(kind);
}

/** A person who might confirm. `leads`: the teams that they own. */
export interface Candidate {
  userid: number;
  isAdmin: boolean;
  isKiosk: boolean;
  teams: readonly number[];
  leads: readonly number[];
}

type Entry = Pick<EntryFacts, 'events' | 'teamids'>;

/** Whether a person may confirm the values of a step, as the field asks for it (COSIGN-1, COSIGN-2). */
export function mayConfirm(
  field: Pick<FormField, 'second_person' | 'second_person_teams'>,
  stepid: number,
  entry: EntryFacts,
  person: Candidate,
): boolean {
  return !person.isKiosk && isAskedFor(field, entry, person) && !isOwnWork(entry, stepid, person.userid);
}

function isAskedFor(
  { second_person, second_person_teams = [] }: Pick<FormField, 'second_person' | 'second_person_teams'>,
  { teamids = [] }: Entry,
  { isAdmin, teams, leads }: Candidate,
): boolean {
  if (second_person === 'anyone') return true;
  if (second_person === 'members') return second_person_teams.some((teamid) => teams.includes(teamid));
  return second_person === 'leads' && (isAdmin || teamids.some((teamid) => leads.includes(teamid)));
}

/** Whether a person holds the order, or recorded a value that the step has (COSIGN-2). */
export function isOwnWork(entry: EntryFacts, stepid: number, userid: number): boolean {
  if (foldEntry(entry).userid === userid) return true;
  return lastOfStep(entry.events, stepid).some(({ recorder }) => recorder === userid);
}

type Recorded = Pick<EntryEvent, 'data' | 'userid'>;

interface LastValue {
  value: WorkDataValue;
  /** Index of the event. */
  event: number;
  recorder: number;
}

/** The last value of each field, in any revision of the form. */
function lastValues(events: readonly Recorded[]): Map<string, LastValue> {
  const last = new Map<string, LastValue>();
  for (const [event, { data = [], userid: recorder }] of events.entries())
    for (const value of data) last.set(value.field_guid, { value, event, recorder });
  return last;
}

/** The last value of a field, and the index of its event; undefined if it has none. */
export function lastValueOf({ events }: Entry, field_guid: string): LastValue | undefined {
  return lastValues(events).get(field_guid);
}

/** The values of a step that a second person confirms, ordered by field. */
function lastOfStep(events: readonly Recorded[], stepid: number): LastValue[] {
  return [...lastValues(events).values()]
    .filter(({ value }) => value.stepid === stepid && value.value !== '' && value.second_person === undefined)
    .toSorted((a, b) => (a.value.field_guid < b.value.field_guid ? -1 : 1));
}

/** The text whose SHA-256 a confirmation names: the canonical JSON of the values of the step. */
export function stepValuesText({ events }: { events: readonly Recorded[] }, stepid: number): string {
  return canonicalJson(lastOfStep(events, stepid).map(({ value }) => value));
}

/** The values of a call, with what they change about second persons (COSIGN-5). */
export function withSecondPersons(entry: EntryFacts, values: readonly WorkDataValue[]): WorkDataValue[] {
  const named = foldEntry(entry).work_data.filter(isNamed);
  if (named.length === 0) return [...values];
  const after = [...entry.events, { data: [...values], userid: 0 }];
  const isChanged = (stepid: number): boolean =>
    stepValuesText(entry, stepid) !== stepValuesText({ events: after }, stepid);
  const kept = values.flatMap((value) => {
    const before = named.find(({ field_guid }) => field_guid === value.field_guid);
    if (before === undefined || (value.value !== '' && value.second_person === undefined)) return [value];
    if (value.value === '') return [isChanged(value.stepid) ? emptied(value, before) : value];
    return isSameName(value, before) && !isChanged(value.stepid) ? [] : [value];
  });
  const sent = new Map(values.map(({ field_guid, field_revisionid }) => [field_guid, field_revisionid]));
  const lost = named.filter(({ field_guid, field_revisionid, stepid }) =>
    sent.has(field_guid) ? sent.get(field_guid) !== field_revisionid : isChanged(stepid),
  );
  return [...kept, ...lost.map((value) => emptied(value, value))];
}

/** Whether a value names a second person. */
export function isNamed({ value, second_person }: WorkDataValue): boolean {
  return value !== '' && second_person !== undefined;
}

function isSameName(one: WorkDataValue, other: WorkDataValue): boolean {
  return (
    one.value === other.value &&
    one.field_revisionid === other.field_revisionid &&
    one.second_person?.userid === other.second_person?.userid
  );
}

function emptied(value: WorkDataValue, { value: lost }: WorkDataValue): WorkDataValue {
  const { field_revisionid, field_guid, field_type, label, stepid } = value;
  return { field_revisionid, field_guid, field_type, label, stepid, value: '', second_person: { lost } };
}

/** Whether an event names a second person, or takes the name away, so that others may see the entry. */
export function concernsSecondPerson(event: EntryEvent | undefined): boolean {
  return event?.data?.some(({ second_person }) => second_person !== undefined) === true;
}
