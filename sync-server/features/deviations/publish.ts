import type { DeviationFacts } from '#shared/model/deviations.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { isDeviating } from '#shared/rules/field-value.ts';
import { concernsSecondPerson } from '#shared/rules/second-person.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent, nextNumber, type Principal } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';

import { findField } from '../step-forms/store.ts';

/** A deviation before it is stored. `value`: what was measured. */
export interface Reported {
  title: string;
  note: string;
  userid: number;
  /** UNIX seconds. */
  date: number;
  stepid: number;
  value?: WorkDataValue | undefined;
  images: ImageRef[];
  /** The station at which it was reported. */
  stationid?: number | undefined;
}

/** Stores a new deviation of an entry and publishes it to everyone who sees the entry. */
export async function storeDeviation(
  ctx: Context,
  entry: EntryFacts,
  audience: Principal[],
  { value, stationid, ...reported }: Reported,
): Promise<DeviationFacts> {
  const { entryid, workorderid, guideid } = entry;
  const { deviationid } = await ctx.db
    .insertInto('deviations')
    .values({ entryid, workorderid, guideid, field_guid: value?.field_guid ?? null, decided: 0 })
    .returning('deviationid')
    .executeTakeFirstOrThrow();
  const field = value === undefined ? undefined : await findField(ctx.db, value.field_revisionid);
  const facts: DeviationFacts = {
    deviationid,
    ...(ctx.key === null ? {} : { key: ctx.key }),
    revisionid: await nextNumber(ctx.db, 'revision'),
    entryid,
    workorderid,
    guideid,
    ...reported,
    ...(value === undefined ? {} : { value }),
    ...(field === undefined ? {} : { form_revisionid: field.form_revisionid }),
    ...(stationid === undefined ? {} : { stationid }),
    decisions: [],
  };
  ctx.changes.put('deviations', deviationid, facts, audience);
  return facts;
}

/** Changes of an entry that others see it after, or that stations of its worker no longer see it after (STATION-10). */
const changesReaders: ReadonlySet<string | undefined> = new Set(['assume', 'suspend', 'finish', 'cancel']);

/** Whether the last event is the first one at its station, which reads the entry from then on (STATION-10). */
function isFirstAtStation({ events }: EntryFacts): boolean {
  const stationid = events.at(-1)?.stationid;
  return stationid !== undefined && events.filter((event) => event.stationid === stationid).length === 1;
}

/**
 * Publishes what a change of an entry changes in its deviations.
 *
 * - DEVIATION-3 A value that is measured again changes the open deviation of its field, so that a decision about the
 *   earlier value is refused as stale.
 * - DEVIATION-4 Finishing reports each value that is out of limits or failed and has no deviation.
 */
export async function followEntry(ctx: Context, entry: EntryFacts, audience: Principal[]): Promise<void> {
  const last = entry.events.at(-1);
  const rows = await deviationsOfEntry(ctx.db, { entryid: entry.entryid });
  if (last?.type === 'finish') await reportRest(ctx, entry, audience, rows);
  if (rows.length === 0) return;
  const ids = rows.map(({ deviationid }) => deviationid);
  for (const facts of await findPresent(ctx, 'deviations', ids)) {
    const again = facts.decisions.length > 0 ? undefined : measuredAgain(facts, last?.data ?? []);
    const changed = again === undefined ? facts : await withValue(ctx, facts, again);
    const isForOthers =
      changesReaders.has(last?.type) || isFirstAtStation(entry) || concernsSecondPerson(last);
    if (again !== undefined || isForOthers)
      ctx.changes.put('deviations', facts.deviationid, changed, audience);
  }
}

/** The deviation with another value, and the form revision of that. */
async function withValue(ctx: Context, facts: DeviationFacts, value: WorkDataValue): Promise<DeviationFacts> {
  const field = await findField(ctx.db, value.field_revisionid);
  const { form_revisionid = facts.form_revisionid } = field ?? {};
  return {
    ...facts,
    value,
    ...(form_revisionid === undefined ? {} : { form_revisionid }),
    revisionid: await nextNumber(ctx.db, 'revision'),
  };
}

function measuredAgain({ value }: DeviationFacts, data: readonly WorkDataValue[]): WorkDataValue | undefined {
  return value === undefined ? undefined : data.findLast((one) => one.field_guid === value.field_guid);
}

async function reportRest(
  ctx: Context,
  entry: EntryFacts,
  audience: Principal[],
  rows: readonly { deviationid: number }[],
): Promise<void> {
  const { work_data, userid, endtime } = foldEntry(entry);
  const ids = rows.map(({ deviationid }) => deviationid);
  const known = await findPresent(ctx, 'deviations', ids);
  // A field may have values in several revisions of the form; the last one counts.
  const last = new Map(
    work_data.map((value) => [value.field_guid, lastValue(entry, value.field_guid) ?? value]),
  );
  for (const value of last.values()) {
    const isReported = known.some((one) => covers(one, value));
    if (!isDeviating(value) || isReported) continue;
    const { label: title, stepid } = value;
    const date = endtime ?? ctx.seconds;
    const stationid = entry.events.at(-1)?.stationid;
    const reported = { title, note: '', userid, date, stepid, value, images: [], stationid };
    await storeDeviation(ctx, entry, audience, reported);
  }
}

/** The value of a field that was recorded last, in any revision of the form. */
export function lastValue({ events }: EntryFacts, field_guid: string): WorkDataValue | undefined {
  return events.flatMap(({ data = [] }) => data).findLast((value) => value.field_guid === field_guid);
}

/** Whether a deviation is about this value: it is open, and follows the value, or was decided about the same one. */
export function covers({ value, decisions }: DeviationFacts, measured: WorkDataValue): boolean {
  if (value?.field_guid !== measured.field_guid) return false;
  return decisions.length === 0 || value.value === measured.value;
}

/** Gives the deviations of an entry the audience of the entry. */
export async function republishDeviations(
  ctx: Pick<Context, 'db' | 'changes'>,
  entryid: number,
  audience: Principal[],
): Promise<void> {
  const ids = (await deviationsOfEntry(ctx.db, { entryid })).map(({ deviationid }) => deviationid);
  for (const facts of await findPresent(ctx, 'deviations', ids))
    ctx.changes.put('deviations', facts.deviationid, facts, audience);
}

/** Removes the deviations of a deleted entry. */
export async function removeDeviations(ctx: Context, entryid: number): Promise<void> {
  for (const { deviationid } of await deviationsOfEntry(ctx.db, { entryid }))
    ctx.changes.remove('deviations', deviationid);
}

const deviationsOfEntry = prepared<{ entryid: number }, { deviationid: number; field_guid: string | null }>(
  (db, value) =>
    db.selectFrom('deviations').select(['deviationid', 'field_guid']).where('entryid', '=', value('entryid')),
);
