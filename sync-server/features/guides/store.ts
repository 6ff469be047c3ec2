import { setImmediate as others } from 'node:timers/promises';

import type { Selectable } from 'kysely';

import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts, LineFacts, StepFacts } from '#shared/model/guide.ts';
import {
  contentOf,
  stepContentOf,
  stepKeyOf,
  type GuideContent,
  type StepContent,
} from '#shared/rules/guide-content.ts';
import { must } from '#shared/must.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience } from '#server/features/audiences.ts';
import { type Context, mustUserid } from '#server/core/context.ts';
import { nextNumber } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

import { askForApproval, isUnderProcess, enforceApproval, type Publication } from '../approvals/gate.ts';
import { followGuide } from '../work-log/versions.ts';
import { guideSaved } from '../merits/reputation-events.ts';
import { republishGuideAudience, withdrawSteps } from './audience.ts';
import { nextCount } from './counted.ts';
import { featuredFlags } from './flags.ts';

/** Number of steps that are compared before other requests get a turn. */
const stepsOfSlice = 50;

/** Editable fields of a guide that are not content. */
interface Settings {
  public: boolean;
  userid: number;
  langid: string;
  prerequisite_releases?: GuideFacts['prerequisite_releases'];
  /** If absent, the intro video stays. */
  intro_video?: GuideFacts['intro_video'];
}

/** Inserts the row of a new guide; returns its id. `saveGuide` writes its first version. */
export async function insertGuide(ctx: Context, facts: GuideFacts, content: GuideContent): Promise<number> {
  const { guideid } = await ctx.db
    .insertInto('guides')
    .values({
      revisionid: 0,
      guide_revisionid: 0,
      userid: facts.userid,
      public: 0,
      deleted: 0,
      featured: 0,
      category: content.category,
      type: content.type,
      title: content.title,
      langid: facts.langid,
      created_date: ctx.seconds,
      modified_date: ctx.seconds,
    })
    .returning('guideid')
    .executeTakeFirstOrThrow();
  return guideid;
}

/**
 * Stores the next version of a guide: revisions, document, columns, feed.
 *
 * - GUIDE-REVISION-6 An edit without effect keeps every revision; nothing is written.
 */
export async function saveGuide(
  ctx: Context,
  before: GuideFacts,
  content: GuideContent,
  settings: Settings,
  options: { bumpGuide: boolean; deviceKeys?: ReadonlySet<string>; publication?: Publication },
): Promise<GuideFacts> {
  const isNew = before.revisionid === 0;
  const { publication = null } = options;
  const { intro_video = before.intro_video } = settings;
  const isSameText =
    !isNew &&
    before.langid === settings.langid &&
    sameValue(before.intro_video, intro_video) &&
    sameValue(before.prerequisite_releases ?? [], settings.prerequisite_releases ?? []) &&
    sameValue(contentOf(before), content);
  const isUnchanged = isSameText && before.userid === settings.userid;
  if (isUnchanged && before.public === settings.public) return before;
  if (isUnchanged && settings.public && publication === null && (await isUnderProcess(ctx, before.guideid)))
    return askForApproval(ctx, before, 'publish');
  const editor = publication?.userid ?? mustUserid(ctx);
  const { prerequisite_releases: _pins, ...unpinned } = before;
  const steps = await nextSteps(ctx, before, content.steps, options.deviceKeys);
  const [revisionid, guide_revisionid] = await Promise.all([
    options.bumpGuide ? nextNumber(ctx.db, 'revision') : before.revisionid,
    nextNumber(ctx.db, 'guide_revision'),
  ]);
  const next: GuideFacts = {
    ...unpinned,
    ...fieldsOf(content),
    steps,
    public: settings.public,
    userid: settings.userid,
    langid: settings.langid,
    intro_video,
    ...((settings.prerequisite_releases ?? []).length === 0
      ? {}
      : { prerequisite_releases: settings.prerequisite_releases }),
    revisionid,
    guide_revisionid,
    ...(isSameText ? {} : { revision: nextCount(before, ctx.seconds) }),
    modified_date: ctx.seconds,
    modified_userid: editor,
    published_date: settings.public && !before.public ? ctx.seconds : before.published_date,
  };
  return replaceGuide(ctx, before, next, editor, publication);
}

