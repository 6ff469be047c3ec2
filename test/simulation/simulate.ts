import { violationsOf, type Violation } from './checks.ts';
import { planOf, type Plan } from './plan.ts';
import { runPlan, type Outcome } from './run-plan.ts';
import type { World } from './world.ts';

/** A run that broke a rule, with everything needed to understand it. */
export interface Failure {
  seed: number;
  violations: Violation[];
  plan: Plan;
  outcome: Outcome | null;
  traces: { left: string[]; right: string[] };
}

/** Plays the plan of a seed; null if it kept every rule. Do not reuse a world after a failure. */
export function simulate(world: World, seed: number): Promise<Failure | null> {
  return play(world, planOf(seed));
}

/** Plays a plan, once per world: ids follow from its seed. */
export async function play(world: World, plan: Plan): Promise<Failure | null> {
  const { seed } = plan;
  let last: Outcome | null = null;
  try {
    for await (const outcome of runPlan(world, plan)) {
      last = outcome;
      const violations = violationsOf(outcome);
      if (violations.length > 0) return { seed, violations, plan, outcome, traces: await tracesOf(world) };
    }
    return null;
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      seed,
      violations: [{ rule: 'MODEL-9', what }],
      plan,
      outcome: last,
      traces: await tracesOf(world),
    };
  }
}

async function tracesOf({ left, right }: World): Promise<Failure['traces']> {
  return { left: await left.trace(), right: await right.trace() };
}

/** A failure as text: the broken rules, the expanded plan and the actions. */
export function report({ seed, violations, plan, outcome, traces }: Failure): string {
  const doings = outcome === null ? 'none' : JSON.stringify(outcome.doings, null, 1);
  return [
    `Seed ${seed} (BENCHBOOK_SEED=${seed} replays it)`,
    ...violations.map(({ rule, what }) => `${rule}: ${what}`),
    `Plan: ${JSON.stringify(plan, null, 1)}`,
    `Left: ${traces.left.join('; ')}`,
    `Right: ${traces.right.join('; ')}`,
    `Done: ${doings}`,
  ].join('\n');
}
