import type { StepView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';

/** The name of a step, also if the guide no longer has it. */
export function stepName(steps: readonly StepView[], stepid: string): string {
  const index = steps.findIndex((step) => step.stepid === stepid);
  const step = steps[index];
  return step
    ? text.workOrders.stepTitle(index + 1, text.player.stepName(index + 1, step.title))
    : text.workOrders.unknownStep;
}
