import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/core/context.ts';
import { deleteGuide } from '#server/features/guides/delete-guide.ts';
import { guidesHere, idsNamedIn } from '#server/features/guides/import/facts-here.ts';
import { guideFromAnswer, type ImportedGuide } from '#server/features/guides/import/guide-from-answer.ts';
import { guideExists, ImportedIds, reserveIds, reserveSteps } from '#server/features/guides/import/ids.ts';
import { addCategory } from '#server/features/guides/import/import-guides.ts';
import { storeGuide, updateGuide } from '#server/features/guides/import/store-guide.ts';
import { findDocument } from '#server/storage/feed.ts';
import { must } from '#shared/must.ts';
import { z } from 'zod';

import { guideItem, type GuideItem } from './answers.ts';
import { changedHere, deleteAbsent } from './gone.ts';
import { findMirrored, fingerprint, outcomeOf, rememberMirrored, type Mirrored } from './mirrored.ts';
import { copyAuthors, mirrorAuthor } from './people.ts';
import { forEach, listed, orReport, write, type Run } from './run.ts';
import { mirrorGuideTags } from './tags.ts';
import type { ReadyVideo } from './media.ts';
import { readVideos, storeVideos } from './videos.ts';

/** Guides that are reserved in one transaction. */
const reservedTogether = 500;

/**
 * The guides that the site lists to this viewer. Their ids are reserved, so that texts can link to guides that come later.
 */
export async function listGuides(run: Run): Promise<GuideItem[]> {
  const key = ({ guideid }: GuideItem): number => guideid;
  const query = run.viewer?.isAdmin === true ? { includePrivate: true } : {};
  const shown = await listed(run, '/guides', guideItem, { collection: 'guides', key, query });
  const own: GuideItem[] = [];
  if (run.viewer !== null && !run.viewer.isAdmin)
    await orReport(run, 'guides', "the viewer's own guides", async () => {
      own.push(...(await listed(run, '/user/guides', guideItem, { collection: 'guides', key })));
    });
  const all = [...new Map([...shown, ...own].map((one) => [one.guideid, one])).values()];
  if (!run.dryRun)
    for (let start = 0; start < all.length; start += reservedTogether)
      await reserve(run, all.slice(start, start + reservedTogether));
  return all;
}

/** Reserves the ids of guides. A row needs an author, so in a site without people this waits for the guides. */
async function reserve(run: Run, guides: readonly GuideItem[]): Promise<void> {
  await write(run, async (ctx, ids) => {
    const person = await ctx.db.selectFrom('users').select('userid').limit(1).executeTakeFirst();
    if (person === undefined) return;
    for (const { guideid } of guides)
      await reserveIds(ctx, ids, { guideid, stepids: [] }, run.ids, person.userid);
  });
}

/** A guide to copy. `reading`: if it was read already, and waits for its prerequisites. */
interface Waiting {
  item: GuideItem;
  reading?: Reading;
}

/** Copies guides with their steps, media and tags, and deletes those that are gone. */
export async function mirrorGuides(run: Run, guides: readonly GuideItem[]): Promise<void> {
  const present = new Set(guides.map(({ guideid }) => guideid));
  // Guides come after their prerequisites; those that wait for each other come as they are.
  for (let left: Waiting[] = guides.map((item) => ({ item })), before = 0; left.length > 0;) {
    const waiting: Waiting[] = [];
    const isStuck = left.length === before;
    await forEach(
      run,
      'guides',
      left,
      ({ item: { guideid, title } }) => `“${title}” (${guideid})`,
      async (guide) => {
        const reading = await mirrorGuide(run, guide, isStuck ? null : present);
        if (reading !== null) waiting.push({ item: guide.item, reading });
      },
    );
    before = left.length;
    left = waiting;
  }
  await deleteAbsent(run, new Set([...present].map(String)), {
    collection: 'guides',
    kind: 'guide',
    nameOf: ({ source }) => `guide ${source}`,
    pathOf: ({ source }) => `/guides/${source}`,
    remove: (ctx, guide) => removeHere(ctx, run.site, guide),
  });
}

