import { type Observable, combineLatest, map, of, switchMap } from 'rxjs';

import type { PersonFacts, TeamFacts } from '#shared/model/user.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { type Candidate, isNamed, isOwnWork, lastValueOf, mayConfirm } from '#shared/rules/second-person.ts';
import { foldEntry } from '#shared/rules/work-log.ts';

import type { AskedPerson, WaitingConfirmation } from '../api/order-signing.ts';
import { toLive } from '../features/live.ts';
import { leadOf } from '../features/records/lead.ts';
import { callsOf } from '../features/records/overlay/applies.ts';
import { overlayEntry } from '../features/records/overlay/entry.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';

/** Live reads of second persons, from what is on this device. */
export function secondPersonViews({ sources }: Services) {
  return {
    /** Who may confirm the values of a step, as the field asks for it, by name. */
    secondPersons: (entryid: string, asked: AskedPerson) => toLive(secondPersons(sources, entryid, asked)),
    /** The fields of an order, by field_revisionid, that this person may confirm now. */
    confirmable: (entryid: string) => toLive(confirmable(sources, entryid)),
    /** What this person is named to confirm, the latest first. */
    toConfirm: () => toLive(toConfirm(sources)),
  };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** An order with waiting calls; null if it is not on this device. */
function entryFacts(sources: Sources, entryid: string): Observable<EntryFacts | null> {
  return realIdOf(sources, entryid).pipe(
    switchMap((id) => {
      const record = id.startsWith('tmp:') ? of(null) : sources.core.mirror.one('workLog', id);
      return combineLatest([record, sources.calls]).pipe(
        map(
          ([mirrored, calls]) =>
            overlayEntry(id, mirrored, callsOf(calls, 'workLog', id, sources.resolve))?.facts ?? null,
        ),
      );
    }),
  );
}

function candidateOf({ userid, privileges, teams }: PersonFacts, all: readonly TeamFacts[]): Candidate {
  const { isAdmin, leads } = leadOf({ userid, privileges }, all);
  return { userid, isAdmin, leads, teams, isKiosk: privileges.includes('Kiosk') };
}

function secondPersons(sources: Sources, entryid: string, asked: AskedPerson) {
  return combineLatest([entryFacts(sources, entryid), sources.people]).pipe(
    map(([facts, { people, teams }]) =>
      facts === null
        ? []
        : people
            .filter(
              (one) => one.enabled && mayConfirm(asked, Number(asked.stepid), facts, candidateOf(one, teams)),
            )
            .map(({ userid, username, unique_username }) => ({
              userid,
              name: username,
              unique: unique_username,
            }))
            .toSorted((a, b) => collator.compare(a.name, b.name)),
    ),
  );
}

function confirmable(sources: Sources, entryid: string): Observable<number[]> {
  return entryFacts(sources, entryid).pipe(
    switchMap((facts) =>
      facts === null
        ? of([])
        : combineLatest([
            sources.core.mirror.where('stepForms', 'guideid', facts.guideid),
            sources.people,
            sources.me,
          ]).pipe(
            map(([forms, { people, teams }, { userid }]) => {
              const me = people.find((one) => one.userid === userid);
              if (me === undefined || foldEntry(facts).status === 'cancelled') return [];
              const fields = forms.flatMap(({ facts: form }) => form.fields);
              return unconfirmed(facts).flatMap(({ field_revisionid, stepid, second_person }) => {
                const field = fields.find((one) => one.field_revisionid === field_revisionid);
                const isAllowed =
                  field === undefined
                    ? second_person?.userid === userid && !isOwnWork(facts, stepid, userid)
                    : mayConfirm(field, stepid, facts, candidateOf(me, teams));
                return isAllowed ? [field_revisionid] : [];
              });
            }),
          ),
    ),
  );
}

/** The values of an order that name somebody who has not confirmed them. */
function unconfirmed(facts: EntryFacts) {
  return foldEntry(facts).work_data.filter((value) => isNamed(value) && value.confirmed === undefined);
}

function toConfirm(sources: Sources): Observable<WaitingConfirmation[]> {
  const { core, me, names, rows } = sources;
  return combineLatest([core.mirror.all('workLog'), me, names, rows]).pipe(
    map(([entries, { userid }, people, guides]) => {
      const titles = new Map(guides.map(({ id, title }) => [id, title]));
      return entries
        .filter(({ facts }) => foldEntry(facts).status !== 'cancelled')
        .flatMap(({ id, facts }) =>
          unconfirmed(facts)
            .filter(({ second_person }) => second_person?.userid === userid)
            .map(({ label, field_guid }): WaitingConfirmation => {
              const event = facts.events[lastValueOf(facts, field_guid)?.event ?? 0];
              return {
                entryid: id,
                workorderid: facts.workorderid,
                guideTitle: titles.get(String(facts.guideid)) ?? '',
                label,
                username: people.get(event?.userid ?? 0) ?? '',
                at: (event?.at ?? 0) - core.clock.offset(),
              };
            }),
        )
        .toSorted((a, b) => b.at - a.at);
    }),
  );
}
