import type {
  EmbedFacts,
  GuideFacts,
  LineFacts,
  MediaFacts,
  StepFacts,
  VideoFacts,
} from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { stepContentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { Context } from '#server/core/context.ts';
import { newStepKey } from '#server/features/guides/edit-body.ts';
import { nextNumber, raiseNumber } from '#server/storage/feed.ts';

import { storeDocument, storeImage } from './files.ts';
import type { ImportedComment, ImportedGuide } from './guide-from-answer.ts';
import { takeVideoId, type IdChoice, type ImportedIds } from './ids.ts';
import { relinked, type LinkTargets } from './wiki-links.ts';

/** Where a guide of another site is stored: with which ids, and over which version. */
export interface Placing {
  ids: ImportedIds;
  choice: IdChoice;
  /** The version here; undefined for a guide that is not here yet. */
  before?: GuideFacts | undefined;
}

/** A guide with the ids of this site. */
export interface GuideHere {
  facts: GuideFacts;
  /** The people of the guide and its comments, by their ids on the other site. */
  people: Map<number, number>;
  /** Translates the links of a text. */
  text: (raw: string) => string;
  notes: string[];
}

/**
 * The facts of a guide with the ids of this site. Stores its pictures, documents, steps and lines, which the facts refer to.
 * People and categories exist, and ids are reserved. Steps and lines that are in `before` keep their identity.
 */
export async function factsHere(ctx: Context, guide: ImportedGuide, placing: Placing): Promise<GuideHere> {
  const { facts } = guide;
  const { ids, choice, before } = placing;
  const people = await ids.known(
    'user',
    guide.people.map((person) => person.userid),
  );
  const userid = must(people.get(facts.userid), 'the author');
  const images = new Map<number, ImageRef>();
  for (const image of guide.images)
    images.set(image.ref.id, await storeImage(ctx, ids, image, userid, choice));
  const documents: GuideFacts['documents'] = [];
  for (const document of facts.documents) {
    const file = guide.files?.get(document.documentid);
    documents.push(await storeDocument(ctx, ids, document, userid, choice, file));
  }
  const targets = await linkTargets(ids, [...textsOf(facts), ...textsOfComments(guide.comments)], {
    origin: guide.origin,
    choice,
  });
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
      facts.intro_video === null ? null : await storedVideo(ctx, placing, facts.intro_video, picture),
    prerequisites: facts.prerequisites.flatMap((source) => prerequisites.get(source) ?? []),
    steps: [],
  };
  for (const step of facts.steps) {
    const stepid = must(await ids.find('step', step.stepid), 'the reserved stepid');
    const old = before?.steps.find((one) => one.stepid === stepid);
    stored.steps.push(await storeStep(ctx, placing, { guideid, stepid, step, old, picture, text }));
  }
  const missing = facts.prerequisites.filter((source) => !prerequisites.has(source));
  const notes = missing.map((source) => `The prerequisite ${source} did not come along and was left out`);
  return { facts: stored, people, text, notes };
}

/** Those guides of the other site that are stored here, by their ids there. */
export async function guidesHere(
  { db }: Pick<Context, 'db'>,
  ids: ImportedIds,
  sources: readonly number[],
): Promise<Map<number, number>> {
  const known = await ids.known('guide', sources);
  const rows =
    known.size === 0
      ? []
      : await db
          .selectFrom('guides')
          .select('guideid')
          .where('guideid', 'in', [...known.values()])
          .where('deleted', '=', 0)
          .execute();
  const stored = new Set(rows.map(({ guideid }) => guideid));
  return new Map([...known].filter(([, guideid]) => stored.has(guideid)));
}

function textsOf(facts: GuideFacts): string[] {
  return [
    facts.introduction_raw,
    facts.conclusion_raw,
    ...facts.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
  ];
}

function textsOfComments(comments: readonly ImportedComment[]): string[] {
  return comments.map((comment) => comment.text_raw);
}

/** A number of the other site, or with `map`, and for a number that another guide has here, the next one here. */
async function revision(
  ctx: Context,
  source: number,
  choice: IdChoice,
  counter: 'revision' | 'guide_revision',
): Promise<number> {
  if (choice === 'map' || source <= 0) return nextNumber(ctx.db, counter);
  if (counter === 'guide_revision' && (await isVersion(ctx, source))) return nextNumber(ctx.db, counter);
  await raiseNumber(ctx.db, counter, source);
  return source;
}