/** Copies a guide. Returns what was read if it must wait for prerequisites among `present`. */
async function mirrorGuide(
  run: Run,
  { item, reading }: Waiting,
  present: ReadonlySet<number> | null,
): Promise<Reading | null> {
  const { site, report } = run;
  const { tags, ...rest } = item;
  const seen = fingerprint(rest);
  const known = await findMirrored(run.services.storage.reader, site, 'guide', item.guideid);
  if (known?.seen === seen) report.count('guides', 'unchanged');
  else if (run.dryRun) report.count('guides', known === undefined ? 'copied' : 'changed');
  else if (known !== undefined && (await isChangedHere(run, known)))
    report.keep('guides', `“${item.title}” (${item.guideid})`, keptReason);
  else {
    const read = reading ?? (await readGuide(run, item));
    if (present !== null && (await waitsFor(run, read, present))) return read;
    await copyGuide(run, item, { seen, known, read });
  }
  const id = (await findMirrored(run.services.storage.reader, site, 'guide', item.guideid))?.id;
  if (id !== undefined && !run.dryRun)
    await mirrorGuideTags(run, { source: item.guideid, id }, tags === false ? [] : tags);
  return null;
}

const keptReason = 'The guide was changed there, and changed or deleted here';

/** Whether prerequisites that will come are not here yet. */
async function waitsFor(run: Run, { guide }: Reading, present: ReadonlySet<number>): Promise<boolean> {
  const { reader } = run.services.storage;
  const wanted = guide.facts.prerequisites.filter((source) => present.has(source));
  const here = await guidesHere({ db: reader }, new ImportedIds({ db: reader }, run.site), wanted);
  return here.size < wanted.length;
}

/**
 * Reads a guide and stores it.
 *
 * - MIRRORSITE-7 A guide that was changed or deleted here since it was copied stays as it is here, and is reported.
 * - MIRRORSITE-8 Each record is stored in one transaction together with what the next run compares, so that a run that was
 *   interrupted anywhere goes on with the next one, and stores nothing twice.
 */
async function copyGuide(
  run: Run,
  item: GuideItem,
  { seen, known, read }: { seen: string; known: Mirrored | undefined; read: Reading },
): Promise<void> {
  const { site, report } = run;
  const what = `“${item.title}” (${item.guideid})`;
  const { answeredAt, guide, videos } = read;
  const notes: string[] = [];
  const outcome = await write(run, async (ctx, ids) => {
    for (const title of guide.categories) await addCategory(ctx, title, null);
    await copyAuthors(ctx, ids, run, guide.people);
    const { facts } = guide;
    const stepids = facts.steps.map((step) => step.stepid);
    const userid = must(await ids.find('user', facts.userid), 'the author');
    await reserveIds(ctx, ids, { guideid: facts.guideid, stepids }, run.ids, userid);
    await reserveSteps(ctx, ids, idsNamedIn(textsOf(facts)).step, run.ids);
    const here = await ids.find('guide', facts.guideid);
    const before = here === undefined ? undefined : await findDocument(ctx.db, 'guides', here);
    if (known !== undefined && (before === undefined || guideHere(before) !== known.ours)) return 'kept';
    if (known === undefined && here !== undefined && (await guideExists(ctx, here))) return 'other';
    const placed = await storeVideos(ctx, ids, run, guide, videos);
    const stored =
      before === undefined
        ? await storeGuide(ctx, ids, placed, run.ids)
        : await updateGuide(ctx, placed, { ids, choice: run.ids, before });
    notes.push(...guide.notes, ...stored.notes);
    const ours = guideHere(stored.facts);
    const isComplete = read.isComplete && stored.notes.length === 0;
    // Without a counter, a change in the second of the answer would look the same.
    const isSettled = item.guide_revisionid > 0 || item.modified_date < answeredAt - 1;
    await rememberMirrored(ctx.db, site, 'guide', {
      source: item.guideid,
      id: stored.facts.guideid,
      seen: isComplete && isSettled ? seen : '',
      ours,
    });
    return outcomeOf(known, ours);
  });
  for (const note of notes) report.note('guides', what, note);
  if (outcome === 'other') report.keep('guides', what, 'The guide was here before, from another import');
  else if (outcome === 'kept') report.keep('guides', what, keptReason);
  else report.count('guides', outcome);
}

