import type { GuideFacts, MediaFacts, StepFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { writeGuide } from '#server/features/guides/store.ts';
import { guideImported } from '#server/features/merits/reputation-events.ts';
import { nextNumber, raiseNumber } from '#server/storage/feed.ts';

import { storeDocument, storeImage } from './files.ts';
import type { ImportedComment, ImportedGuide } from './guide-from-answer.ts';
import { emptyGuideRow, takeVideoId, type IdChoice, type ImportedIds } from './ids.ts';
import { relinked, type LinkTargets } from './wiki-links.ts';

/** Stores a guide with its pictures, documents and comments. People and categories exist, and ids are reserved. */
export async function storeGuide(
  ctx: Context,
  ids: ImportedIds,
  guide: ImportedGuide,
  choice: IdChoice,
): Promise<{ guideid: number; notes: string[] }> {
  const { facts } = guide;
  const people = await ids.known(
    'user',
    guide.people.map((person) => person.userid),
  );
  const userid = must(people.get(facts.userid), 'the author');
  const images = new Map<number, ImageRef>();
  for (const image of guide.images)
    images.set(image.ref.id, await storeImage(ctx, ids, image, userid, choice));
  const documents: GuideFacts['documents'] = [];
  for (const document of facts.documents)
    documents.push(await storeDocument(ctx, ids, document, userid, choice));
  const targets = await linkTargets(ids, guide, choice);
  const prerequisites = await ids.known('guide', facts.prerequisites);
  const picture = (ref: ImageRef): ImageRef => images.get(ref.id) ?? ref;
  const text = (raw: string): string => relinked(raw, targets);
  const guideid = must(await ids.find('guide', facts.guideid), 'the reserved guideid');
  const stored: GuideFacts = {
    ...facts,
    guideid,
    userid,
    // The answer does not name the last editor.
    modified_userid: userid,
    revisionid: await revision(ctx, facts.revisionid, choice, 'revision'),
    guide_revisionid: await revision(ctx, facts.guide_revisionid, choice, 'guide_revision'),
    introduction_raw: text(facts.introduction_raw),
    conclusion_raw: text(facts.conclusion_raw),
    image: facts.image === null ? null : picture(facts.image),
    documents,
    featured_documentid:
      facts.featured_documentid === null
        ? null
        : ((await ids.find('document', facts.featured_documentid)) ?? null),
    intro_video:
      facts.intro_video === null ? null : await storedVideo(ctx, ids, facts.intro_video, picture, choice),
    prerequisites: facts.prerequisites.flatMap((source) => prerequisites.get(source) ?? []),
    steps: [],
  };
  for (const step of facts.steps)
    stored.steps.push(await storeStep(ctx, ids, { guideid, step, picture, text }, choice));
  await ctx.db
    .insertInto('guides')
    .values({ ...emptyGuideRow(userid), guideid, created_date: facts.created_date })
    .execute();
  await guideImported(ctx, await writeGuide(ctx, stored, userid));
  await storeComments(ctx, ids, guide.comments, { facts: stored, people, text }, choice);
  const missing = facts.prerequisites.filter((source) => !prerequisites.has(source));
  return {
    guideid,
    notes: missing.map((source) => `The prerequisite ${source} did not come along and was left out`),
  };
}

async function revision(
  ctx: Context,
  source: number,
  choice: IdChoice,
  counter: 'revision' | 'guide_revision',
): Promise<number> {
  if (choice === 'map' || source <= 0) return nextNumber(ctx.db, counter);
  await raiseNumber(ctx.db, counter, source);
  return source;
}

/** Translations of all ids that the texts of a guide and its comments refer to. */
async function linkTargets(ids: ImportedIds, guide: ImportedGuide, choice: IdChoice): Promise<LinkTargets> {
  const { facts } = guide;
  const texts = [
    facts.introduction_raw,
    facts.conclusion_raw,
    ...facts.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
    ...guide.comments.map((comment) => comment.text_raw),
  ];
  const named = (pattern: RegExp): number[] =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => Number(match[1])));
  const guides = await ids.known('guide', [...named(/\[guide\|(\d+)/g), ...named(/\/(\d+)(?=[#|\]\s]|$)/g)]);
  const steps = await ids.known('step', [...named(/\|stepid=(\d+)/g), ...named(/#s(\d+)/g)]);
  const images = await ids.known('image', named(/\[image\|(\d+)/g));
  const otherwise = (source: number): number | undefined => (choice === 'keep' ? source : undefined);
  return {
    origin: guide.origin,
    guide: (source) => guides.get(source) ?? otherwise(source),
    step: (source) => steps.get(source) ?? otherwise(source),
    image: (source) => images.get(source) ?? otherwise(source),
  };
}

interface StepToStore {
  guideid: number;
  step: StepFacts;
  picture: (ref: ImageRef) => ImageRef;
  text: (raw: string) => string;
}

async function storeStep(
  ctx: Context,
  ids: ImportedIds,
  { guideid, step, picture, text }: StepToStore,
  choice: IdChoice,
): Promise<StepFacts> {
  const stepid = must(await ids.find('step', step.stepid), 'the reserved stepid');
  await ctx.db.insertInto('steps').values({ stepid, guideid, deleted: 0 }).execute();
  const lines: StepFacts['lines'] = [];
  for (const [index, line] of step.lines.entries()) {
    lines.push({
      ...line,
      id: `${stepid}.${index + 1}`,
      lineid: line.lineid === null ? null : await storeLine(ctx, stepid, line.lineid, choice),
      text_raw: text(line.text_raw),
    });
  }
  return {
    ...step,
    stepid,
    revisionid: await revision(ctx, step.revisionid, choice, 'revision'),
    lines,
    media: await storedMedia(ctx, ids, step.media, picture, choice),
  };
}

async function storeLine(ctx: Context, stepid: number, lineid: number, choice: IdChoice): Promise<number> {
  const taken = await ctx.db
    .selectFrom('lines')
    .select('lineid')
    .where('lineid', '=', lineid)
    .executeTakeFirst();
  const row = await ctx.db
    .insertInto('lines')
    .values({ ...(choice === 'keep' && taken === undefined && lineid > 0 ? { lineid } : {}), stepid })
    .returning('lineid')
    .executeTakeFirstOrThrow();
  return row.lineid;
}

async function storedMedia(
  ctx: Context,
  ids: ImportedIds,
  media: MediaFacts,
  picture: (ref: ImageRef) => ImageRef,
  choice: IdChoice,
): Promise<MediaFacts> {
  switch (media.type) {
    case 'image':
      return { type: 'image', data: media.data.map(picture) };
    case 'video':
      return { type: 'video', data: await storedVideo(ctx, ids, media.data, picture, choice) };
    case 'embed': {
      const objectid = await takeVideoId(ctx, choice === 'keep' ? media.data.objectid : undefined);
      return { type: 'embed', data: { ...media.data, objectid } };
    }
  }
}

async function storedVideo(
  ctx: Context,
  ids: ImportedIds,
  video: VideoFacts,
  picture: (ref: ImageRef) => ImageRef,
  choice: IdChoice,
): Promise<VideoFacts> {
  const known = await ids.find('video', video.videoid);
  const videoid = known ?? (await takeVideoId(ctx, choice === 'keep' ? video.videoid : undefined));
  await ids.remember('video', video.videoid, videoid);
  return {
    ...video,
    videoid,
    objectid: choice === 'keep' ? video.objectid : videoid,
    image: video.image === null ? null : { ...video.image, image: picture(video.image.image) },
  };
}

async function storeComments(
  ctx: Context,
  ids: ImportedIds,
  comments: ImportedComment[],
  around: { facts: GuideFacts; people: Map<number, number>; text: (raw: string) => string },
  choice: IdChoice,
): Promise<void> {
  const { guideid } = around.facts;
  for (const comment of comments) {
    const { commentid: source, key: _key, title, ...facts } = comment;
    const contextid = facts.context === 'guide' ? guideid : await ids.find('step', facts.contextid);
    const parentid =
      facts.parentid === null ? null : must(await ids.find('comment', facts.parentid), 'the parent');
    const row = {
      ...facts,
      contextid: must(contextid, 'the step'),
      guideid,
      parentid,
      userid: must(around.people.get(facts.userid), 'the author of a comment'),
      text_raw: around.text(facts.text_raw),
    };
    const keepsId = choice === 'keep' && !(await commentExists(ctx, source));
    const { commentid } = await ctx.db
      .insertInto('comments')
      .values({ ...(keepsId ? { commentid: source } : {}), ...row, title, key: null })
      .returning('commentid')
      .executeTakeFirstOrThrow();
    await ids.remember('comment', source, commentid);
    ctx.changes.put('comments', commentid, { commentid, ...row }, guideAudience(around.facts));
  }
}

async function commentExists(ctx: Context, commentid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('commentid', '=', commentid)
    .executeTakeFirst();
  return row !== undefined;
}
