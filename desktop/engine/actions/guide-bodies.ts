import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import { type GuideContent, contentOf, emptyContent, stepKeyOf } from '#shared/rules/guide-content.ts';
import { guideEditBody, newGuideBody } from '#shared/rules/guide-edit-body.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import type { GuideSave } from '../outbox/kinds/guides.ts';
import { temporaryStepId } from '../features/records/overlay/guide.ts';

/** The body of the call that creates a guide. */
export function createBody(content: GuideContent): object {
  return newGuideBody(emptyContent(), content);
}

/**
 * The smallest body that changes `before` to `content`; null when they are equal. `before`: the content of `base`, or
 * that after a save which is under way. Steps that this save creates are named by their temporary ids. Their revision
 * is that of the call before (`isFollower`), or 0 when the server has that call already.
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
      // A video that waits for upload has no facts. Equal media still compare as equal.
      media: media as StepFacts['media'],
      time_estimate,
    };
  });
  // Only the content and the numbers of steps are used.
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
