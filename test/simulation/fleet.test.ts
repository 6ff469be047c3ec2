import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { FleetWorld } from './fleet/fleet-world.ts';
import type { DoingKind, Plan, Step } from './fleet/plan.ts';
import { planOf } from './fleet/planner.ts';
import type { Result } from './fleet/run/record.ts';
import { Run } from './fleet/run/run.ts';

const minutes = Number(process.env['BENCHBOOK_SIMULATION_MINUTES'] ?? (isLongRun ? 60 : 0));
const fewest = isLongRun ? 200 : 2;
const size = isLongRun ? undefined : { actions: 60, faults: 4 };
const found = new URL('fleet/found/', import.meta.url);
const timeout = 3 * 60 * 60_000;

let world: FleetWorld;

beforeAll(async () => {
  world = await FleetWorld.open();
});

afterAll(() => world[Symbol.asyncDispose]());

function play(plan: Plan): Promise<Result> {
  return new Run(world, plan).play();
}

/** Plays seeds from 1 on until enough were played and the time is over; returns the failures. */
async function playSeeds(): Promise<string[]> {
  const ends = performance.now() + minutes * 60_000;
  const told: string[] = [];
  let played = 0;
  let actions = 0;
  let faults = 0;
  const work = async (): Promise<void> => {
    let own = await FleetWorld.open();
    while (played < fewest || performance.now() < ends) {
      played += 1;
      // The test may continue for an hour.
      if (played % 10 === 0) process.stdout.write(`The fleet plays its seed ${played}\n`);
      const result = await new Run(own, planOf(played, size)).play();
      actions += sumOf(result.actions);
      faults += sumOf(result.faults);
      const flaws = broken(result);
      told.push(...flaws);
      if (flaws.length === 0) continue;
      process.stdout.write(`${flaws.join('\n')}\n`);
      // A failure may have broken its threads.
      await own[Symbol.asyncDispose]();
      own = await FleetWorld.open();
    }
    await own[Symbol.asyncDispose]();
  };
  // A world mostly waits for one of its threads.
  await Promise.all([work(), work()]);
  process.stdout.write(`The fleet played ${played} seeds with ${actions} actions and ${faults} faults\n`);
  return told;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0);
}

/** The failures of a run, and how to replay it. */
function broken({ plan, violations }: Result): string[] {
  return violations.map(({ rule, what }) => `seed ${plan.seed}: ${rule}: ${what}`);
}

test(
  'FLEET-1–FLEET-7 FLEET-10 a fleet of devices keeps every promise in every seed',
  { timeout },
  async () => {
    expect(await playSeeds()).toEqual([]);
  },
);

/** Plays a plan twice and compares everything seen and sent; returns the first run. */
async function playTwice(plan: Plan): Promise<Result> {
  const first = await play(plan);
  const second = await play(plan);
  expect(second.trace).toEqual(first.trace);
  expect(second.sha256).toBe(first.sha256);
  expect(second.exchanges).toEqual(first.exchanges);
  return first;
}

test('FLEET-8 a seed gives the same run each time', { timeout }, async () => {
  const actions = isLongRun ? 40 : 20;
  for (const seed of isLongRun ? [101, 102, 103] : [101])
    await playTwice(planOf(seed, { actions, faults: 4 }));
});

test(
  'FLEET-8 a work order in progress during a restore gives the same run each time',
  { timeout },
  async () => {
    const act = (id: number, kind: DoingKind): Step => ({
      do: 'act',
      device: 0,
      doing: { id, kind, picks: [0, 0, 0, 0, 0, 0] },
      ms: 5000,
    });
    const steps: Step[] = [
      { do: 'back-up' },
      act(1, 'start-order'),
      { do: 'server-fault', fault: 'restore-command', picks: [0, 0, 0, 0] },
      { do: 'run', device: 0, ms: 60_000 },
      act(2, 'move-order'),
      { do: 'server-fault', fault: 'restore-files', picks: [0, 0, 0, 0] },
      // The device reaches the restored server, and learns its clock only from the head of a response.
      { do: 'trap', device: 0, trap: { fault: 'refused', skip: 0, count: 8, on: 'pull' } },
      { do: 'run', device: 0, ms: 3000 },
      act(3, 'move-order'),
      { do: 'quiet' },
    ];
    const { violations, actions } = await playTwice({ seed: 7, devices: [0], people: 2, guides: 2, steps });
    expect(violations).toEqual([]);
    expect(Object.fromEntries(actions)).toEqual({ 'start-order': 1, 'move-order': 2 });
  },
);

for (const file of existsSync(found) ? readdirSync(found) : []) {
  const what = file.replace('.json', '').replaceAll('-', ' ');
  test(`FLEET-9 a fault once found by a seed stays fixed: ${what}`, { timeout }, async () => {
    const plan = JSON.parse(readFileSync(new URL(file, found), 'utf8')) as Plan;
    expect(broken(await play(plan))).toEqual([]);
  });
}
