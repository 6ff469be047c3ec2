import { expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';
import type { PlantedFault } from '#test/support/planted-fault.ts';

import { violationsOf } from './restores/checks.ts';
import { planOf } from './restores/plan.ts';
import { plantedFaults } from './restores/planted-faults.ts';
import { runPlan, startWorld, type World } from './restores/run-plan.ts';

const replayed = process.env['BENCHBOOK_SEED'];
const count = Number(process.env['BENCHBOOK_RESTORES'] ?? (isLongRun ? 200 : 3));
const seeds =
  replayed === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(replayed)];

/** Plays a seed; returns the broken rules with the actions, or null. */
async function play(world: World, seed: number): Promise<string | null> {
  let log: string[] = [];
  try {
    for await (const outcome of runPlan(world, planOf(seed))) {
      ({ log } = outcome);
      const broken = violationsOf(outcome).map(({ rule, what }) => `${rule}: ${what}`);
      if (broken.length > 0) return [`Seed ${seed} (BENCHBOOK_SEED=${seed})`, ...broken, ...log].join('\n');
    }
    return null;
  } catch (error) {
    return [`Seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`, ...log].join('\n');
  }
}

/** Takes seeds off the list until it is empty; a broken rule ends the use of its world. */
async function playAll(left: number[]): Promise<string[]> {
  const broken: string[] = [];
  while (left.length > 0) {
    await using world = startWorld();
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const result = await play(world, seed);
      if (result === null) continue;
      broken.push(result);
      break;
    }
  }
  return broken;
}

test(
  `SIM-RESTORE-1–SIM-RESTORE-5 SIM-RESTORE-7 after restores of older backups no text is lost, doubled or misplaced, seeds 1 to ${count}`,
  { timeout: 7_200_000 },
  async () => {
    // A world mostly waits for one of its threads.
    const left = [...seeds];
    const broken = await Promise.all([playAll(left), playAll(left)]);
    expect(broken.flat().join('\n\n')).toBe('');
  },
);

/** The first seed that breaks a rule in a world with the fault; null: none. Other failures throw. */
async function firstBroken(fault: PlantedFault): Promise<number | null> {
  await using world = startWorld(fault);
  for (let seed = 1; seed <= 40; seed += 1)
    for await (const outcome of runPlan(world, planOf(seed)))
      if (violationsOf(outcome).length > 0) return seed;
  return null;
}

const planted = isLongRun ? plantedFaults : plantedFaults.filter(({ isQuick }) => isQuick);

test.each(planted)('SIM-RESTORE-6 the restores notice: $breaks', { timeout: 3_600_000 }, async (fault) => {
  expect(await firstBroken(fault)).not.toBeNull();
});