async function isVersion(ctx: Context, guide_revisionid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('guide_revisions')
    .select('guideid')
    .where('guide_revisionid', '=', guide_revisionid)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of guides, steps and pictures that texts of another site refer to. */
export function idsNamedIn(texts: readonly string[]): Record<'guide' | 'step' | 'image', number[]> {
  const named = (pattern: RegExp): number[] =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => Number(match[1])));
  return {
    guide: [...named(/\[guide\|(\d+)/g), ...named(/\/(\d+)(?=[#|\]\s]|$)/g)],
    step: [...named(/\|stepid=(\d+)/g), ...named(/#s(\d+)/g)],
    image: named(/\[image\|(\d+)/g),
  };
}

/** Translations of all ids that texts of another site refer to. `origin`: the address of that site. */
export async function linkTargets(
  ids: ImportedIds,
  texts: readonly string[],
  { origin, choice }: { origin: string; choice: IdChoice },
): Promise<LinkTargets> {
  const named = idsNamedIn(texts);
  const guides = await ids.known('guide', named.guide);
  const steps = await ids.known('step', named.step);
  const images = await ids.known('image', named.image);
  const otherwise = (source: number): number | undefined => (choice === 'keep' ? source : undefined);
  return {
    origin,
    guide: (source) => guides.get(source) ?? otherwise(source),
    step: (source) => steps.get(source) ?? otherwise(source),
    image: (source) => images.get(source) ?? otherwise(source),
  };
}

interface StepToStore {
  guideid: number;
  stepid: number;
  step: StepFacts;
  old: StepFacts | undefined;
  picture: (ref: ImageRef) => ImageRef;
  text: (raw: string) => string;
}

async function storeStep(
  ctx: Context,
  placing: Placing,
  { guideid, stepid, step, old, picture, text }: StepToStore,
): Promise<StepFacts> {
  const { choice } = placing;
  await ctx.db
    .insertInto('steps')
    .values({ stepid, guideid, deleted: 0 })
    .onConflict((conflict) => conflict.column('stepid').doUpdateSet({ guideid, deleted: 0 }))
    .execute();
  const next: StepFacts = {
    ...step,
    ...(old?.key === undefined ? {} : { key: old.key }),
    stepid,
    lines: await storeLines(ctx, placing, { stepid, lines: step.lines, old, text }),
    media: await storedMedia(ctx, placing, step.media, old?.media, picture),
  };
  const isSame = old !== undefined && sameValue(stepContentOf(old), stepContentOf(next));
  if (isSame && choice === 'map') return old;
  return { ...next, revisionid: await revision(ctx, step.revisionid, choice, 'revision') };
}

/** The lines of a step. One that was there keeps its identity, by its number or else by its text. */
async function storeLines(
  ctx: Context,
  placing: Placing,
  {
    stepid,
    lines,
    old,
    text,
  }: Pick<StepToStore, 'stepid' | 'old' | 'text'> & { lines: readonly LineFacts[] },
): Promise<LineFacts[]> {
  const stored: LineFacts[] = [];
  const free = new Map((old?.lines ?? []).map((line) => [line.id, line]));
  for (const [index, line] of lines.entries()) {
    const text_raw = text(line.text_raw);
    const was = await lineThere(placing, line.lineid, text_raw, [...free.values()]);
    if (was !== undefined) free.delete(was.id);
    const fresh = old === undefined ? `${stepid}.${index + 1}` : newStepKey(ctx);
    const lineid =
      line.lineid === null ? null : (was?.lineid ?? (await storeLine(ctx, placing, stepid, line.lineid)));
    stored.push({ ...line, id: was?.id ?? fresh, lineid, text_raw });
  }
  return stored;
}

async function lineThere(
  { ids, before }: Placing,
  source: number | null,
  text: string,
  lines: readonly LineFacts[],
): Promise<LineFacts | undefined> {
  if (before === undefined) return undefined;
  if (source === null) return lines.find((line) => line.lineid === null && line.text_raw === text);
  const lineid = (await ids.find('line', source)) ?? source;
  return lines.find((line) => line.lineid === lineid);
}

/** The number of a new line; one that differs from that of the other site is remembered. */
async function storeLine(
  ctx: Context,
  { ids, choice }: Placing,
  stepid: number,
  source: number,
): Promise<number> {
  const taken = await ctx.db
    .selectFrom('lines')
    .select('lineid')
    .where('lineid', '=', source)
    .executeTakeFirst();
  const keeps = choice === 'keep' && taken === undefined && source > 0;
  const { lineid } = await ctx.db
    .insertInto('lines')
    .values({ ...(keeps ? { lineid: source } : {}), stepid })
    .returning('lineid')
    .executeTakeFirstOrThrow();
  if (lineid !== source) await ids.remember('line', source, lineid);
  return lineid;
}

async function storedMedia(
  ctx: Context,
  placing: Placing,
  media: MediaFacts,
  old: MediaFacts | undefined,
  picture: (ref: ImageRef) => ImageRef,
): Promise<MediaFacts> {
  switch (media.type) {
    case 'image':
      return { type: 'image', data: media.data.map(picture) };
    case 'video':
      return { type: 'video', data: await storedVideo(ctx, placing, media.data, picture) };
    case 'embed':
      return { type: 'embed', data: await storedEmbed(ctx, placing, media.data, old) };
  }
}

/** The embedded page, under its number here if the step shows it already. */
async function storedEmbed(
  ctx: Context,
  { choice }: Placing,
  embed: EmbedFacts,
  old: MediaFacts | undefined,
): Promise<EmbedFacts> {
  if (old?.type === 'embed' && old.data.url === embed.url) return { ...embed, objectid: old.data.objectid };
  return { ...embed, objectid: await takeVideoId(ctx, choice === 'keep' ? embed.objectid : undefined) };
}

async function storedVideo(
  ctx: Context,
  { ids, choice }: Placing,
  video: VideoFacts,
  picture: (ref: ImageRef) => ImageRef,
): Promise<VideoFacts> {
  const known = await ids.find('video', video.videoid);
  const videoid = known ?? (await takeVideoId(ctx, choice === 'keep' ? video.videoid : undefined));
  if (known === undefined) await ids.remember('video', video.videoid, videoid);
  return {
    ...video,
    videoid,
    objectid: choice === 'keep' ? video.objectid : videoid,
    image: video.image === null ? null : { ...video.image, image: picture(video.image.image) },
  };
}
