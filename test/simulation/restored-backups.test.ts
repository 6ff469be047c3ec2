import { afterAll, beforeAll, expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { violationsOf } from './restores/checks.ts';
import { planOf, type Plan } from './restores/plan.ts';
import { runPlan, startWorld, type World } from './restores/run-plan.ts';

const replayed = process.env['BENCHBOOK_SEED'];
const count = Number(process.env['BENCHBOOK_RESTORES'] ?? (isLongRun ? 200 : 6));
const seeds =
  replayed === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(replayed)];

let world: World;

beforeAll(() => {
  world = startWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** Plays a plan; what it broke, with what was done, or that all rules are kept. */
async function play(plan: Plan): Promise<string> {
  let log: string[] = [];
  try {
    for await (const outcome of runPlan(world, plan)) {
      ({ log } = outcome);
      const broken = violationsOf(outcome).map(({ rule, what }) => `${rule}: ${what}`);
      if (broken.length > 0)
        return [`Seed ${plan.seed} (BENCHBOOK_SEED=${plan.seed})`, ...broken, ...log].join('\n');
    }
    return 'all rules kept';
  } catch (error) {
    return [`Seed ${plan.seed}: ${error instanceof Error ? error.stack : String(error)}`, ...log].join('\n');
  }
}

test(
  `SR1–SR5 after restores of older backups no text is lost, doubled or misplaced, seeds 1 to ${count}`,
  {
    timeout: 900_000,
  },
  async () => {
    const broken: string[] = [];
    for (const seed of seeds) {
      const result = await play(planOf(seed));
      if (result === 'all rules kept') continue;
      broken.push(result);
      await world[Symbol.asyncDispose]();
      world = startWorld();
    }
    expect(broken.join('\n\n')).toBe('');
  },
);