const guideAuthor = z.object({ author: z.unknown() });

/** A guide as it was read, with its files in the blob store. */
interface Reading {
  /** UNIX seconds. */
  answeredAt: number;
  guide: ImportedGuide;
  videos: Map<string, ReadyVideo>;
  /** Whether all files were had. */
  isComplete: boolean;
}

async function readGuide(run: Run, { guideid, title }: GuideItem): Promise<Reading> {
  const what = `“${title}” (${guideid})`;
  const answer = await run.source.read(`/guides/${guideid}`, z.unknown(), { excludePrerequisiteSteps: true });
  const answeredAt = Math.floor(run.services.now() / 1000);
  const read = guideFromAnswer(answer);
  await mirrorAuthor(run, guideAuthor.parse(answer).author);
  const origin = read.origin === '' ? run.source.base : read.origin;
  const people = read.people.filter(({ userid }) => userid === read.facts.userid);
  // Comments have a list of their own.
  const guide: ImportedGuide = { ...read, site: run.site, origin, people, comments: [] };
  const pictures = await run.media.pictures(guide.images, answer, what);
  const named = await run.media.named(idsNamedIn(textsOf(guide.facts)).image, guide.facts.title);
  const documents = await run.media.documents(guide);
  const videos = await readVideos(run, guide, what);
  const placed = guide.facts.documents.map((document) => ({
    ...document,
    ...(documents.files.has(document.documentid)
      ? { download_url: run.source.relative(document.download_url) }
      : {
          url: run.source.absolute(document.url),
          download_url: run.source.absolute(document.download_url || document.url),
        }),
  }));
  return {
    answeredAt,
    guide: {
      ...guide,
      facts: { ...guide.facts, documents: placed },
      images: [...pictures.images, ...named],
      files: documents.files,
    },
    videos: videos.files,
    isComplete: pictures.isComplete && documents.isComplete && videos.isComplete,
  };
}

function textsOf(facts: GuideFacts): string[] {
  return [
    facts.introduction_raw,
    facts.conclusion_raw,
    ...facts.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
  ];
}

/** What a guide is like here: every edit gives it another number. */
function guideHere(facts: GuideFacts): string {
  return String(facts.guide_revisionid);
}

async function isChangedHere(run: Run, known: Mirrored): Promise<boolean> {
  const facts = await findDocument(run.services.storage.reader, 'guides', known.id);
  return facts === undefined || guideHere(facts) !== known.ours;
}

/** Deletes a guide; returns why not if it stays. */
async function removeHere(ctx: Context, site: string, { id, ours }: Mirrored): Promise<string | null> {
  const facts = await findDocument(ctx.db, 'guides', id);
  if (facts === undefined) return null;
  if (guideHere(facts) !== ours) return changedHere;
  if (await isUsedHere(ctx, site, id))
    return 'It was deleted there, but people here commented on it or worked by it';
  await deleteGuide(ctx, id);
  return null;
}

/** Whether comments or work on a guide are from here. */
async function isUsedHere(ctx: Context, site: string, guideid: number): Promise<boolean> {
  const copied = (kind: string) =>
    ctx.db.selectFrom('mirrored').select('id').where('site', '=', site).where('kind', '=', kind);
  const comment = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('guideid', '=', guideid)
    .where('status', '!=', 'deleted')
    .where('commentid', 'not in', copied('comment'))
    .executeTakeFirst();
  if (comment !== undefined) return true;
  const entry = await ctx.db
    .selectFrom('work_log')
    .select('entryid')
    .where('guideid', '=', guideid)
    .where('entryid', 'not in', copied('entry'))
    .executeTakeFirst();
  return entry !== undefined;
}
