import type { z } from 'zod';

import type { GuideEdit, stepEdit } from '#shared/api/guides.ts';
import { conflict, invalid, notFound } from '#shared/api/problem.ts';
import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import { contentOf, stepKeyOf } from '#shared/rules/guide-content.ts';
import type { Context } from '#server/core/context.ts';

import { contentAfter, withKeys } from './edit-body.ts';
import { mustSeeGuide } from './policy.ts';
import { fullGuide, fullStep } from './record.ts';
import { saveGuide } from './store.ts';
import { validate } from './validate.ts';

type StepEdit = z.output<typeof stepEdit>;

/**
 * Adds a step at `orderby`; without `revisionid`, to the current guide.
 *
 * - GUIDE-REVISION-3 Adding, deleting and ordering steps changes the revision of the guide.
 * - GUIDE-REFUSAL-10 A step that is added to an older revision conflicts, even if its position no longer exists. A call
 *   without a revision adds to the current guide, because older clients send none.
 */
export async function addStep(
  ctx: Context,
  guideid: number,
  revisionid: number | undefined,
  body: StepEdit & { orderby: number; key?: string | undefined },
): Promise<GuideFacts> {
  const before = await mustSeeGuide(ctx, guideid);
  const moved = revisionid !== undefined && revisionid !== before.revisionid;
  if (!moved && body.orderby > before.steps.length + 1)
    throw invalid('orderby', `orderby lies between 1 and ${before.steps.length + 1}`);
  const { orderby, key, ...fields } = body;
  const { keyed, deviceKeys } = withKeys(ctx, [{ key: key ?? ctx.key ?? undefined, ...fields }]);
  const steps: GuideEdit['steps'] = before.steps.map(({ stepid, revisionid: seen }) => ({
    stepid,
    revisionid: seen,
  }));
  steps?.splice(orderby - 1, 0, ...keyed);
  const content = await contentAfter(ctx, before, { steps: steps ?? [] });
  await validate(ctx, contentOf(before), content);
  if (moved) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  return saveGuide(ctx, before, content, before, { bumpGuide: true, deviceKeys });
}

/**
 * Edits a step; `revisionid` is the step's.
 *
 * - GUIDE-REVISION-2 A step edit changes the revision of the step and not that of the guide.
 */
export async function patchStep(
  ctx: Context,
  guideid: number,
  stepid: number,
  revisionid: number,
  body: StepEdit,
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

/** Deletes a step, given its current revision, and changes the revision of the guide. */
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

/**
 * Reorders the steps and changes the revision of the guide.
 *
 * - GUIDE-REVISION-4 The order names every step exactly once; otherwise 422.
 */
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

function mustHaveStep(facts: GuideFacts, stepid: number): StepFacts {
  const step = facts.steps.find((one) => one.stepid === stepid);
  if (step === undefined) throw notFound('Step');
  return step;
}
