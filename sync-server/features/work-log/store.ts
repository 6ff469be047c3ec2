import type { FinishBody, NewEntry, StepData } from '#shared/api/work-log.ts';
import { conflict, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { ReleaseFacts } from '#shared/model/release-facts.ts';
import type { EntryFacts, Moment, WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import {
  appendEvent,
  foldEntry,
  moveRefusal,
  type EntryMove,
  type NewEvent,
} from '#shared/rules/work-log.ts';
import { can } from '#server/features/can.ts';
import { entryAudience } from './access.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { findDocuments, findStored, nextNumber } from '#server/storage/feed.ts';

import { findVisibleGuide } from '../guides/policy.ts';
import { findNamed } from '../planned-orders/policy.ts';
import { followFulfilment, releasePlanned, settleStart } from '../planned-orders/publish.ts';
import { findRelease } from '../planned-orders/release-texts.ts';
import { followEntry, removeDeviations, republishDeviations } from '../deviations/publish.ts';
import { workFinished } from '../merits/reputation-events.ts';
import { maxFormRevision } from '../step-forms/store.ts';
import { followReports } from '../reports/follow.ts';
import { followTracing } from '../tracing/follow.ts';
import { gapsOf } from './gaps.ts';
import { audienceOfEntry, mustSeeEntry } from './policy.ts';
import { entryRecords } from './record.ts';
import { earlierThanPlanned, revisionOf, type SeenRevision } from './revisions.ts';
import { insertEntry, setColumns } from './rows.ts';
import { sealOf } from './seal.ts';
import { readValues } from './values.ts';
import { followEvent, followVersion } from './versions.ts';

/** An entry as a record; throws 404 if the viewer may not see it. */
export async function representEntry(ctx: Context, entryid: number): Promise<WorkLogEntry> {
  return recordOf(ctx, await mustSeeEntry(ctx, entryid));
}

/** The answer to a call that changed the entry. */
export function answered(ctx: Context, entry: EntryFacts): Promise<Remembered<WorkLogEntry>> {
  return ctx.respondWithRecord('entry', entry.entryid, recordOf(ctx, entry));
}

export async function recordOf(ctx: Context, entry: EntryFacts): Promise<WorkLogEntry> {
  const [record] = await entryRecords(ctx, [entry]);
  return must(record, 'the entry');
}

/**
 * Starts an entry for the caller. Throws 422 without guideid or workorderid, 404 if the guide may not be seen.
 *
 * - TRACE-1 An order is about the serial or lot numbers that its start names, else about those of its planned order. They
 *   stay with the order.
 */
export async function createEntry(
  ctx: Context,
  body: NewEntry,
  query: SeenRevision & { guideid?: number | undefined; workorderid?: string | undefined },
): Promise<Remembered<WorkLogEntry>> {
  const {
    guideid = query.guideid,
    workorderid = query.workorderid,
    guide_revisionid,
    join_code: _joinCode,
    planned_orderid,
    planned_occurrence,
    serials,
    ...moment
  } = body;
  if (guideid === undefined) throw invalid('guideid', 'Name the guide');
  if (workorderid === undefined) throw invalid('workorderid', 'Name the work order');
  // A start is never refused for its planned order, which may be gone: the work was done.
  const planned = await findNamed(ctx, planned_orderid, planned_occurrence);
  const numbers = serials ?? planned?.serials ?? [];
  const release = await releaseOf(ctx, guideid, planned);
  const seen = await guideSeen(ctx, guideid, guide_revisionid ?? release?.revision.guide_revisionid);
  const isByRelease = release?.revision.guide_revisionid === seen.guide_revisionid;
  const userid = mustUserid(ctx);
  const [row] = await insertEntry(ctx.db, { guideid, userid, workorderid, starttime: ctx.seconds });
  const { entryid } = must(row, 'the row of the entry');
  const blank: EntryFacts = {
    entryid,
    ...(ctx.key === null ? {} : { key: ctx.key }),
    guideid,
    workorderid,
    guide_revisionid: seen.guide_revisionid,
    max_form_revisionid: await maxFormRevision(ctx.db, [guideid, ...seen.prerequisites]),
    handoffid: null,
    ...(ctx.viewer.teams.length === 0 ? {} : { teamids: ctx.viewer.teams }),
    ...(planned === undefined ? {} : { planned_orderid: planned.planned_orderid }),
    ...(numbers.length === 0 ? {} : { serials: numbers }),
    ...(isByRelease ? { release: { releaseid: release.releaseid, title: release.title } } : {}),
    events: [],
    images: [],
  };
  const stationid = ctx.viewer.station?.stationid;
  const started = appendEvent(blank, { type: 'start', userid, moment, stationid }, ctx.services.now());
  const { at } = must(started.events[0], 'the start');
  const { form_revisionid = isByRelease ? release.revision.form_revisionid : undefined } = query;
  const revision = await revisionOf(ctx, seen, { ...query, form_revisionid }, at);
  const entry: EntryFacts = { ...started, revisions: [{ decision: 'start', ...revision, userid, at }] };
  await saveEntry(ctx, entry);
  if (planned !== undefined)
    await settleStart(ctx, planned, entry, await earlierThanPlanned(ctx, entry, release));
  if (ctx.key !== null) ctx.created(ctx.key, entryid);
  return answered(ctx, entry);
}

/**
 * The release by which a planned order is to be worked.
 *
 * - PLANNED-11 A start that names no revision is bound to the release of its planned order, also when the guide has moved on,
 *   and the worker is not asked about the newer revision. The entry names the release. A start that names another revision
 *   is recorded as it was worked, without the release.
 */
async function releaseOf(
  ctx: Context,
  guideid: number,
  planned: PlannedOrderFacts | undefined,
): Promise<ReleaseFacts | undefined> {
  if (planned?.release === undefined) return undefined;
  const release = await findRelease(ctx, planned.release.releaseid);
  return release?.guideid === guideid ? release : undefined;
}

/**
 * The version of the guide that the worker saw: the current one, or any earlier version. A version that the caller
 * could see is accepted even if they lost access since, because the work was done.
 */
async function guideSeen(ctx: Context, guideid: number, named: number | undefined): Promise<GuideFacts> {
  const present = await findVisibleGuide(ctx, guideid);
  if (named === undefined) {
    if (present === undefined) throw notFound('Guide');
    return present;
  }
  const row = await ctx.db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', guideid)
    .where((eb) => eb.or([eb('guide_revisionid', '=', named), eb('revisionid', '=', named)]))
    .orderBy((eb) => eb.case().when('guide_revisionid', '=', named).then(0).else(1).end())
    .orderBy('guide_revisionid', 'desc')
    .limit(1)
    .executeTakeFirst();
  const seen = row === undefined ? undefined : (JSON.parse(row.body) as GuideFacts);
  if (present === undefined && (seen === undefined || !can(ctx.viewer, 'entry.start', seen)))
    throw notFound('Guide');
  if (seen === undefined) throw invalid('guide_revisionid', 'The guide never had this revision');
  return seen;
}

/**
 * Applies a move to an entry. Throws 409 with the entry if another person's move made it impossible, 422 if it was
 * impossible anyway.
 */
export async function moveEntry(
  ctx: Context,
  entryid: number,
  move: EntryMove,
  moment: Moment,
  note?: string,
): Promise<Remembered<WorkLogEntry>> {
  const entry = await mustSeeEntry(ctx, entryid);
  await refuseImpossible(ctx, entry, move);
  const moved = await appended(ctx, entry, { type: move, userid: mustUserid(ctx), moment, note });
  return answered(ctx, moved);
}

/** Finishes the entry, and stores which required fields have no value, with the reasons that the body gives. */
export async function finishEntry(
  ctx: Context,
  entryid: number,
  { gaps: reasons = [], ...moment }: FinishBody,
): Promise<Remembered<WorkLogEntry>> {
  const entry = await mustSeeEntry(ctx, entryid);
  await refuseImpossible(ctx, entry, 'finish');
  const gaps = await gapsOf(ctx, entry, reasons);
  return answered(ctx, await appended(ctx, entry, { type: 'finish', userid: mustUserid(ctx), moment, gaps }));
}

/**
 * Throws 409 with the entry if another person's move made this one impossible, 422 if it was impossible anyway.
 */
export async function refuseImpossible(ctx: Context, entry: EntryFacts, move: EntryMove): Promise<void> {
  const refusal = moveRefusal(entry, move, mustUserid(ctx), can(ctx.viewer, 'entry.actForHolder', { entry }));
  if (refusal === 'conflict') throw conflict(await recordOf(ctx, entry));
  if (refusal === 'invalid') {
    const { status } = foldEntry(entry);
    throw new Problem('invalid', `This entry is ${status}: ${move} is not possible`, {
      errors: [{ field: 'status', message: `The entry is ${status}` }],
    });
  }
}

/** Adds an event to an entry and stores it. */
export async function appended(ctx: Context, entry: EntryFacts, event: NewEvent): Promise<EntryFacts> {
  const stationid = ctx.viewer.station?.stationid;
  const next = appendEvent(entry, { ...event, stationid }, ctx.services.now());
  const handoffid = event.type === 'assume' ? await nextNumber(ctx.db, 'handoff') : entry.handoffid;
  const isEnd = event.type === 'finish' || event.type === 'cancel';
  const moved: EntryFacts = {
    ...next,
    handoffid,
    ...(event.type === 'assume' ? withTeamsOf(ctx, next) : {}),
    ...(isEnd ? { record: await sealOf(ctx, next) } : {}),
  };
  await saveEntry(ctx, moved);
  if (event.type === 'finish') await workFinished(ctx, event.userid);
  return moved;
}

/** The teams of everyone who held the entry, the caller's included. */
function withTeamsOf({ viewer }: Context, { teamids = [] }: EntryFacts): Pick<EntryFacts, 'teamids'> {
  const all = [...new Set([...teamids, ...viewer.teams])];
  return all.length === 0 ? {} : { teamids: all };
}

/** Saves form values; fields that the call does not name keep their values. */
export async function recordData(
  ctx: Context,
  entryid: number,
  body: StepData,
): Promise<Remembered<WorkLogEntry>> {
  const { fields, details, lasttimingid, ...moment } = body;
  const entry = await mustSeeEntry(ctx, entryid);
  const read = await readValues(ctx, entry, { fields, details });
  await refuseImpossible(ctx, entry, 'data');
  if (lasttimingid != null && lasttimingid !== foldEntry(entry).timingid)
    throw conflict(await recordOf(ctx, entry));
  if (read.values.length === 0) return answered(ctx, entry);
  const known = new Set(entry.images.map((image) => image.id));
  const enriched = {
    ...entry,
    max_form_revisionid: Math.max(entry.max_form_revisionid, read.maxFormRevisionid),
    images: [...entry.images, ...read.images.filter((image) => !known.has(image.id))],
  };
  const moved = await appended(ctx, enriched, {
    type: 'data',
    userid: mustUserid(ctx),
    moment,
    data: read.values,
  });
  return answered(ctx, moved);
}

/** Stores an entry whose events are complete, and updates what follows from it. */
export async function saveEntry(ctx: Context, entry: EntryFacts): Promise<void> {
  const { userid, status, starttime, endtime, gaps } = foldEntry(entry);
  const { entryid } = entry;
  await setColumns(ctx.db, { entryid, userid, status, starttime, endtime, gaps: gaps.length });
  const audience = await audienceOfEntry(ctx, entry);
  ctx.changes.put('workLog', entry.entryid, entry, audience);
  await followEntry(ctx, entry, audience);
  await followFulfilment(ctx, entry);
  await followEvent(ctx, entry);
  await followTracing(ctx, entry);
  await followReports(ctx, entry);
}

/** Stores what changed around the events of an entry, and who sees it therefore. */
export async function saveAround(ctx: Context, entry: EntryFacts): Promise<void> {
  const guide = await findStored(ctx, 'guides', entry.guideid);
  const audience = entryAudience({ entry, guide, seconds: ctx.seconds });
  ctx.changes.put('workLog', entry.entryid, entry, audience);
  await republishDeviations(ctx, entry.entryid, audience);
  await followVersion(ctx, entry, guide ?? null);
}

/** Deletes an entry and its data. */
export async function removeEntry(ctx: Context, entryid: number): Promise<void> {
  await dropEntry(ctx, await mustSeeEntry(ctx, entryid));
}

/** As {@link removeEntry}, whoever may see it. */
export async function dropEntry(ctx: Context, entry: EntryFacts): Promise<void> {
  const { entryid } = entry;
  await releasePlanned(ctx, entry);
  await removeDeviations(ctx, entryid);
  ctx.changes.remove('workVersions', entryid);
  await ctx.db.deleteFrom('work_log').where('entryid', '=', entryid).execute();
  ctx.changes.remove('workLog', entryid);
}

/** Gives the entries of a guide the audience that follows from the current guide; `guide` is null if it was deleted. */
export async function republishEntries(
  ctx: Context,
  guideid: number,
  guide: GuideFacts | null,
): Promise<void> {
  const rows = await ctx.db.selectFrom('work_log').select('entryid').where('guideid', '=', guideid).execute();
  for (const entry of await findDocuments(
    ctx.db,
    'workLog',
    rows.map((row) => row.entryid),
  )) {
    await followVersion(ctx, entry, guide);
    if (!foldEntry(entry).wasSuspended) continue;
    const audience = entryAudience({ entry, guide: guide ?? undefined, seconds: ctx.seconds });
    ctx.changes.put('workLog', entry.entryid, entry, audience);
    await republishDeviations(ctx, entry.entryid, audience);
  }
}
