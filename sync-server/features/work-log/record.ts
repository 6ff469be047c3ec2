import type { GuideFacts } from '#shared/model/guide.ts';
import { imageObjectOf } from '#shared/model/image.ts';
import type { EntryFacts, WorkDataValue, WorkLogEntry, WorkVideo } from '#shared/model/work-log.ts';
import { brokenLimit, isDeviating } from '#shared/rules/field-value.ts';
import { foldEntry, type FoldedEntry, type FoldedValue } from '#shared/rules/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { findAllStored } from '#server/storage/feed.ts';
import { preparedList } from '#server/storage/prepared.ts';
import { videoRecord } from '#shared/rules/guide-record.ts';

import { documentUrls, videoFactsOf } from '../media/files.ts';
import { stationsOf } from './access.ts';
import { revisionRecords } from './revisions.ts';

/**
 * Entries as records, in the given order. The duration of open entries ends now.
 *
 * - WORK-LOG-1 A value that refers to a file has its address: a picture has `image_src`, a document `document_src`, a
 *   video `video_src` and `video_data`, with its addresses by kind and its poster.
 * - WORK-LOG-2 A complete entry names the required fields that had no value at the end, with the reason or without one. A
 *   call that gives no reasons succeeds. A reason is kept also if the field left its guide, or became optional, before
 *   the call arrived.
 * - WORK-LOG-4 An entry has the note of its last suspension, with its author and time.
 * - WORK-LOG-3 A number is recorded also when it is out of limits. The entry keeps the limits of the form revision that it
 *   was recorded with, and flags it.
 */
export async function entryRecords(ctx: Context, entries: EntryFacts[]): Promise<WorkLogEntry[]> {
  const guides = await findAllStored(ctx, 'guides', [...new Set(entries.map((entry) => entry.guideid))]);
  const steps = new Map(guides.map((guide) => [guide.guideid, stepNumbers(guide)]));
  const values = entries.flatMap((entry) => entry.events.flatMap((event) => event.data ?? []));
  const documents = await documentUrls(ctx, mediaIds(values, 'Document'));
  const deviations = await countDeviations(ctx, entries);
  const videos = await workVideos(ctx, mediaIds(values, 'Video'));
  const sourceOf = (
    value: WorkDataValue,
    entry: EntryFacts,
  ): Pick<WorkLogEntry['work_data'][number], 'image_src' | 'document_src' | 'video_src' | 'video_data'> => {
    const id = Number(value.value);
    const image = value.field_type === 'Image' ? entry.images.find((one) => one.id === id) : undefined;
    const document = value.field_type === 'Document' ? documents.get(id) : undefined;
    const video = value.field_type === 'Video' ? videos.get(id) : undefined;
    return {
      ...(image === undefined ? {} : { image_src: imageObjectOf(image, ctx.baseUrl) }),
      ...(document === undefined ? {} : { document_src: document }),
      ...(video === undefined
        ? {}
        : { video_src: Object.values(video.video_urls)[0] ?? '', video_data: video }),
    };
  };
  return entries.map((entry) => {
    const folded = foldEntry(entry, ctx.services.now());
    return {
      entryid: entry.entryid,
      guideid: entry.guideid,
      userid: folded.userid,
      workorderid: entry.workorderid,
      starttime: folded.starttime,
      endtime: folded.endtime,
      timingid: folded.timingid,
      duration: folded.duration,
      active_duration: folded.active_duration,
      status: folded.status,
      cancelled: folded.cancelled,
      handoffid: entry.handoffid,
      guide_revisionid: entry.guide_revisionid,
      max_form_revisionid: entry.max_form_revisionid,
      work_data: folded.work_data.map((value) => ({
        label: value.label,
        value: value.value,
        field_revisionid: value.field_revisionid,
        stepid: value.stepid,
        step_number: steps.get(entry.guideid)?.get(value.stepid) ?? null,
        field_type: value.field_type,
        ...(value.limits === undefined
          ? {}
          : { limits: value.limits, out_of_limits: brokenLimit(value) !== null }),
        ...(value.unit === undefined ? {} : { unit: value.unit }),
        ...(value.computed === undefined ? {} : { computed: value.computed }),
        ...(value.failed === undefined ? {} : { failed: value.failed }),
        ...(value.reason === undefined ? {} : { reason: value.reason }),
        ...morePhotos(value, entry, ctx.baseUrl),
        ...secondPersonOf(value),
        ...sourceOf(value, entry),
      })),
      signoffs: [],
      pause_duration: folded.pause_duration,
      active_stepid: folded.active_stepid,
      step_durations: folded.step_durations,
      time_adjusted: folded.time_adjusted,
      ...(entry.planned_orderid === undefined ? {} : { planned_orderid: entry.planned_orderid }),
      ...(entry.serials === undefined ? {} : { serials: entry.serials }),
      ...(entry.release === undefined ? {} : { release: entry.release }),
      ...(folded.handover === null
        ? {}
        : { handover: { ...folded.handover, at: Math.floor(folded.handover.at / 1000) } }),
      ...revisionRecords(entry),
      deviations: deviations.get(entry.entryid) ?? 0,
      ...stationRecords(entry),
      ...(folded.status === 'complete' ? { gaps: folded.gaps, has_deviations: hasDeviations(folded) } : {}),
    };
  });
}

