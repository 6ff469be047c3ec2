import { expect, test } from 'vitest';

import type { PlantedFault } from '#test/support/planted-fault.ts';

import type { Violation } from './checks.ts';
import { plantedFaults } from './planted-faults.ts';
import { simulate } from './simulate.ts';
import { startWorld } from './world.ts';

/** Rules that the seeds break in a world with the fault; ends at the first. */
async function brokenBy(fault: PlantedFault, seeds: readonly number[]): Promise<Violation['rule'][]> {
  await using world = await startWorld(fault);
  for (const seed of seeds) {
    const failure = await simulate(world, seed);
    if (failure !== null) return failure.violations.map(({ rule }) => rule);
  }
  return [];
}

const seeds = [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010];

const timeout = 600_000;

test('S11 a server that ignores the revisionid of a save is caught', { timeout }, async () => {
  expect(await brokenBy(plantedFaults.ignoredRevision, seeds)).not.toEqual([]);
});

test('S11 a merge that drops what the other side wrote is caught', { timeout }, async () => {
  expect(await brokenBy(plantedFaults.droppedTheirs, seeds)).toContain('S1');
});

test('S11 a call that is sent again under a new key is caught', { timeout }, async () => {
  expect(await brokenBy(plantedFaults.newKey, seeds)).not.toEqual([]);
});
