import { combineLatest, firstValueFrom, from, map, of, switchMap, type Observable } from 'rxjs';

import { shiftNoteLimit } from '#shared/api/shift-summaries.ts';
import type { ShiftSummaryFacts } from '#shared/model/shift-summaries.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { plansFor } from '#shared/rules/planned-orders.ts';
import { spanRefusal } from '#shared/rules/shift-span.ts';

import type { ShiftSummaryRow, ShiftSummaryView, ShiftTeam, ShiftWish } from '../api/shift-records.ts';
import { type ActionContext, impossible, newTemporaryId } from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { leadOf } from '../features/records/lead.ts';
import { applies } from '../features/records/overlay/applies.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { sha256 } from '../journal/bytes.ts';
import { shiftContextOf, type ShiftContext } from '../outbox/kinds/shift-summaries.ts';

/** Live reads of shift summaries, from what is on this device. */
export function shiftSummaryViews({ sources }: Services) {
  return {
    /** The summaries that this person sees, latest span first. */
    shiftSummaries: () => toLive(rows(sources)),
    /** One summary; null if it is not on this device. */
    shiftSummary: (id: string) => toLive(summary(sources, id)),
    /** The teams for which this person makes summaries, by name. */
    shiftTeams: () => toLive(shiftTeams(sources)),
  };
}

function rows(sources: Sources): Observable<ShiftSummaryRow[]> {
  return combineLatest([sources.core.mirror.all('shiftSummaries'), waiting(sources)]).pipe(
    map(([records, calls]) => {
      const known = new Set(records.map(({ id }) => id));
      return [
        ...records.map(({ facts }) => rowOf(facts)),
        ...calls.filter(({ shift_summaryid }) => !known.has(shift_summaryid)),
      ].toSorted((a, b) => b.to - a.to || b.from - a.from);
    }),
  );
}

/** The summaries that exist in calls only. */
function waiting({ calls, people, names, core, resolve }: Sources): Observable<ShiftSummaryRow[]> {
  return combineLatest([calls, people, names]).pipe(
    map(([all, { teams }, named]) => {
      const toDevice = (seconds: number): number => seconds * 1000 - core.clock.offset();
      return all.flatMap((call) => {
        const wish = shiftContextOf(call);
        if (wish === undefined || !applies(call, null)) return [];
        const teamName = teams.find(({ teamid }) => teamid === wish.teamid)?.name ?? '';
        return [
          {
            shift_summaryid: resolve(call.target.id),
            teamName,
            from: toDevice(wish.from),
            to: toDevice(wish.to),
            madeBy: named.get(call.userid) ?? '',
            note: wish.note,
            computed: null,
          },
        ];
      });
    }),
  );
}

function rowOf({ shift_summaryid, summary: made }: ShiftSummaryFacts): ShiftSummaryRow {
  return {
    shift_summaryid: String(shift_summaryid),
    teamName: made.team.name,
    from: Date.parse(made.from),
    to: Date.parse(made.to),
    madeBy: made.made_by.name,
    note: made.note,
    computed: Date.parse(made.computed),
  };
}

function summary(sources: Sources, named: string): Observable<ShiftSummaryView | null> {
  return realIdOf(sources, named).pipe(
    switchMap((id) => {
      const record = id.startsWith('tmp:') ? of(null) : sources.core.mirror.one('shiftSummaries', id);
      return combineLatest([record, waiting(sources)]).pipe(
        switchMap(([mirrored, calls]): Observable<ShiftSummaryView | null> => {
          const call = calls.find(({ shift_summaryid }) => shift_summaryid === id);
          if (mirrored === null)
            return of(call === undefined ? null : { ...call, record: null, isSealed: false });
          const { uid: _uid, key: _key, ...facts } = mirrored.facts;
          return from(isSealed(mirrored.facts)).pipe(
            map((isSame) => ({ ...rowOf(mirrored.facts), record: facts, isSealed: isSame })),
          );
        }),
      );
    }),
  );
}

/** Whether a summary agrees with its hash (SHIFT-2). */
async function isSealed({ summary: made, sha256: stored }: ShiftSummaryFacts): Promise<boolean> {
  return (await sha256(new TextEncoder().encode(canonicalJson(made)))) === stored;
}

function shiftTeams({ me, people, core }: Sources): Observable<ShiftTeam[]> {
  return combineLatest([me, people, core.mirror.all('shiftSummaries')]).pipe(
    map(([own, { teams }, records]) => {
      if (isBeyondKiosk(own, 'shift.make')) return [];
      const lead = leadOf(own, teams);
      return teams
        .filter(({ teamid }) => plansFor(lead, [teamid]))
        .map(({ teamid, name }) => {
          const ends = records.flatMap(({ facts }) =>
            facts.teamid === teamid ? [Date.parse(facts.summary.to) - core.clock.offset()] : [],
          );
          return { teamid, name, lastEnd: ends.length === 0 ? null : Math.max(...ends) };
        })
        .toSorted((a, b) => a.name.localeCompare(b.name));
    }),
  );
}

/** Making summaries. The promise resolves when the call is journalled; the outbox sends it. */
export function shiftSummaryActions(context: ActionContext) {
  return {
    /**
     * Makes a summary of what a team did. Returns the temporary id. Throws `Problem` when this person may not, as far as this
     * device knows, and for what the server would refuse, so that the note stays in its form.
     */
    makeShiftSummary: (wish: ShiftWish) => make(context, wish),
  };
}

async function make(context: ActionContext, { teamid, ...wish }: ShiftWish): Promise<string> {
  const { clock, outbox } = context.sources.core;
  const teams = await firstValueFrom(shiftTeams(context.sources));
  const team = teams.find((one) => one.teamid === teamid);
  if (team === undefined) throw impossible('Only a lead makes summaries of a team');
  const toServer = (at: number): number => Math.ceil((at + clock.offset()) / 1000);
  const fields: ShiftContext = {
    teamid,
    from: toServer(wish.from),
    to: toServer(wish.to),
    note: wish.note.trim(),
  };
  const refusal = spanRefusal(fields);
  if (refusal !== null) throw impossible(refusal);
  if (fields.note.length > shiftNoteLimit) throw impossible(`Write at most ${shiftNoteLimit} characters`);
  const { key, id } = newTemporaryId(context);
  await outbox.add([
    {
      id: key,
      kind: 'shift-summary',
      lane: `shift:${key}`,
      method: 'POST',
      path: '/shift_summaries',
      body: fields,
      target: { collection: 'shiftSummaries', id },
      subject: team.name,
      context: fields,
    },
  ]);
  return id;
}
