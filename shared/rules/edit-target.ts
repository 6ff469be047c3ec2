import type { GuideContent, LineContent, StepContent } from './guide-content.ts';
import type { GuideEditOperation } from './guide-edit.ts';

/** A step or line that a merge or another window removed, with its position. */
export type RemovedPart =
  | { step: StepContent; index: number }
  | { stepKey: string; line: LineContent; index: number };

/**
 * What an edit refers to but the content lacks: a step, or a line of an existing step. Null when nothing is missing.
 */
export function missingTarget(
  content: GuideContent,
  edit: GuideEditOperation,
): { step: string } | { step: string; line: string } | null {
  if (!('step' in edit) || typeof edit.step !== 'string') return null;
  const step = content.steps.find(({ key }) => key === edit.step);
  if (step === undefined) return { step: edit.step };
  if (!('line' in edit) || typeof edit.line !== 'string') return null;
  return step.lines.some(({ id }) => id === edit.line) ? null : { step: edit.step, line: edit.line };
}

/** The steps and lines of `before` that `after` lacks. */
export function removedParts(before: GuideContent, after: GuideContent): RemovedPart[] {
  const left = new Map(after.steps.map((step) => [step.key, new Set(step.lines.map(({ id }) => id))]));
  return before.steps.flatMap((step, index): RemovedPart[] => {
    const lines = left.get(step.key);
    if (lines === undefined) return [{ step, index }];
    return step.lines.flatMap((line, at) =>
      lines.has(line.id) ? [] : [{ stepKey: step.key, line, index: at }],
    );
  });
}

/**
 * The content with what an edit refers to: a step or line that was removed meanwhile is restored at its position. Null
 * when nothing is left to do, because what the edit removes or moves is already gone.
 */
export function withTarget(
  content: GuideContent,
  edit: GuideEditOperation,
  removed: readonly RemovedPart[],
): GuideContent | null {
  const missing = missingTarget(content, edit);
  if (missing === null) return content;
  if (/^(remove|move)/.test(edit.op)) return null;
  const part = removed.findLast((one) =>
    'step' in one
      ? one.step.key === missing.step
      : 'line' in missing && one.stepKey === missing.step && one.line.id === missing.line,
  );
  if (part === undefined) return content;
  if ('step' in part) {
    const next = { ...content, steps: content.steps.toSpliced(part.index, 0, part.step) };
    // The line may have been removed before its step.
    return withTarget(
      next,
      edit,
      removed.filter((one) => one !== part),
    );
  }
  const steps = content.steps.map((step) =>
    step.key === part.stepKey ? { ...step, lines: step.lines.toSpliced(part.index, 0, part.line) } : step,
  );
  return { ...content, steps };
}
