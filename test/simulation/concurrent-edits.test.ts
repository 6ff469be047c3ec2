import { readdirSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { planOf, type Plan } from './plan.ts';
import { play, report } from './simulate.ts';
import { startWorld, type World } from './world.ts';

const replayed = process.env['BENCHBOOK_SEED'];
const count = Number(process.env['BENCHBOOK_SEEDS'] ?? (isLongRun ? 200 : 5));
const seeds =
  replayed === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(replayed)];
const seedsOfTest = 20;
const foundFolder = new URL('found/', import.meta.url);

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** Plays plans until one breaks a rule; then starts a new world, so that the failure does not affect other plans. */
async function playAll(plans: readonly Plan[]): Promise<string> {
  for (const plan of plans) {
    const failure = await play(world, plan);
    if (failure === null) continue;
    await world[Symbol.asyncDispose]();
    world = await startWorld();
    return report(failure);
  }
  return 'all rules kept';
}

for (let from = 0; from < seeds.length; from += seedsOfTest) {
  const chosen = seeds.slice(from, from + seedsOfTest);
  const title = `two devices that edit one guide apart lose nothing and end equal, seeds ${chosen[0]} to ${chosen.at(-1)}`;
  test(`MODEL-1–MODEL-9 ${title}`, { timeout: 3_600_000 }, async () => {
    expect(await playAll(chosen.map(planOf))).toBe('all rules kept');
  });
}

test('MODEL-10 a seed gives the same plan every time', () => {
  for (const seed of seeds) expect(planOf(seed)).toEqual(planOf(seed));
});

for (const file of replayed === undefined ? readdirSync(foundFolder) : []) {
  const what = file.replace('.json', '').replaceAll('-', ' ');
  test(`MODEL-12 a fault once found by a seed stays fixed: ${what}`, async () => {
    const plan = JSON.parse(readFileSync(new URL(file, foundFolder), 'utf8')) as Plan;
    expect(await playAll([plan])).toBe('all rules kept');
  });
}
