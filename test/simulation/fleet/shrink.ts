import { FleetWorld } from './fleet-world.ts';
import type { Plan } from './plan.ts';
import type { Result } from './run/record.ts';
import { Run } from './run/run.ts';

/**
 * The smallest plan found within `tries` runs that breaks the same rule: steps are removed in chunks, then one by
 * one.
 */
export async function shrink(failed: Result, tries: number): Promise<Result> {
  let world = await FleetWorld.open();
  const rule = failed.violations[0]?.rule;
  let smallest = failed;
  let left = tries;
  for (
    let size = Math.ceil(failed.plan.steps.length / 2);
    size >= 1 && left > 0;
    size = Math.floor(size / 2)
  ) {
    for (let at = smallest.plan.steps.length - size; at >= -size + 1 && left > 0; at -= size) {
      const from = Math.max(0, at);
      const steps = smallest.plan.steps.toSpliced(from, size);
      if (steps.at(-1)?.do !== 'quiet') steps.push({ do: 'quiet' });
      if (steps.length >= smallest.plan.steps.length) continue;
      left -= 1;
      const plan: Plan = { ...smallest.plan, steps };
      const result = await new Run(world, plan).play();
      if (result.violations.length > 0) {
        await world[Symbol.asyncDispose]();
        world = await FleetWorld.open();
      }
      if (result.violations.some((one) => one.rule === rule)) smallest = result;
      at = Math.min(at, smallest.plan.steps.length);
    }
  }
  await world[Symbol.asyncDispose]();
  return smallest;
}
