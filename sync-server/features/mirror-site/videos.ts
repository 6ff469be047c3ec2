import type { GuideFacts, VideoFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/core/context.ts';
import type { ImportedGuide } from '#server/features/guides/import/guide-from-answer.ts';
import type { ImportedIds } from '#server/features/guides/import/ids.ts';
import { newGuid } from '#server/platform/random.ts';

import type { ReadyVideo } from './media.ts';
import { findMirrored, rememberMirrored } from './mirrored.ts';
import type { Run } from './run.ts';

/** Fetches the encodings of the videos of a guide that are not here yet. */
export async function readVideos(
  run: Run,
  { facts }: ImportedGuide,
  what: string,
): Promise<{ files: Map<string, ReadyVideo>; isComplete: boolean }> {
  const videos = videosOf(facts);
  const here = new Set<string>();
  for (const { url } of videos.flatMap(({ encodings }) => encodings))
    if ((await findMirrored(run.services.storage.reader, run.site, 'video', url)) !== undefined)
      here.add(url);
  return run.media.videos(videos, here, what);
}

function videosOf({ steps, intro_video }: GuideFacts): VideoFacts[] {
  const inSteps = steps.flatMap(({ media }) => (media.type === 'video' ? [media.data] : []));
  return intro_video === null ? inSteps : [...inSteps, intro_video];
}

/** Stores the files of the videos of a guide. Returns the guide with their addresses here; others lead to their site. */
export async function storeVideos(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  guide: ImportedGuide,
  files: ReadonlyMap<string, ReadyVideo>,
): Promise<ImportedGuide> {
  const { facts } = guide;
  const place = (video: VideoFacts): Promise<VideoFacts> => storeVideo(ctx, ids, run, video, files);
  const steps: GuideFacts['steps'] = [];
  for (const step of facts.steps) {
    const { media } = step;
    steps.push(
      media.type === 'video' ? { ...step, media: { type: 'video', data: await place(media.data) } } : step,
    );
  }
  const intro_video = facts.intro_video === null ? null : await place(facts.intro_video);
  return { ...guide, facts: { ...facts, steps, intro_video } };
}

async function storeVideo(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  video: VideoFacts,
  files: ReadonlyMap<string, ReadyVideo>,
): Promise<VideoFacts> {
  const encodings: VideoFacts['encodings'] = [];
  for (const encoding of video.encodings) {
    const guid = await guidOf(ctx, ids, run, { video, url: encoding.url, file: files.get(encoding.url) });
    encodings.push({
      ...encoding,
      url: guid === null ? run.source.absolute(encoding.url) : `/igo/${guid}`,
    });
  }
  return { ...video, encodings };
}

/** The guid of an encoding here; null if it could not be had. */
async function guidOf(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  { video, url, file }: { video: VideoFacts; url: string; file: ReadyVideo | undefined },
): Promise<string | null> {
  const known = await findMirrored(ctx.db, run.site, 'video', url);
  if (known !== undefined) return known.seen;
  if (file === undefined) return null;
  const named = /\/igo\/([A-Za-z0-9]{12,64})(?:[./?]|$)/.exec(url)?.[1];
  const guid =
    named !== undefined && (await isFree(ctx, 'guid', named)) ? named : newGuid(ctx.services.randomBytes);
  const keepsId =
    run.ids === 'keep' &&
    (await ids.find('video', video.videoid)) === undefined &&
    (await isFree(ctx, 'videoid', video.videoid));
  const { videoid } = await ctx.db
    .insertInto('video_files')
    .values({
      ...(keepsId ? { videoid: video.videoid } : {}),
      guid,
      userid: 0,
      ...file,
      created_date: ctx.seconds,
      duration: video.duration,
      width: video.width,
      height: video.height,
    })
    .returning('videoid')
    .executeTakeFirstOrThrow();
  if ((await ids.find('video', video.videoid)) === undefined)
    await ids.remember('video', video.videoid, videoid);
  await rememberMirrored(ctx.db, run.site, 'video', { source: url, id: videoid, seen: guid, ours: '' });
  return guid;
}

async function isFree(ctx: Context, column: 'guid' | 'videoid', value: string | number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('video_files')
    .select('videoid')
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined;
}