/**
 * Writes a version that already has its numbers in place of the one before, with everything that follows from the
 * difference. Returns the stored facts.
 */
export async function replaceGuide(
  ctx: Context,
  before: GuideFacts,
  next: GuideFacts,
  editor: number,
  publication: Publication | null = null,
): Promise<GuideFacts> {
  const isNew = before.revisionid === 0;
  const after = await writeGuide(ctx, next, editor, publication);
  const wentAway = before.steps
    .filter((step) => !after.steps.some((one) => one.stepid === step.stepid))
    .map((step) => step.stepid);
  if (wentAway.length > 0) {
    await ctx.db.updateTable('steps').set({ deleted: 1 }).where('stepid', 'in', wentAway).execute();
    await withdrawSteps(ctx, wentAway);
  }
  if (!isNew && (before.public !== after.public || before.userid !== after.userid))
    await republishGuideAudience(ctx, after.guideid, after);
  await guideSaved(ctx, before, after, editor);
  return after;
}

/**
 * Writes columns, revision, prerequisites and feed document of a version that already has its numbers. Returns the
 * stored facts, which differ from `wanted` if an approval process keeps the guide private.
 */
export async function writeGuide(
  ctx: Context,
  wanted: GuideFacts,
  userid: number,
  publication: Publication | null = null,
): Promise<GuideFacts> {
  const { revision = { number: 1, date: wanted.modified_date } } = wanted;
  const { facts, former, settle } = await enforceApproval(ctx, { ...wanted, revision }, publication);
  const { guideid, revisionid, guide_revisionid, category, type, title, langid, modified_date } = facts;
  const columns = {
    guideid,
    revisionid,
    guide_revisionid,
    public: facts.public ? 1 : 0,
    featured: facts.flags.some((flag) => featuredFlags.includes(flag)) ? 1 : 0,
    type,
    title,
    langid,
    modified_date,
  };
  if (former.category === category && former.userid === facts.userid) await setColumns(ctx.db, columns);
  else await setAllColumns(ctx.db, { ...columns, category, userid: facts.userid });
  const body = JSON.stringify(facts);
  await storeRevision(ctx.db, { guideid, guide_revisionid, revisionid, userid, date: ctx.seconds, body });
  await deletePrerequisites(ctx.db, { guideid });
  if (facts.prerequisites.length > 0) {
    await ctx.db
      .insertInto('guide_prerequisites')
      .values(facts.prerequisites.map((prerequisiteid) => ({ guideid: facts.guideid, prerequisiteid })))
      .execute();
  }
  const stored = await settle();
  // Before the guide, so that a device has the earlier text when the guide changes.
  await followGuide(ctx, stored);
  ctx.changes.put('guides', guideid, stored, guideAudience(stored), stored === facts ? body : undefined);
  return stored;
}

type AllColumns = Omit<Selectable<Tables['guides']>, 'deleted' | 'created_date'>;

/** Updates all columns except indexed ones that seldom change, so that SQLite does not rewrite their index entries. */
const setColumns = prepared<Omit<AllColumns, 'category' | 'userid'>, unknown>((db, value) =>
  db
    .updateTable('guides')
    .set({
      revisionid: value('revisionid'),
      guide_revisionid: value('guide_revisionid'),
      public: value('public'),
      featured: value('featured'),
      type: value('type'),
      title: value('title'),
      langid: value('langid'),
      modified_date: value('modified_date'),
    })
    .where('guideid', '=', value('guideid')),
);

const setAllColumns = prepared<AllColumns, unknown>((db, value) =>
  db
    .updateTable('guides')
    .set({
      revisionid: value('revisionid'),
      guide_revisionid: value('guide_revisionid'),
      userid: value('userid'),
      public: value('public'),
      featured: value('featured'),
      category: value('category'),
      type: value('type'),
      title: value('title'),
      langid: value('langid'),
      modified_date: value('modified_date'),
    })
    .where('guideid', '=', value('guideid')),
);

