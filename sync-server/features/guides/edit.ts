import type { GuideEdit, NewGuide } from '#shared/api/guides.ts';
import { conflict } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { isApproved } from '#shared/rules/approvals.ts';
import { contentOf, emptyContent } from '#shared/rules/guide-content.ts';
import type { Context } from '#server/core/context.ts';
import { newWiki } from '#shared/api/wikis.ts';
import { can } from '#server/features/can.ts';

import { askForApproval, withdraw } from '../approvals/gate.ts';
import { languageOf } from '../translation/glossary.ts';
import { createWiki } from '../wikis/edit.ts';
import { findByName } from '../wikis/store.ts';
import { deleteGuide } from './delete-guide.ts';
import { automaticFlags } from './access.ts';
import { contentAfter, knownIds, withKeys, generatedTitle } from './edit-body.ts';
import { introVideoAfter } from './lookup.ts';
import { mustSeeGuide, requireAuthor } from './policy.ts';
import { fullGuide } from './record.ts';
import { pinsAfter, withPinned } from './released.ts';
import { blankFacts, insertGuide, saveGuide } from './store.ts';
import { validate } from './validate.ts';

/**
 * Creates a guide. Returns its facts.
 *
 * - GUIDE-LIMIT-8 A new guide is private by default, is in progress, and needs a category and a type.
 * - GUIDE-LIMIT-9 The language must be one of the site's. A guide lists the languages in which it can be read.
 */
export async function createGuide(ctx: Context, body: NewGuide): Promise<GuideFacts> {
  const { public: isPublic, author, langid, steps, objectid, prerequisite_releases: pins, ...fields } = body;
  await requireAuthor(ctx, author);
  const automatic = automaticFlags(ctx.viewer.privileges);
  const blank = { ...emptyContent(), flags: automatic };
  const before = blankFacts(ctx, blank);
  const { keyed, deviceKeys } = withKeys(ctx, steps ?? []);
  const prerequisites = await withPinned(ctx, [], fields.prerequisites, pins);
  const edit: GuideEdit = {
    ...knownIds({ ...fields, prerequisites }),
    ...(steps === undefined ? {} : { steps: keyed }),
  };
  const content = await contentAfter(ctx, before, edit);
  if (body.flags !== undefined) content.flags = [...new Set([...automatic, ...content.flags])];
  if (content.title.trim() === '') content.title = generatedTitle(content);
  await validate(ctx, null, content);
  const language = langid === undefined || langid === before.langid ? before.langid : languageOf(ctx, langid);
  const intro_video = await introVideoAfter(ctx, before, { objectid });
  const guideid = await insertGuide(ctx, before, content);
  const settings = {
    public: isPublic ?? false,
    userid: author ?? before.userid,
    langid: language,
    prerequisite_releases: await pinsAfter(ctx, [], pins, content.prerequisites),
    ...(intro_video === undefined ? {} : { intro_video }),
  };
  if (ctx.key !== null) ctx.created(ctx.key, guideid);
  await createItemPages(ctx, body);
  const base = { ...before, guideid, steps: [], ...(ctx.key === null ? {} : { key: ctx.key }) };
  return saveGuide(ctx, base, content, settings, { bumpGuide: true, deviceKeys });
}

/**
 * Applies a patch of a guide. Throws 409 with the current guide if a revision that the patch is based on is stale.
 *
 * - GUIDE-REVISION-1 A guide patch changes the revisions of the guide and of the steps that it changes, no others.
 * - GUIDE-REVISION-7 A patch with all steps conflicts if it misses a step, or has an outdated or a deleted one.
 */
