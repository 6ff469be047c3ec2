import type { GuideFacts } from '#shared/model/guide.ts';
import { fieldType } from '#shared/model/step-form.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { entryStatus, type EntryFacts, type WorkDataValue } from '#shared/model/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { storeImage } from '#server/features/guides/import/files.ts';
import type { ImportedIds } from '#server/features/guides/import/ids.ts';
import { imageRefOf, type ImportedImage } from '#server/features/guides/import/images.ts';
import { findField } from '#server/features/step-forms/store.ts';
import { dropEntry, saveEntry } from '#server/features/work-log/store.ts';
import { findDocument } from '#server/storage/feed.ts';

import { entryAnswer, entryItem, wrappedItems, type EntryAnswer, type WorkValue } from './answers.ts';
import { eventsOf } from './entry-events.ts';
import { changedHere, deleteAbsent } from './gone.ts';
import { findMirrored, fingerprint, outcomeOf, rememberMirrored } from './mirrored.ts';
import { forEach, listed, write, type Run } from './run.ts';

/**
 * Copies the work log as far as the viewer may read it, and deletes entries that are gone.
 *
 * - MIRRORSITE-12 An entry is copied with its times, state and values. Its single events are not part of the API: they are made
 *   from the times. It has no seal and no signatures here, because this server did not witness the work.
 */
export async function mirrorWorkLog(run: Run): Promise<void> {
  const entries = await listed(run, '/work_log', entryItem, {
    collection: 'work log',
    key: ({ entryid }) => entryid,
    page: wrappedItems,
  });
  await forEach(
    run,
    'work log',
    entries,
    ({ entryid }) => `entry ${entryid}`,
    ({ entryid }) => mirrorEntry(run, entryid),
  );
  const present = new Set(entries.map(({ entryid }) => String(entryid)));
  await deleteAbsent(run, present, {
    collection: 'work log',
    kind: 'entry',
    nameOf: ({ source }) => `entry ${source}`,
    pathOf: ({ source }) => `/work_log/${source}`,
    remove: async (ctx, { id, ours }) => {
      const facts = await findDocument(ctx.db, 'workLog', id);
      if (facts !== undefined && entryLike(facts) !== ours) return changedHere;
      if (facts !== undefined) await dropEntry(ctx, facts);
      return null;
    },
  });
}

async function mirrorEntry(run: Run, entryid: number): Promise<void> {
  const { site, report } = run;
  const known = await findMirrored(run.services.storage.reader, site, 'entry', entryid);
  if (run.dryRun) return report.count('work log', known === undefined ? 'copied' : 'unchanged');
  const entry = await run.source.read(`/work_log/${entryid}`, entryAnswer);
  const { duration: _now, active_duration: _active, pause_duration: _pause, ...rest } = entry;
  // The times of an open entry grow while nothing happens.
  const seen = fingerprint(entry.endtime === null ? rest : withoutImages(entry));
  if (known?.seen === seen) return report.count('work log', 'unchanged');
  const { images, isComplete } = await imagesOf(run, entry);
  const what = `entry ${entryid} (order ${entry.workorderid})`;
  const lost: string[] = [];
  const outcome = await write(run, async (ctx, ids) => {
    const guideid = await ids.find('guide', entry.guideid);
    const userid = await ids.find('user', entry.userid);
    const guide = guideid === undefined ? undefined : await findDocument(ctx.db, 'guides', guideid);
    if (guide === undefined || userid === undefined) return null;
    if (known !== undefined && (await entryHere(ctx, known.id)) !== known.ours) return 'kept';
    const id = known?.id ?? (await insertEntry(ctx, run, entryid, { guideid: guide.guideid, userid }));
    await ids.remember('entry', entryid, id);
    const told = await factsHere(ctx, ids, run, { entry, images, guide, userid, lost });
    const before = await findDocument(ctx.db, 'workLog', id);
    const facts = { ...before, ...told, entryid: id, guideid: guide.guideid };
    await saveEntry(ctx, facts);
    const ours = entryLike(facts);
    await rememberMirrored(ctx.db, site, 'entry', {
      source: entryid,
      id,
      seen: isComplete ? seen : '',
      ours,
    });
    return outcomeOf(known, ours);
  });
  for (const value of lost) report.lack('work log', what, value);
  if (outcome === null) report.lack('work log', what, 'Its guide or person did not come along');
  else if (outcome === 'kept') report.keep('work log', what, 'The entry was changed or deleted here');
  else report.count('work log', outcome);
}

/** An entry without the addresses of pictures, which may be signed. */
function withoutImages(entry: EntryAnswer): unknown {
  return {
    ...entry,
    work_data: entry.work_data.map(({ image_src: _src, more_photos_src: _more, ...value }) => value),
  };
}

async function imagesOf(
  run: Run,
  entry: EntryAnswer,
): Promise<{ images: ImportedImage[]; isComplete: boolean }> {
  const found = entry.work_data.flatMap(({ image_src, more_photos_src = [] }) =>
    [image_src, ...more_photos_src].filter((image) => image !== null),
  );
  const title = `order ${entry.workorderid}`;
  return run.media.pictures(
    found.map((image) => {
      const ref = imageRefOf(image);
      return { ref, drawing: { placeholder: { guid: ref.guid, guideTitle: title } } };
    }),
    entry,
    title,
  );
}