/** The number of deviations that were reported in each of the entries; those without any are left out. */
async function countDeviations(
  { db }: Pick<Context, 'db'>,
  entries: readonly EntryFacts[],
): Promise<Map<number, number>> {
  const rows = await deviationCounts(
    db,
    entries.map(({ entryid }) => entryid),
    {},
  );
  return new Map(rows.map(({ entryid, number }) => [entryid, number]));
}

const deviationCounts = preparedList<Record<never, never>, number, { entryid: number; number: number }>(
  (db, entryids) =>
    db
      .selectFrom('deviations')
      .select(['entryid', ({ fn }) => fn.countAll<number>().as('number')])
      .where('entryid', 'in', entryids)
      .groupBy('entryid'),
);

/** The stations at which an entry was recorded, if any. */
function stationRecords(entry: EntryFacts): Pick<WorkLogEntry, 'stations'> {
  const stations = stationsOf(entry);
  return stations.length === 0 ? {} : { stations };
}

/** The pictures of a value after the first one. */
function morePhotos(
  { more_photos }: WorkDataValue,
  { images }: EntryFacts,
  baseUrl: string,
): Pick<WorkLogEntry['work_data'][number], 'more_photos' | 'more_photos_src'> {
  if (more_photos === undefined) return {};
  const found = more_photos.flatMap((id) => images.find((one) => String(one.id) === id) ?? []);
  return { more_photos, more_photos_src: found.map((image) => imageObjectOf(image, baseUrl)) };
}

/** The second person of a value, and whether the server verified who it is (COSIGN-3, COSIGN-4). */
function secondPersonOf({
  value,
  second_person,
  confirmed,
}: FoldedValue): Pick<WorkLogEntry['work_data'][number], 'second_person'> {
  if (second_person === undefined) return {};
  if (confirmed !== undefined) {
    const { userid, name, at, method } = confirmed;
    return { second_person: { state: 'confirmed', name, userid, at: Math.floor(at / 1000), method } };
  }
  const { userid = null, lost } = second_person;
  const unverified = { userid, at: null, method: null };
  return lost === undefined
    ? { second_person: { state: 'named', name: value, ...unverified } }
    : { second_person: { state: 'lost', name: lost, ...unverified } };
}

/** Whether required values are missing, or values are out of limits or failed. */
function hasDeviations({ gaps, work_data }: FoldedEntry): boolean {
  return gaps.length > 0 || work_data.some(isDeviating);
}

function stepNumbers(guide: GuideFacts): Map<number, number> {
  return new Map(guide.steps.map((step, index) => [step.stepid, index + 1]));
}

function mediaIds(values: WorkDataValue[], type: WorkDataValue['field_type']): number[] {
  const ids = values
    .filter((value) => value.field_type === type && value.value !== '')
    .map((value) => Number(value.value));
  return [...new Set(ids)];
}

/** Videos by id, in the form used by values of entries. */
async function workVideos(ctx: Context, videoids: number[]): Promise<Map<number, WorkVideo>> {
  if (videoids.length === 0) return new Map();
  const rows = await ctx.db.selectFrom('video_files').selectAll().where('videoid', 'in', videoids).execute();
  return new Map(
    rows.map((row) => {
      const { videoid, srcid, image, encodings } = videoRecord(videoFactsOf(row), ctx.baseUrl);
      const { id, guid: _guid, ...sizes } = image?.image ?? { id: null, guid: '' };
      const urls = encodings.map(({ column, url }) => [column.toLowerCase(), url]);
      return [
        videoid,
        {
          type: 'GuideVideoObject',
          videoid,
          srcid,
          guid: row.guid,
          active: true,
          imageid: id,
          video_urls: Object.fromEntries(urls) as Record<string, string>,
          ...sizes,
        },
      ];
    }),
  );
}
