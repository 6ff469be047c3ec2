import { expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { killAndReopen, type Bug } from './killed-writes.ts';

const livesOfOne = 10;

/** Kills the apps of as many devices as needed; stops at the first with a wrong mirror. */
async function kill(times: number, bug?: Bug): Promise<{ kills: number; complete: number; wrong: string[] }> {
  let kills = 0;
  let complete = 0;
  for (let seed = 1; kills < times; seed += 1) {
    const shown = await killAndReopen(seed, livesOfOne, bug);
    kills += shown.kills;
    complete += shown.complete;
    if (shown.wrong.length > 0) return { kills, complete, wrong: shown.wrong };
  }
  return { kills, complete, wrong: [] };
}

test('MIRROR-20 after a kill between any two writes, everything up to the checkpoint exists, or the mirror is marked as loading', async () => {
  const { kills, complete, wrong } = await kill(isLongRun ? 10_000 : 250);
  expect(wrong).toEqual([]);
  // The mirror is not always loading.
  expect(complete).toBeGreaterThan(kills / 4);
});

test('MIRROR-20 seed 1090: a row that a later one supersedes may be lost, since the later one comes again', async () => {
  expect((await killAndReopen(1090, livesOfOne)).wrong).toEqual([]);
});

test.each(['mark-before-rows', 'mark-believed-blindly'] as const)(
  'MIRROR-20 the check notices %s',
  async (bug) => {
    expect((await kill(1000, bug)).wrong).not.toEqual([]);
  },
);
