import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import { type GuideContent, contentOf, emptyContent, stepKeyOf } from '#shared/rules/guide-content.ts';
import { guideEditBody, newGuideBody } from '#shared/rules/guide-edit-body.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import type { GuideSave } from '../outbox/kinds/guides.ts';
import { temporaryStepId } from '../features/records/overlay/guide.ts';

/** The body of the call that makes a new guide. */
export function createBody(content: GuideContent): object {
  return newGuideBody(emptyContent(), content);
}

/**
 * The smallest body that turns `before` into `content`; null when nothing differs. `before` is the content of `base`,
 * or what a save that is under way makes of it: steps that this save creates are then named by their temporary ids,
 * with the revision that the call before brings (`isFollower`), or with nobody's: the server has that call already.
 */
export function saveBody(
  { base, before, content }: Pick<GuideSave, 'base' | 'before' | 'content'>,
  isFollower: boolean,
): object | null {
  if (base !== null && sameValue(contentOf(base), before)) return guideEditBody(base, content);
  const known = new Map(base?.steps.map((step) => [stepKeyOf(step), step]));
  const steps = before.steps.map(({ key, title, lines, media, time_estimate }, index): StepFacts => {
    const ids = known.get(key) ?? { stepid: -1 - index, revisionid: 0 };
    return {
      stepid: ids.stepid,
      revisionid: ids.revisionid,
      key,
      title,
      lines: lines.map((line) => ({ ...line, lineid: null })),
      // A video that is still uploading has no facts; equal media are equal all the same.
      media: media as StepFacts['media'],
      time_estimate,
    };
  });
  // An edit is computed from the content and the steps' numbers alone.
  const body = guideEditBody({ ...before, steps } as GuideFacts, content);
  if (body === null) return null;
  const name = (step: object): object => {
    if (!('stepid' in step) || typeof step.stepid !== 'number' || step.stepid > 0) return step;
    const key = before.steps[-1 - step.stepid]?.key ?? '';
    return { ...step, stepid: temporaryStepId(key), revisionid: isFollower ? previousRevision : 0 };
  };
  return {
    ...body,
    ...(body.steps === undefined ? {} : { steps: body.steps.map(name) }),
    ...(body.removed_steps === undefined ? {} : { removed_steps: body.removed_steps.map(name) }),
  };
}
