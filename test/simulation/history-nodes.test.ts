import { expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { flawsOf } from './history/check.ts';
import { startKillableNodes } from './history/nodes.ts';
import { playHistory } from './history/play.ts';

test(
  'HISTORY-7 the calls of clients that move between three nodes on PostgreSQL fit one order, with kills and lost responses',
  { timeout: 7_200_000 },
  async () => {
    await using server = await startKillableNodes();
    const history = await playHistory(
      server,
      isLongRun
        ? { seed: 1, clients: 8, operations: 20_000, kills: 200 }
        : { seed: 1, clients: 8, operations: 300, kills: 1 },
    );
    expect(flawsOf(history)).toEqual([]);
    const count = [...history.operations.values()].reduce((sum, own) => sum + own.length, 0);
    expect(count).toBeGreaterThan(isLongRun ? 50_000 : 500);
  },
);