const storeRevision = prepared<Tables['guide_revisions'], unknown>((db, value) =>
  db.insertInto('guide_revisions').values({
    guideid: value('guideid'),
    guide_revisionid: value('guide_revisionid'),
    revisionid: value('revisionid'),
    userid: value('userid'),
    date: value('date'),
    body: value('body'),
  }),
);

const deletePrerequisites = prepared<{ guideid: number }, unknown>((db, value) =>
  db.deleteFrom('guide_prerequisites').where('guideid', '=', value('guideid')),
);

function fieldsOf(
  content: GuideContent,
): Omit<GuideContent, 'steps' | 'featured_documentid' | 'prerequisites'> &
  Pick<GuideFacts, 'featured_documentid' | 'prerequisites'> {
  const { steps: _steps, featured_documentid, prerequisites, ...fields } = content;
  return {
    ...fields,
    featured_documentid: typeof featured_documentid === 'number' ? featured_documentid : null,
    prerequisites: prerequisites.filter((one) => typeof one === 'number'),
  };
}

async function nextSteps(
  ctx: Context,
  before: GuideFacts,
  steps: StepContent[],
  deviceKeys?: ReadonlySet<string>,
): Promise<StepFacts[]> {
  const known = new Map(before.steps.map((step) => [stepKeyOf(step), step]));
  const result: StepFacts[] = [];
  for (const [index, content] of steps.entries()) {
    // Lets other requests run meanwhile: SQLite calls block the event loop.
    if (index % stepsOfSlice === stepsOfSlice - 1) await others();
    const old = known.get(content.key);
    if (old !== undefined && sameValue(stepContentOf(old), content)) result.push(old);
    else result.push(await nextStep(ctx, before.guideid, old, content, deviceKeys));
  }
  return result;
}

async function nextStep(
  ctx: Context,
  guideid: number,
  old: StepFacts | undefined,
  content: StepContent,
  deviceKeys?: ReadonlySet<string>,
): Promise<StepFacts> {
  const stepid = old?.stepid ?? (await newStepId(ctx, guideid));
  const isDeviceKey = old === undefined && (deviceKeys === undefined || deviceKeys.has(content.key));
  if (isDeviceKey) ctx.created(content.key, stepid);
  const key = old === undefined ? content.key : old.key;
  const lines: LineFacts[] = [];
  for (const line of content.lines) {
    const was = old?.lines.find((one) => one.id === line.id);
    lines.push({ ...line, lineid: was === undefined ? await newLineId(ctx, stepid) : was.lineid });
  }
  if (content.media.type === 'object') throw invalid('media', 'Unknown video or embed');
  return {
    stepid,
    revisionid: await nextNumber(ctx.db, 'revision'),
    ...(key === undefined ? {} : { key }),
    title: content.title,
    lines,
    media: content.media,
    time_estimate: content.time_estimate,
  };
}

async function newStepId(ctx: Context, guideid: number): Promise<number> {
  const [row] = await insertStep(ctx.db, { guideid });
  return must(row, 'the row that was made').stepid;
}

async function newLineId(ctx: Context, stepid: number): Promise<number> {
  const [row] = await insertLine(ctx.db, { stepid });
  return must(row, 'the row that was made').lineid;
}

const insertStep = prepared<{ guideid: number }, { stepid: number }>((db, value) =>
  db
    .insertInto('steps')
    .values({ guideid: value('guideid'), deleted: 0 })
    .returning('stepid'),
);

const insertLine = prepared<{ stepid: number }, { lineid: number }>((db, value) =>
  db
    .insertInto('lines')
    .values({ stepid: value('stepid') })
    .returning('lineid'),
);

/** The facts of a new guide of the caller, before its first version: without ids and revisions. */
export function blankFacts(ctx: Context, content: GuideContent): GuideFacts {
  return {
    ...fieldsOf(content),
    guideid: 0,
    revisionid: 0,
    guide_revisionid: 0,
    langid: ctx.services.site.langid,
    userid: mustUserid(ctx),
    public: false,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    steps: [],
    created_date: ctx.seconds,
    published_date: 0,
    modified_date: ctx.seconds,
    patrol_threshold: 0,
    ogdc_enabled: 'inherit',
    per_step_time_enabled: false,
    work_log_enabled: true,
    should_use_granular_permissions: false,
  };
}
