import {
  deviationNoteLimit,
  deviationPicturesLimit,
  type DeviationFilter,
  type NewDecision,
  type NewDeviation,
} from '#shared/api/deviations.ts';
import { conflict, invalid } from '#shared/api/problem.ts';
import type { Deviation, DeviationFacts } from '#shared/model/deviations.ts';
import { imageObjectOf, type ImageRef } from '#shared/model/image.ts';
import type { WorkDataValue } from '#shared/model/work-log.ts';
import { isDeviating } from '#shared/rules/field-value.ts';
import { eventTime, foldEntry } from '#shared/rules/work-log.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { findDocuments, findPresent, nextNumber, visibleAudiences } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';

import { ownImage } from '../media/manager.ts';
import { audienceOfEntry, mustSeeEntry } from '../work-log/policy.ts';
import { mustSeeDeviation } from './policy.ts';
import { covers, lastValue, storeDeviation } from './publish.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

/**
 * Deviations as API records.
 *
 * - DEVIATION-1 A deviation says who reported what, the value with the limits of its form revision, pictures, and who
 *   decided what happens to the part and why. Everyone who sees the entry sees it.
 */
export function recordOf(
  ctx: Context,
  { uid: _uid, key: _key, images, ...facts }: DeviationFacts,
): Deviation {
  return {
    ...facts,
    images: images.map((image) => imageObjectOf(image, ctx.baseUrl)),
    decision: facts.decisions.at(-1) ?? null,
  };
}

/** A deviation as a record; throws 404 if the viewer may not see it. */
export async function representDeviation(ctx: Context, deviationid: number): Promise<Deviation> {
  return recordOf(ctx, await mustSeeDeviation(ctx, deviationid));
}

function answered(ctx: Context, facts: DeviationFacts): Promise<Remembered<Deviation>> {
  return ctx.respondWithRecord('deviation', facts.deviationid, recordOf(ctx, facts));
}

