import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import { must } from '#shared/must.ts';
import type { Context } from '#server/core/context.ts';
import { workSlices } from '#server/platform/slices.ts';
import { chunks } from '#server/storage/chunks.ts';
import { nextNumber, raiseNumber } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';

import type { IdChoice, ImportedIds } from '../../guides/import/ids.ts';
import type { Origin } from './existing.ts';
import { relinked } from '../../guides/import/wiki-links.ts';
import { documentsIn, imageIn, mediaIn, suppliesIn, videoIn } from './media-refs.ts';
import type { StoredMedia } from './stored-media.ts';

/** The decisions about a guide before it is stored. */
export interface Placing {
  userid: number;
  isPublic: boolean;
  category: string;
  choice: IdChoice;
  /** The site that the archive comes from. */
  origin: Origin;
  /** Mapping of numbers for this import. */
  ids: ImportedIds;
}

/** A guide of an archive as facts of this site. New steps have no numbers yet. */
export async function placedFacts(
  ctx: Context,
  guideid: number,
  { facts, member: _member }: Pick<ArchivedGuide, 'facts' | 'member'>,
  placing: Placing,
  stored: StoredMedia,
): Promise<GuideFacts> {
  const { userid, isPublic, category, choice, ids } = placing;
  await raiseNumbers(ctx, facts, choice);
  const prerequisites = await ids.known('guide', facts.prerequisites);
  const text = await relinker(facts, placing, stored);
  const featured = facts.documents.find((one) => one.documentid === facts.featured_documentid);
  const documents = documentsIn(stored, facts.documents);
  const date = (seconds: number): number => (seconds > 0 ? Math.min(seconds, ctx.seconds) : ctx.seconds);
  const placed: GuideFacts = {
    guideid,
    revisionid: await numbered(ctx, 'revision', facts.revisionid, choice),
    guide_revisionid: await numbered(ctx, 'guide_revision', facts.guide_revisionid, choice),
    langid: facts.langid === '' ? ctx.services.site.langid : facts.langid,
    userid,
    public: isPublic,
    type: facts.type,
    category,
    subject: facts.subject,
    title: facts.title,
    summary: facts.summary,
    introduction_raw: text(facts.introduction_raw),
    conclusion_raw: text(facts.conclusion_raw),
    difficulty: facts.difficulty,
    time_required_min: facts.time_required_min,
    time_required_max: facts.time_required_max,
    flags: facts.flags,
    image: imageIn(stored, facts.image),
    parts: suppliesIn(stored, facts.parts),
    tools: suppliesIn(stored, facts.tools),
    documents,
    featured_documentid:
      featured === undefined ? null : (stored.documents.get(featured.guid)?.documentid ?? null),
    featured_document_embed_url: facts.featured_document_embed_url,
    featured_document_thumbnail_url: facts.featured_document_thumbnail_url,
    intro_video: videoIn(stored, facts.intro_video),
    prerequisites: facts.prerequisites.flatMap((source) => prerequisites.get(source) ?? []),
    steps: [],
    created_date: date(facts.created_date),
    published_date: isPublic ? date(facts.published_date) : 0,
    modified_date: date(facts.modified_date),
    modified_userid: userid,
    patrol_threshold: facts.patrol_threshold,
    ogdc_enabled: facts.ogdc_enabled,
    per_step_time_enabled: facts.per_step_time_enabled,
    work_log_enabled: facts.work_log_enabled,
    should_use_granular_permissions: false,
  };
  placed.steps = await placedSteps(ctx, guideid, facts.steps, { placing, stored, text });
  return placed;
}