export async function patchGuide(
  ctx: Context,
  guideid: number,
  revisionid: number,
  body: GuideEdit,
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const { public: isPublic, author, langid, steps, removed_steps: removed, ...rest } = body;
  const { prerequisite_releases: pins, objectid, ...fields } = rest;
  await requireAuthor(ctx, author);
  const moved =
    revisionid !== before.revisionid ||
    (steps !== undefined && !namesEveryStep(before, steps, removed ?? []));
  const prerequisites = await withPinned(ctx, before.prerequisites, fields.prerequisites, pins);
  const edit: GuideEdit = {
    ...knownIds({ ...fields, prerequisites }),
    ...(steps === undefined || moved ? {} : { steps }),
  };
  const content = await contentAfter(ctx, before, edit);
  if (fields.title !== undefined && content.title.trim() === '') content.title = generatedTitle(content);
  const language = langid === undefined || langid === before.langid ? before.langid : languageOf(ctx, langid);
  await validate(ctx, contentOf(before), content);
  const intro_video = await introVideoAfter(ctx, before, { objectid });
  const pinned = await pinsAfter(ctx, before.prerequisite_releases ?? [], pins, content.prerequisites);
  if (moved) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  await createItemPages(ctx, fields);
  const settings = {
    public: isPublic ?? before.public,
    userid: author ?? before.userid,
    langid: language,
    prerequisite_releases: pinned,
    ...(intro_video === undefined ? {} : { intro_video }),
  };
  return saveGuide(ctx, before, content, settings, { bumpGuide: true });
}

/** Whether the patch names every step of the guide once, with its current revision. */
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

/**
 * Makes a guide public or private; without a change the revision stays. Under an approval process, publishing requests
 * the approval, and making the guide private withdraws the request. A public guide without approval of its current
 * version stays public while it waits.
 */
export async function setPublic(
  ctx: Context,
  guideid: number,
  revisionid: number,
  isPublic: boolean,
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  await mustBeCurrent(ctx, before, revisionid);
  if (!isPublic && !before.public) return withdraw(ctx, before);
  if (isPublic && before.public && before.approval !== undefined && !isApproved(before))
    return askForApproval(ctx, before, 'publish');
  return saveGuide(ctx, before, contentOf(before), { ...before, public: isPublic }, { bumpGuide: true });
}

/**
 * Throws 409 with the guide if `revisionid` is given and not current.
 *
 * - GUIDE-TAG-3 Tagging needs no `revisionid`; if one is given (`If-Match` too), it is checked, on pages as well.
 */
export async function mustBeCurrent(
  ctx: Context,
  facts: GuideFacts,
  revisionid: number | undefined,
): Promise<void> {
  if (revisionid !== undefined && revisionid !== facts.revisionid)
    throw conflict(await fullGuide(ctx, facts, { ownStepsOnly: true }));
}

/** Deletes a guide. Its revisions stay. */
export async function removeGuide(ctx: Context, guideid: number, revisionid: number): Promise<void> {
  const before = await mustSeeGuide(ctx, guideid);
  await mustBeCurrent(ctx, before, revisionid);
  await deleteGuide(ctx, guideid);
}

/**
 * Creates ITEM pages for new parts and tools (spec, "POST /guides body"). If the caller may not create the page, or its
 * title is invalid, there is no page, and the guide is saved nevertheless.
 *
 * - GUIDE-LIMIT-11 A part or tool with a `summary` gets an ITEM page if there is none and the caller may create it,
 *   with `url` as the supplier's address. An existing page stays unchanged.
 */
async function createItemPages(
  ctx: Context,
  { parts = [], tools = [] }: Pick<GuideEdit, 'parts' | 'tools'>,
): Promise<void> {
  for (const { name, summary = '', url = '' } of [...parts, ...tools]) {
    if (summary.trim() === '') continue;
    const page = newWiki.safeParse({
      namespace: 'ITEM',
      title: name,
      contents: '',
      description: summary,
      ...(url === '' ? {} : { suppliers: [{ 'part_#': '', type: '', supplier: supplierOf(url), url }] }),
    });
    if (!page.success || !can(ctx.viewer, 'wiki.create', page.data)) continue;
    if ((await findByName(ctx, 'ITEM', page.data.title, undefined)) !== undefined) continue;
    // The idempotency key of the call belongs to the guide.
    await createWiki({ ...ctx, key: null }, page.data, undefined);
  }
}

function supplierOf(url: string): string {
  return URL.parse(url)?.hostname ?? url;
}