/** A page of the deviations that the viewer may see, ordered by deviationid. */
export async function listDeviations(ctx: Context, filter: DeviationFilter): Promise<Deviation[]> {
  const visible = [nobody, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  let select = ctx.db
    .selectFrom('deviations')
    .crossJoin('documents')
    .where('documents.collection', '=', 'deviations')
    .where((eb) => eb('documents.id', '=', eb.cast<string>('deviationid', 'text')))
    .where('documents.audience', 'in', visible)
    .select('deviationid');
  if (filter.entryid !== undefined) select = select.where('entryid', '=', filter.entryid);
  if (filter.guideid !== undefined) select = select.where('guideid', '=', filter.guideid);
  if (filter.workorderid !== undefined) select = select.where('workorderid', '=', filter.workorderid);
  if (filter.state !== undefined) select = select.where('decided', '=', filter.state === 'decided' ? 1 : 0);
  const rows = await readPage(
    ctx,
    select.orderBy('deviationid', filter.order === 'ASC' ? 'asc' : 'desc'),
    filter,
  );
  const facts = await findDocuments(
    ctx.db,
    'deviations',
    rows.map(({ deviationid }) => deviationid),
  );
  return facts.map((one) => recordOf(ctx, one));
}

/**
 * Reports a deviation. Throws 422 if there is nothing to report.
 *
 * - DEVIATION-2 People who worked on an order report a deviation in it, also when it is over: a value that is out of
 *   limits or failed, or anything else in their words. Another report of a field adds its words and pictures to the open
 *   deviation, or to the decided one about the same value.
 * - DEVIATION-7 A deviation holds at most 20,000 characters and 100 pictures. A report that does not fit becomes a further
 *   deviation about the same value, with “(continued)” after its title, so that nothing is lost or refused.
 */
export async function reportDeviation(ctx: Context, body: NewDeviation): Promise<Remembered<Deviation>> {
  const { entryid, field_revisionid, title, note = '', images: imageids = [], ...moment } = body;
  const entry = await mustSeeEntry(ctx, entryid);
  const images: ImageRef[] = [];
  for (const imageid of imageids) images.push(...[await ownImage(ctx, imageid)].flatMap((one) => one ?? []));
  const { work_data, active_stepid } = foldEntry(entry);
  const named = work_data.find((one) => one.field_revisionid === field_revisionid);
  const value = named === undefined ? undefined : lastValue(entry, named.field_guid);
  if (field_revisionid !== undefined && (value === undefined || !isDeviating(value)))
    throw invalid('field_revisionid', 'The entry has no value out of limits or failed in this field');
  const known = value === undefined ? [] : await deviationsAbout(ctx, entryid, value);
  const last = known.at(-1);
  const fresh: Words = {
    words: [title ?? '', note].filter((one) => one !== '' && !known.some((facts) => says(facts, one))),
    images: images.filter(({ id }) => !known.some((facts) => facts.images.some((one) => one.id === id))),
  };
  if (last !== undefined && hasRoom(last, fresh)) return addToDeviation(ctx, last, fresh);
  const name = last === undefined ? (title ?? value?.label) : continued(last.title);
  if (name === undefined) throw invalid('title', 'Say what deviates');
  const facts = await storeDeviation(ctx, entry, await audienceOfEntry(ctx, entry), {
    title: name,
    ...(last === undefined ? { note, images } : { note: paragraphs(fresh.words), images: [...fresh.images] }),
    userid: mustUserid(ctx),
    date: Math.floor(eventTime(entry, moment, ctx.services.now()) / 1000),
    stepid: value?.stepid ?? moment.stepid ?? active_stepid ?? 0,
    value,
    stationid: ctx.viewer.station?.stationid,
  });
  if (ctx.key !== null) ctx.created(ctx.key, facts.deviationid);
  return answered(ctx, facts);
}

/** What a report adds to what is known. */
interface Words {
  words: readonly string[];
  images: readonly ImageRef[];
}

/** The deviations of an entry about this value, oldest first: open ones, and those decided about the same value. */
async function deviationsAbout(
  ctx: Context,
  entryid: number,
  value: WorkDataValue,
): Promise<DeviationFacts[]> {
  const rows = await ctx.db
    .selectFrom('deviations')
    .select('deviationid')
    .where('entryid', '=', entryid)
    .where('field_guid', '=', value.field_guid)
    .orderBy('deviationid')
    .execute();
  const ids = rows.map(({ deviationid }) => deviationid);
  return (await findPresent(ctx, 'deviations', ids)).filter((facts) => covers(facts, value));
}

function paragraphs(words: readonly string[]): string {
  return words.filter((one) => one !== '').join('\n\n');
}

/** Whether a deviation has these words, as its title or as paragraphs of its note. */
function says({ title, note }: DeviationFacts, words: string): boolean {
  return title === words || `\n\n${note}\n\n`.includes(`\n\n${words}\n\n`);
}

function hasRoom({ note, images }: DeviationFacts, added: Words): boolean {
  const isShort = paragraphs([note, ...added.words]).length <= deviationNoteLimit;
  const isFew = images.length + added.images.length <= deviationPicturesLimit;
  return (isShort || added.words.length === 0) && (isFew || added.images.length === 0);
}

/** The title of a further deviation about the same value. */
function continued(title: string): string {
  const mark = ' (continued)';
  return title.endsWith(mark) ? title : title + mark;
}

async function addToDeviation(
  ctx: Context,
  facts: DeviationFacts,
  { words, images }: Words,
): Promise<Remembered<Deviation>> {
  const note = paragraphs([facts.note, ...words]);
  const grown: DeviationFacts = { ...facts, note, images: [...facts.images, ...images] };
  if (ctx.key !== null) ctx.created(ctx.key, facts.deviationid);
  return answered(ctx, words.length > 0 || images.length > 0 ? await storeAgain(ctx, grown) : facts);
}

/** Stores a changed deviation as its next revision. */
async function storeAgain(ctx: Context, changed: DeviationFacts): Promise<DeviationFacts> {
  const facts = { ...changed, revisionid: await nextNumber(ctx.db, 'revision') };
  const entry = await mustSeeEntry(ctx, facts.entryid);
  ctx.changes.put('deviations', facts.deviationid, facts, await audienceOfEntry(ctx, entry));
  return facts;
}

/**
 * Decides what happens to the part. Throws 409 with the deviation if it changed since `revisionid`.
 *
 * - DEVIATION-5 A lead of the team decides, with a reason, but not about work of their own; an administrator decides
 *   about any. The decision names the revision of the deviation, and is checked again when it arrives: 409 if the value
 *   was measured again or somebody else decided. Earlier decisions are kept.
 */
export async function decideDeviation(
  ctx: Context,
  deviationid: number,
  { disposition, reason }: NewDecision,
  revisionid: number,
): Promise<Remembered<Deviation>> {
  const facts = await mustSeeDeviation(ctx, deviationid);
  if (facts.revisionid !== revisionid) throw conflict(recordOf(ctx, facts));
  const decision = { disposition, reason, userid: mustUserid(ctx), date: ctx.seconds };
  await ctx.db.updateTable('deviations').set({ decided: 1 }).where('deviationid', '=', deviationid).execute();
  return answered(ctx, await storeAgain(ctx, { ...facts, decisions: [...facts.decisions, decision] }));
}
