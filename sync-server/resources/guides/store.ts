import { stepEdit as stepEditSchema, type GuideEdit, type NewGuide } from '#shared/api/guides.ts';
import { conflict, forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { GuideFacts, LineFacts, StepFacts } from '#shared/model/guide.ts';
import {
  contentOf,
  emptyContent,
  stepContentOf,
  stepKeyOf,
  type GuideContent,
  type StepContent,
} from '#shared/rules/guide-content.ts';
import { applyBody } from '#shared/rules/guide-edit-body.ts';
import { validateChange, type Flaw } from '#shared/rules/guide-limits.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience } from '#server/access/audience.ts';
import type { Context } from '#server/http/context.ts';
import { mustUserid } from '#server/http/context.ts';
import { nextNumber } from '#server/storage/feed.ts';
import type { z } from 'zod';

import { republishGuideAudience } from './audience.ts';
import { findPerson } from '../users/store.ts';
import { featuredFlags, userFlagRecords } from './flags.ts';
import { bodyLookup, withItems } from './lookup.ts';
import { mustSeeGuide } from './policy.ts';
import { fullGuide, fullStep } from './record.ts';
import { generatedTitle } from './titles.ts';

/** The part of a guide that is not content but can be edited. */
interface Settings {
  public: boolean;
  userid: number;
  langid: string;
}

/** Creates a guide; starts private unless said otherwise. Returns its facts. */
export async function createGuide(ctx: Context, body: NewGuide): Promise<GuideFacts> {
  const { public: isPublic, author, langid, steps, ...fields } = body;
  await mayHandOver(ctx, mustUserid(ctx), author, ctx.viewer.isAdmin);
  const blank = { ...emptyContent(), flags: ['GUIDE_IN_PROGRESS'] };
  const before = blankFacts(ctx, blank);
  const { keyed, given } = withKeys(ctx, steps ?? []);
  const edit: GuideEdit = { ...knownIds(fields), ...(steps === undefined ? {} : { steps: keyed }) };
  const content = await contentAfter(ctx, before, edit);
  if (body.flags !== undefined) content.flags = [...new Set(['GUIDE_IN_PROGRESS', ...content.flags])];
  if (content.title === '') content.title = generatedTitle(content);
  await validate(ctx, null, content);
  const { guideid } = await ctx.db
    .insertInto('guides')
    .values({
      revisionid: 0,
      guide_revisionid: 0,
      userid: before.userid,
      public: 0,
      deleted: 0,
      featured: 0,
      category: content.category,
      type: content.type,
      title: content.title,
      langid: before.langid,
      created_date: ctx.seconds,
      modified_date: ctx.seconds,
    })
    .returning('guideid')
    .executeTakeFirstOrThrow();
  const settings = {
    public: isPublic ?? false,
    userid: author ?? before.userid,
    langid: langid ?? before.langid,
  };
  if (ctx.key !== null) ctx.created(ctx.key, guideid);
  const base = { ...before, guideid, steps: [], ...(ctx.key === null ? {} : { key: ctx.key }) };
  return saveGuide(ctx, base, content, settings, { bumpGuide: true, given });
}

/** Applies a guide patch (design: revisions). 409 with the current guide when anything it was based on has moved. */
export async function patchGuide(
  ctx: Context,
  guideid: number,
  revisionid: number,
  body: GuideEdit,
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const { public: isPublic, author, langid, steps, removed_steps: removed, ...fields } = body;
  await mayHandOver(ctx, before.userid, author, ctx.viewer.isAdmin || ctx.viewer.userid === before.userid);
  const moved =
    revisionid !== before.revisionid ||
    (steps !== undefined && !namesEveryStep(before, steps, removed ?? []));
  const edit: GuideEdit = { ...knownIds(fields), ...(steps === undefined || moved ? {} : { steps }) };
  const content = await contentAfter(ctx, before, edit);
  await validate(ctx, contentOf(before), content);
  if (moved) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  const settings = {
    public: isPublic ?? before.public,
    userid: author ?? before.userid,
    langid: langid ?? before.langid,
  };
  return saveGuide(ctx, before, content, settings, { bumpGuide: true });
}

/** Refuses another author than `current`: 403 unless `allowed`, 422 when there is no such person. */
async function mayHandOver(
  ctx: Context,
  current: number,
  author: number | undefined,
  allowed: boolean,
): Promise<void> {
  if (author === undefined || author === current) return;
  if (!allowed)
    throw forbidden('Only the author or an administrator hands a guide to another author', ['Admin']);
  if ((await findPerson(ctx.db, author)) === undefined) throw invalid('author', `There is no user ${author}`);
}

/** Every step of the guide is named once, with its current revision. */
function namesEveryStep(
  before: GuideFacts,
  steps: NonNullable<GuideEdit['steps']>,
  removed: { stepid: number; revisionid: number }[],
): boolean {
  const named = [...steps.filter((step) => 'stepid' in step), ...removed];
  if (named.length !== before.steps.length) return false;
  const revisions = new Map(named.map((step) => [step.stepid, step.revisionid]));
  return before.steps.every((step) => revisions.get(step.stepid) === step.revisionid);
}

/** Fields that live servers accept and ignore, or that belong to features this site has switched off. */
function knownIds(
  fields: Omit<GuideEdit, 'public' | 'author' | 'langid' | 'steps' | 'removed_steps'>,
): GuideEdit {
  const { time_required: _ignored, prerequisite_releases: releases, objectid, documents, ...rest } = fields;
  if (releases !== undefined) throw invalid('prerequisite_releases', 'Releases are not enabled on this site');
  if (objectid != null) throw invalid('objectid', 'Unknown intro video');
  const documentids = documents?.map((one) => (typeof one === 'number' ? one : one.documentid));
  return {
    ...rest,
    ...(rest.flags === undefined ? {} : { flags: [...new Set(rest.flags)] }),
    ...(rest.prerequisites === undefined ? {} : { prerequisites: [...new Set(rest.prerequisites)] }),
    ...(documentids === undefined ? {} : { documents: [...new Set(documentids)] }),
  };
}

async function contentAfter(ctx: Context, before: GuideFacts, edit: GuideEdit): Promise<GuideContent> {
  return withItems(applyBody(before, edit, await bodyLookup(ctx, before, edit)));
}

/** Adds a step at `orderby`; bumps the guide. */
export async function addStep(
  ctx: Context,
  guideid: number,
  revisionid: number,
  body: z.output<typeof stepEditSchema> & { orderby: number; key?: string | undefined },
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const moved = revisionid !== before.revisionid;
  if (!moved && body.orderby > before.steps.length + 1)
    throw invalid('orderby', `orderby lies between 1 and ${before.steps.length + 1}`);
  const { orderby, key, ...fields } = body;
  const { keyed, given } = withKeys(ctx, [{ key: key ?? ctx.key ?? undefined, ...fields }]);
  const steps: GuideEdit['steps'] = before.steps.map(({ stepid, revisionid: seen }) => ({
    stepid,
    revisionid: seen,
  }));
  steps?.splice(orderby - 1, 0, ...keyed);
  const content = await contentAfter(ctx, before, { steps: steps ?? [] });
  await validate(ctx, contentOf(before), content);
  if (moved) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  return saveGuide(ctx, before, content, before, { bumpGuide: true, given });
}

/** Edits one step against its own revision; the guide's revision stays. */
export async function patchStep(
  ctx: Context,
  guideid: number,
  stepid: number,
  revisionid: number,
  body: z.output<typeof stepEditSchema>,
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const step = mustHaveStep(before, stepid);
  const steps = before.steps.map((one) => ({
    stepid: one.stepid,
    revisionid: one.revisionid,
    ...(one.stepid === stepid ? body : {}),
  }));
  const content = await contentAfter(ctx, before, { steps });
  await validate(ctx, contentOf(before), content);
  if (revisionid !== step.revisionid) throw conflict(await fullStep(ctx, before, stepid));
  return saveGuide(ctx, before, content, before, { bumpGuide: false });
}

/** Deletes one step against its own revision; bumps the guide. */
export async function removeStep(
  ctx: Context,
  guideid: number,
  stepid: number,
  revisionid: number,
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const step = mustHaveStep(before, stepid);
  if (revisionid !== step.revisionid) throw conflict(await fullStep(ctx, before, stepid));
  const content = contentOf(before);
  content.steps = content.steps.filter((one) => one.key !== stepKeyOf(step));
  return saveGuide(ctx, before, content, before, { bumpGuide: true });
}

/** Puts the steps into another order; bumps the guide. 422 unless `stepids` is a permutation. */
export async function orderSteps(
  ctx: Context,
  guideid: number,
  revisionid: number,
  stepids: number[],
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const known = new Map(before.steps.map((step) => [step.stepid, step]));
  const isPermutation =
    stepids.length === known.size &&
    new Set(stepids).size === known.size &&
    stepids.every((stepid) => known.has(stepid));
  if (revisionid !== before.revisionid) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  if (!isPermutation) throw invalid('stepids', 'Name every step of the guide exactly once');
  const content = contentOf(before);
  const byKey = new Map(content.steps.map((step) => [step.key, step]));
  content.steps = stepids.flatMap((stepid) => {
    const step = known.get(stepid);
    const found = step === undefined ? undefined : byKey.get(stepKeyOf(step));
    return found === undefined ? [] : [found];
  });
  return saveGuide(ctx, before, content, before, { bumpGuide: true });
}

/** Makes a guide public or private; a no-op keeps the revision. */
export async function setPublic(
  ctx: Context,
  guideid: number,
  revisionid: number,
  isPublic: boolean,
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  if (revisionid !== before.revisionid) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  return saveGuide(ctx, before, contentOf(before), { ...before, public: isPublic }, { bumpGuide: true });
}

/** Deletes a guide (its revisions stay). */
export async function removeGuide(ctx: Context, guideid: number, revisionid: number): Promise<void> {
  const before = await mustSeeGuide(ctx, guideid);
  if (revisionid !== before.revisionid) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  await ctx.db
    .updateTable('guides')
    .set({ deleted: 1, modified_date: ctx.seconds })
    .where('guideid', '=', guideid)
    .execute();
  await ctx.db.updateTable('steps').set({ deleted: 1 }).where('guideid', '=', guideid).execute();
  await ctx.db.deleteFrom('guide_prerequisites').where('guideid', '=', guideid).execute();
  ctx.changes.remove('guides', guideid);
  await republishGuideAudience(ctx, guideid, null);
}

function mustHaveStep(facts: GuideFacts, stepid: number): StepFacts {
  const step = facts.steps.find((one) => one.stepid === stepid);
  if (step === undefined) throw notFound('Step');
  return step;
}

/** New steps need an identity: the key their device gave, or one of ours that is not kept. */
function withKeys<T extends { key?: string | undefined }>(
  ctx: Context,
  steps: T[],
): { keyed: (T & { key: string })[]; given: Set<string> } {
  const given = new Set(steps.flatMap((step) => (step.key === undefined ? [] : [step.key])));
  const keyed = steps.map((step) => ({
    ...step,
    key: step.key ?? Buffer.from(ctx.services.randomBytes(9)).toString('base64url'),
  }));
  return { keyed, given };
}

async function validate(ctx: Context, base: GuideContent | null, content: GuideContent): Promise<void> {
  const flaws = validateChange(base, content);
  if (flaws.length > 0)
    throw new Problem('invalid', flaws[0]?.message ?? 'Validation failed', {
      errors: flaws.map((flaw) => fieldError(flaw, content)),
    });
  requireOwnIdentities(content);
  const { site } = ctx.services;
  if (base?.type !== content.type && !site.guideTypes.includes(content.type)) {
    throw invalid('type', `This site's guide types are ${site.guideTypes.join(', ')}`);
  }
  if (base?.category !== content.category) await requireCategory(ctx, content.category);
  requireSettableFlags(ctx, base?.flags ?? ['GUIDE_IN_PROGRESS'], content.flags);
  if (
    content.featured_documentid !== null &&
    !content.documents.some((one) => one.documentid === content.featured_documentid)
  ) {
    throw invalid('featured_documentid', "The featured document must be among the guide's documents");
  }
  if (content.time_required_max > 0 && content.time_required_min > content.time_required_max) {
    throw invalid('time_required_min', 'The shortest time is longer than the longest');
  }
}

/** A new step with the key of another would become that one; so would a line. */
function requireOwnIdentities(content: GuideContent): void {
  const identities = [
    content.steps.map((step) => step.key),
    ...content.steps.map((step) => step.lines.map((line) => line.id)),
  ];
  if (identities.some((ids) => new Set(ids).size < ids.length))
    throw invalid('steps', 'Two steps, or two lines of a step, have the same key or id');
}

function fieldError(
  { place, message }: Flaw,
  content: GuideContent,
): { field: string; message: string; index?: number } {
  const field =
    place.field === 'introduction_raw'
      ? 'introduction'
      : place.line === undefined
        ? (place.field ?? 'steps')
        : 'lines';
  const step = content.steps.find((one) => one.key === place.step);
  const index =
    place.line === undefined ? -1 : (step?.lines.findIndex((line) => line.id === place.line) ?? -1);
  return index < 0 ? { field, message } : { field, message, index };
}

async function requireCategory(ctx: Context, category: string): Promise<void> {
  const known = await ctx.db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', 'CATEGORY')
    .where('title', '=', category)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  if (known === undefined)
    throw invalid('category', `There is no category "${category}"; names are case sensitive`);
}

function requireSettableFlags(ctx: Context, before: string[], after: string[]): void {
  const settable = new Set(userFlagRecords(ctx.viewer.privileges).map((flag) => flag.flagid));
  const changed = [
    ...after.filter((flag) => !before.includes(flag)),
    ...before.filter((flag) => !after.includes(flag)),
  ];
  const refused = changed.find((flag) => !settable.has(flag));
  if (refused !== undefined) throw invalid('flags', `You may not set or unset the flag ${refused}`);
}

/**
 * Stores the next version of a guide: revisions, aggregate, columns, feed. When nothing differs, nothing is written
 * and the revision stays.
 */
export async function saveGuide(
  ctx: Context,
  before: GuideFacts,
  content: GuideContent,
  settings: Settings,
  options: { bumpGuide: boolean; given?: ReadonlySet<string> },
): Promise<GuideFacts> {
  const isNew = before.revisionid === 0;
  const sameSettings =
    before.public === settings.public &&
    before.userid === settings.userid &&
    before.langid === settings.langid;
  if (!isNew && sameSettings && sameValue(contentOf(before), content)) return before;
  const after: GuideFacts = {
    ...before,
    ...fieldsOf(content),
    steps: await nextSteps(ctx, before, content.steps, options.given),
    public: settings.public,
    userid: settings.userid,
    langid: settings.langid,
    revisionid: options.bumpGuide ? await nextNumber(ctx.db, 'revision') : before.revisionid,
    guide_revisionid: await nextNumber(ctx.db, 'guide_revision'),
    modified_date: ctx.seconds,
    modified_userid: mustUserid(ctx),
    published_date: settings.public && !before.public ? ctx.seconds : before.published_date,
  };
  await writeGuide(ctx, after, mustUserid(ctx));
  const wentAway = before.steps
    .filter((step) => !after.steps.some((one) => one.stepid === step.stepid))
    .map((step) => step.stepid);
  if (wentAway.length > 0)
    await ctx.db.updateTable('steps').set({ deleted: 1 }).where('stepid', 'in', wentAway).execute();
  if (!isNew && (before.public !== after.public || before.userid !== after.userid))
    await republishGuideAudience(ctx, after.guideid, after);
  return after;
}

/** Writes columns, revision, prerequisites and feed document of a version that is already numbered. */
export async function writeGuide(ctx: Context, facts: GuideFacts, userid: number): Promise<void> {
  await ctx.db
    .updateTable('guides')
    .set({
      revisionid: facts.revisionid,
      guide_revisionid: facts.guide_revisionid,
      userid: facts.userid,
      public: facts.public ? 1 : 0,
      featured: facts.flags.some((flag) => featuredFlags.includes(flag)) ? 1 : 0,
      category: facts.category,
      type: facts.type,
      title: facts.title,
      langid: facts.langid,
      modified_date: facts.modified_date,
    })
    .where('guideid', '=', facts.guideid)
    .execute();
  await ctx.db
    .insertInto('guide_revisions')
    .values({
      guideid: facts.guideid,
      guide_revisionid: facts.guide_revisionid,
      revisionid: facts.revisionid,
      userid,
      date: ctx.seconds,
      body: JSON.stringify(facts),
    })
    .execute();
  await ctx.db.deleteFrom('guide_prerequisites').where('guideid', '=', facts.guideid).execute();
  if (facts.prerequisites.length > 0) {
    await ctx.db
      .insertInto('guide_prerequisites')
      .values(facts.prerequisites.map((prerequisiteid) => ({ guideid: facts.guideid, prerequisiteid })))
      .execute();
  }
  ctx.changes.put('guides', facts.guideid, facts, guideAudience(facts));
}

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
  given?: ReadonlySet<string>,
): Promise<StepFacts[]> {
  const known = new Map(before.steps.map((step) => [stepKeyOf(step), step]));
  const result: StepFacts[] = [];
  for (const content of steps) {
    const old = known.get(content.key);
    if (old !== undefined && sameValue(stepContentOf(old), content)) result.push(old);
    else result.push(await nextStep(ctx, before.guideid, old, content, given));
  }
  return result;
}

async function nextStep(
  ctx: Context,
  guideid: number,
  old: StepFacts | undefined,
  content: StepContent,
  given?: ReadonlySet<string>,
): Promise<StepFacts> {
  const stepid = old?.stepid ?? (await newStepId(ctx, guideid));
  const isDeviceKey = old === undefined && (given === undefined || given.has(content.key));
  if (isDeviceKey) ctx.created(content.key, stepid);
  const key = old === undefined ? (isDeviceKey ? content.key : undefined) : old.key;
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
  const row = await ctx.db
    .insertInto('steps')
    .values({ guideid, deleted: 0 })
    .returning('stepid')
    .executeTakeFirstOrThrow();
  return row.stepid;
}

async function newLineId(ctx: Context, stepid: number): Promise<number> {
  const row = await ctx.db
    .insertInto('lines')
    .values({ stepid })
    .returning('lineid')
    .executeTakeFirstOrThrow();
  return row.lineid;
}

function blankFacts(ctx: Context, content: GuideContent): GuideFacts {
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