async function insertEntry(
  ctx: Context,
  run: Run,
  source: number,
  { guideid, userid }: { guideid: number; userid: number },
): Promise<number> {
  const taken = await ctx.db
    .selectFrom('work_log')
    .select('entryid')
    .where('entryid', '=', source)
    .executeTakeFirst();
  const { entryid } = await ctx.db
    .insertInto('work_log')
    .values({
      ...(run.ids === 'keep' && taken === undefined ? { entryid: source } : {}),
      guideid,
      userid,
      workorderid: '',
      status: 'started',
      starttime: 0,
      endtime: null,
      gaps: 0,
    })
    .returning('entryid')
    .executeTakeFirstOrThrow();
  return entryid;
}

async function factsHere(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  around: {
    entry: EntryAnswer;
    images: readonly ImportedImage[];
    guide: GuideFacts;
    userid: number;
    lost: string[];
  },
): Promise<Omit<EntryFacts, 'entryid' | 'guideid'>> {
  const { entry, userid, lost } = around;
  const images: ImageRef[] = [];
  for (const image of around.images) images.push(await storeImage(ctx, ids, image, userid, run.ids));
  const values: WorkDataValue[] = [];
  for (const value of entry.work_data) {
    const placed = await valueHere(ctx, ids, value);
    if (placed === null) lost.push(`A value of the type ${value.field_type} is not known here`);
    else values.push(placed);
  }
  const named = [...entry.step_durations.map(({ stepid }) => stepid), entry.active_stepid ?? 0];
  const steps = await ids.known('step', [...named, ...entry.gaps.map(({ stepid }) => stepid)]);
  const status = entryStatus.safeParse(entry.status);
  const gaps = [];
  for (const gap of entry.gaps)
    gaps.push({
      ...gap,
      stepid: steps.get(gap.stepid) ?? gap.stepid,
      field_revisionid: (await ids.find('field', gap.field_revisionid)) ?? gap.field_revisionid,
    });
  const handover = entry.handover ?? null;
  const lastHolder = handover === null ? undefined : await ids.find('user', handover.userid);
  return {
    workorderid: entry.workorderid,
    // With other numbers here, the guide of that time is not known; the present one comes closest.
    guide_revisionid: run.ids === 'keep' ? entry.guide_revisionid : around.guide.guide_revisionid,
    max_form_revisionid: entry.max_form_revisionid,
    handoffid: null,
    ...(entry.serials === undefined || entry.serials.length === 0 ? {} : { serials: entry.serials }),
    events: eventsOf({
      ...entry,
      status: status.data ?? (entry.endtime === null ? 'started' : 'complete'),
      userid,
      values,
      gaps,
      active_stepid: entry.active_stepid === null ? null : (steps.get(entry.active_stepid) ?? null),
      step_durations: entry.step_durations.flatMap(({ stepid, duration }) => {
        const here = steps.get(stepid);
        return here === undefined ? [] : [{ stepid: here, duration }];
      }),
      handover: handover === null ? null : { note: handover.note, userid: lastHolder ?? userid },
      now: Math.floor(ctx.services.now() / 1000),
    }),
    images,
  };
}

/** A value with the ids of this site; null if its type is not known here. */
async function valueHere(ctx: Context, ids: ImportedIds, value: WorkValue): Promise<WorkDataValue | null> {
  const type = fieldType.safeParse(value.field_type);
  if (!type.success) return null;
  const field_revisionid = (await ids.find('field', value.field_revisionid)) ?? value.field_revisionid;
  const field = await findField(ctx.db, field_revisionid);
  const { image_src: _src, more_photos_src: _photos, more_photos, ...rest } = value;
  const photos = await ids.known('image', (more_photos ?? []).map(Number));
  return {
    ...rest,
    field_revisionid,
    // The API tells the field of a value only through its form.
    field_guid: field?.field.field_guid ?? `field${field_revisionid}`,
    field_type: type.data,
    stepid: (await ids.find('step', value.stepid)) ?? value.stepid,
    value: await fileHere(ids, type.data, value.value),
    ...(more_photos === undefined
      ? {}
      : { more_photos: more_photos.map((id) => String(photos.get(Number(id)) ?? id)) }),
  };
}

/** The id of a file here; other values are as they are. */
async function fileHere(ids: ImportedIds, type: WorkDataValue['field_type'], value: string): Promise<string> {
  const kind = ({ Image: 'image', Document: 'document', Video: 'video' } as const)[type as 'Image'];
  if (kind === undefined || !/^\d{1,15}$/.test(value)) return value;
  const id = await ids.find(kind, Number(value));
  return id === undefined ? value : String(id);
}

/** What an entry is like here. */
async function entryHere(ctx: Context, entryid: number): Promise<string> {
  const facts = await findDocument(ctx.db, 'workLog', entryid);
  return facts === undefined ? 'deleted' : entryLike(facts);
}

function entryLike({ events, serials, confirmations, signatures, planned_orderid }: EntryFacts): string {
  return fingerprint({ events, serials, confirmations, signatures, planned_orderid });
}
