import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { StationTries } from '#desktop/engine/account/station/tries.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';

/** Windows of one station, and their clock. `start`: opens one more; a monotonic clock begins in each. */
async function station() {
  const clock = { now: Date.UTC(2026, 5, 1), passed: 0 };
  const environment = { now: () => clock.now, monotonic: () => clock.passed, uuid: () => randomUUID() };
  const journal = await openJournal(memoryStore(), environment);
  const inTurn = serialQueue();
  const lock = <T>(_name: string, run: () => Promise<T>): Promise<T> => inTurn(run);
  const platform = { environment, lock };
  const pass = (ms: number): void => {
    clock.now += ms;
    clock.passed += ms;
  };
  return { clock, pass, start: () => new StationTries({ platform, journal, home: 'home-1' }) };
}

async function wrong(tries: StationTries, times: number, whose: string | null = 'ana'): Promise<void> {
  for (let time = 0; time < times; time += 1) expect(await tries.begin(whose)).toBe(true);
}

test('STATION-ENGINE-4 a wait holds in all windows, doubles, and setting the clock does not end it', async () => {
  const { clock, pass, start } = await station();
  const first = start();
  const second = start();
  await wrong(first, 5);
  expect(await second.waitOf('ana')).toBe(30_000);
  expect([await second.waitOf('ben'), await second.waitOf(null)]).toEqual([0, 0]);
  clock.now -= 3_600_000;
  expect(await first.waitOf('ana')).toBe(30_000);
  clock.now += 7_200_000;
  expect(await first.waitOf('ana')).toBe(30_000);
  // After a restart the shortest wait remains at least.
  expect(await start().waitOf('ana')).toBe(30_000);
  pass(30_000);
  expect(await first.waitOf('ana')).toBe(0);
  await wrong(first, 1);
  expect(await first.waitOf('ana')).toBe(60_000);
  pass(60_000);
  await first.begin('ana');
  await first.right('ana', true);
  expect(await first.waitOf('ana')).toBe(0);
  expect(await first.read()).toMatchObject({ failed: 6 });
});

test('STATION-ENGINE-4 signing in between guesses earns no free tries at the station; quiet time does', async () => {
  const { pass, start } = await station();
  const tries = start();
  for (let time = 0; time < 20; time += 1) {
    await wrong(tries, 1, null);
    await tries.begin('ben');
    await tries.right('ben', true);
  }
  await tries.begin(null);
  expect(await tries.waitOf('ben')).toBeGreaterThanOrEqual(30_000);
  pass(100 * 60_000);
  await wrong(tries, 5, null);
  expect(await tries.waitOf('ben')).toBe(0);
});

test('STATION-ENGINE-4 windows that guess at the same time get no more tries than one', async () => {
  const { start } = await station();
  const windows = [start(), start(), start()];
  const looked = await Promise.all([...windows, ...windows, ...windows].map((one) => one.begin('ana')));
  expect(looked.filter(Boolean)).toHaveLength(5);
  expect(await start().read()).toMatchObject({ failed: 5 });
});
