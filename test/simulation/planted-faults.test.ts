import { expect, test } from 'vitest';

import type { PlantedFault } from '#test/support/planted-fault.ts';

import type { Violation } from './checks.ts';
import { plantedFaults } from './planted-faults.ts';
import { simulate } from './simulate.ts';
import { startWorld, type World } from './world.ts';

/** Rules that a seed breaks in a world with the fault: the first that breaks any, or the one that is looked for. */
async function brokenBy(
  fault: PlantedFault,
  seeds: readonly number[],
  wanted?: Violation['rule'],
): Promise<Violation['rule'][]> {
  const left = [...seeds];
  while (left.length > 0) {
    // What broke spoils its world for the seeds after it.
    await using world = await startWorld(fault);
    const rules = await firstBroken(world, left);
    if (wanted === undefined || rules.includes(wanted)) return rules;
  }
  return [];
}

/** Takes seeds off the list until one breaks something. */
async function firstBroken(world: World, left: number[]): Promise<Violation['rule'][]> {
  for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
    const failure = await simulate(world, seed);
    if (failure !== null) return failure.violations.map(({ rule }) => rule);
  }
  return [];
}

/** Only some plans lose the answers that a fault needs to show. */
const seeds = Array.from({ length: 40 }, (_, index) => 1001 + index);

const timeout = 600_000;

test('S11 a server that ignores the revisionid of a save is caught', { timeout }, async () => {
  expect(await brokenBy(plantedFaults.ignoredRevision, seeds)).not.toEqual([]);
});

test('S11 a merge that drops what the other side wrote is caught', { timeout }, async () => {
  expect(await brokenBy(plantedFaults.droppedTheirs, seeds, 'S1')).toContain('S1');
});

test('S11 a call that is sent again under a new key is caught', { timeout }, async () => {
  expect(await brokenBy(plantedFaults.newKey, seeds)).not.toEqual([]);
});