/** Translates the numbers in texts to those of this site. Records that were not imported are not linked by number. */
async function relinker(
  facts: GuideFacts,
  { origin, ids }: Placing,
  stored: StoredMedia,
): Promise<(raw: string) => string> {
  // One text, since a search in each of thousands of lines takes longer.
  const text = [
    facts.introduction_raw,
    facts.conclusion_raw,
    ...facts.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
  ].join('\n');
  const named = (pattern: RegExp): number[] =>
    Array.from(text.matchAll(pattern), (match) => Number(match[1]));
  const guides = await ids.known('guide', [...named(/\[guide\|(\d+)/g), ...named(/\/(\d+)(?=[#|\]\s]|$)/g)]);
  const steps = await ids.known('step', [...named(/\|stepid=(\d+)/g), ...named(/#s(\d+)/g)]);
  // In an archive of this site, guides outside of the archive exist under their numbers.
  const stays = (source: number): number | undefined => (origin.isOwn ? source : undefined);
  return (raw) =>
    relinked(raw, {
      origin: origin.base,
      guide: (source) => guides.get(source) ?? stays(source),
      step: (source) => steps.get(source) ?? stays(source),
      image: (source) => stored.imageids.get(source),
    });
}

interface StepPlacing {
  placing: Placing;
  stored: StoredMedia;
  text: (raw: string) => string;
}

async function placedSteps(
  ctx: Context,
  guideid: number,
  steps: readonly StepFacts[],
  { placing: { ids, choice }, stored, text }: StepPlacing,
): Promise<StepFacts[]> {
  const reserved = await ids.known(
    'step',
    steps.map((step) => step.stepid),
  );
  const taken = choice === 'keep' ? await takenLines(ctx, steps) : null;
  const placed: StepFacts[] = [];
  const slice = workSlices();
  for (const step of steps) {
    const stepid = must(reserved.get(step.stepid), 'the reserved stepid');
    await storeStep(ctx.db, { stepid, guideid });
    const lines: StepFacts['lines'] = [];
    for (const [index, line] of step.lines.entries()) {
      await slice(line.text_raw.length);
      const lineid = line.lineid === null ? null : await takeLineId(ctx, stepid, line.lineid, taken);
      lines.push({
        id: `${stepid}.${index + 1}`,
        lineid,
        bullet: line.bullet,
        level: line.level,
        text_raw: text(line.text_raw),
      });
    }
    placed.push({
      stepid,
      revisionid: await numbered(ctx, 'revision', step.revisionid, choice),
      title: step.title,
      lines,
      media: await mediaIn(ctx, stored, step.media),
      time_estimate: step.time_estimate,
    });
  }
  return placed;
}

const storeStep = prepared<{ stepid: number; guideid: number }, unknown>((db, value) =>
  db
    .insertInto('steps')
    .values({ stepid: value('stepid'), guideid: value('guideid'), deleted: 0 })
    .onConflict((conflict) => conflict.column('stepid').doNothing()),
);

/** Those numbers of these lines that are taken by other lines here. */
async function takenLines({ db }: Context, steps: readonly StepFacts[]): Promise<Set<number>> {
  const wanted = steps.flatMap(({ lines }) => lines.flatMap(({ lineid }) => lineid ?? []));
  const taken = new Set<number>();
  for (const some of chunks(wanted)) {
    const rows = await db.selectFrom('lines').select('lineid').where('lineid', 'in', some).execute();
    for (const { lineid } of rows) taken.add(lineid);
  }
  return taken;
}

/** The number of a line here: its old number if that is free, or a new one, always if `taken` is null. */
async function takeLineId(
  ctx: Context,
  stepid: number,
  lineid: number,
  taken: Set<number> | null,
): Promise<number> {
  const mayKeep = taken !== null && lineid > 0 && !taken.has(lineid);
  const [row] = mayKeep
    ? await storeLine(ctx.db, { stepid, lineid })
    : await storeNewLine(ctx.db, { stepid });
  const made = must(row, 'the row of the line').lineid;
  taken?.add(made);
  return made;
}

const storeLine = prepared<{ stepid: number; lineid: number }, { lineid: number }>((db, value) =>
  db
    .insertInto('lines')
    .values({ lineid: value('lineid'), stepid: value('stepid') })
    .returning('lineid'),
);

const storeNewLine = prepared<{ stepid: number }, { lineid: number }>((db, value) =>
  db
    .insertInto('lines')
    .values({ stepid: value('stepid') })
    .returning('lineid'),
);

/** Raises the number sequences above the numbers that this guide keeps. */
async function raiseNumbers(
  ctx: Context,
  { revisionid, guide_revisionid, steps }: GuideFacts,
  choice: IdChoice,
): Promise<void> {
  if (choice === 'map') return;
  const latest = steps.reduce((most, step) => Math.max(most, step.revisionid), Math.max(0, revisionid));
  await raiseNumber(ctx.db, 'revision', latest);
  await raiseNumber(ctx.db, 'guide_revision', Math.max(0, guide_revisionid));
}

async function numbered(
  ctx: Context,
  counter: 'revision' | 'guide_revision',
  source: number,
  choice: IdChoice,
): Promise<number> {
  return choice === 'map' || source <= 0 ? nextNumber(ctx.db, counter) : source;
}
