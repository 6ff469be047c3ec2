import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { plants } from '#test/demo/plant-list.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { planted, projectRoot, type PlantedFault } from '#test/support/planted-fault.ts';

import type { Violation } from './checks.ts';
import { mutants } from './fleet/mutants.ts';
import { plantedFaults as historyFaults } from './history/planted-faults.ts';
import { plantedFaults } from './planted-faults.ts';
import { plantedFaults as restoreFaults } from './restores/planted-faults.ts';
import { simulate } from './simulate.ts';
import { startWorld, type World } from './world.ts';

/** Rules that a seed breaks in a world with the fault: those of the first breaking seed, or the expected one. */
async function brokenBy(
  fault: PlantedFault,
  seeds: readonly number[],
  wanted?: Violation['rule'],
): Promise<Violation['rule'][]> {
  const left = [...seeds];
  while (left.length > 0) {
    // A broken rule affects later seeds in the same world.
    await using world = await startWorld(fault);
    const rules = await firstBroken(world, left);
    if (wanted === undefined || rules.includes(wanted)) return rules;
  }
  return [];
}

/** Takes seeds off the list until one breaks a rule. */
async function firstBroken(world: World, left: number[]): Promise<Violation['rule'][]> {
  for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
    const failure = await simulate(world, seed);
    if (failure !== null) return failure.violations.map(({ rule }) => rule);
  }
  return [];
}

/** Only some plans lose the responses that reveal a fault. */
const seeds = Array.from({ length: 40 }, (_, index) => 1001 + index);

const timeout = 600_000;

test('MODEL-11 the text of every planted fault occurs once in the sources', () => {
  const all = [...Object.values(plantedFaults), ...restoreFaults, ...historyFaults, ...mutants, ...plants];
  const unfit = all.flatMap((fault) =>
    fault.edits.flatMap(({ file }) => {
      const path = projectRoot + file;
      try {
        return planted(fault, path, () => readFileSync(path, 'utf8')) === undefined ? [fault.name] : [];
      } catch (error) {
        return [String(error)];
      }
    }),
  );
  expect(unfit).toEqual([]);
});

const { ignoredRevision, droppedTheirs, newKey } = plantedFaults;
const planned: [string, PlantedFault, Violation['rule']?][] = [
  ['a server that ignores the revisionid of a save', ignoredRevision],
  ['a merge that drops what the other side wrote', droppedTheirs, 'MODEL-1'],
  ['a call that is sent again under a new key', newKey],
];

test.each(isLongRun ? planned : planned.slice(0, 1))(
  'MODEL-11 %s is caught',
  { timeout },
  async (_, fault, rule) => {
    expect(await brokenBy(fault, seeds, rule)).toContainEqual(rule ?? expect.any(String));
  },
);
