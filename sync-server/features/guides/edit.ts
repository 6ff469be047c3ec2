import type { GuideEdit, NewGuide } from '#shared/api/guides.ts';
import { conflict } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { isApproved } from '#shared/rules/approvals.ts';
import { contentOf, emptyContent } from '#shared/rules/guide-content.ts';
import { automaticFlags } from './flags-access.ts';
import type { Context } from '#server/core/context.ts';

import { askForApproval, withdraw } from '../approvals/gate.ts';
import { languageOf } from '../translation/glossary.ts';
import { contentAfter, knownIds, withKeys } from './edit-body.ts';
import { createItemPages } from './item-pages.ts';
import { introVideoAfter } from './lookup.ts';
import { mustSeeGuide, requireAuthor } from './policy.ts';
import { fullGuide } from './record.ts';
import { pinsAfter, withPinned } from './released.ts';
import { blankFacts, deleteGuide, insertGuide, saveGuide } from './store.ts';
import { generatedTitle } from './titles.ts';
import { validate } from './validate.ts';

/** Creates a guide; starts private unless said otherwise. Returns its facts. */
export async function createGuide(ctx: Context, body: NewGuide): Promise<GuideFacts> {
  const { public: isPublic, author, langid, steps, objectid, prerequisite_releases: pins, ...fields } = body;
  await requireAuthor(ctx, author);
  const automatic = automaticFlags(ctx.viewer.privileges);
  const blank = { ...emptyContent(), flags: automatic };
  const before = blankFacts(ctx, blank);
  const { keyed, given } = withKeys(ctx, steps ?? []);
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

/**
 * Makes a guide public or private; a no-op keeps the revision. Under an approval process it asks for the approval, and a
 * guide that waits for it is withdrawn; a public one whose version is not approved stays public while it waits.
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

/** 409 with the guide when `revisionid` is another than its own; where none is named, none is asked for. */
export async function mustBeCurrent(
  ctx: Context,
  facts: GuideFacts,
  revisionid: number | undefined,
): Promise<void> {
  if (revisionid !== undefined && revisionid !== facts.revisionid)
    throw conflict(await fullGuide(ctx, facts, { ownStepsOnly: true }));
}

/** Deletes a guide (its revisions stay). */
export async function removeGuide(ctx: Context, guideid: number, revisionid: number): Promise<void> {
  const before = await mustSeeGuide(ctx, guideid);
  await mustBeCurrent(ctx, before, revisionid);
  await deleteGuide(ctx, guideid);
}
