import { describe, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { soak, soakTable } from '#test/bench/soak/soak.ts';
import { isLongRun } from '#test/support/long-run.ts';

// Half an hour, so that only the long run does it. It reads `/proc`.
describe.runIf(isLongRun && process.platform === 'linux')('a server under moderate load', () => {
  test(
    'SOAK-1 memory, write-ahead log and file handles do not grow in half an hour of work',
    async () => {
      const rows = await soak({ minutes: 30, people: 8, pauseMs: 150, stretches: 10 });
      // The durations depend on the machine, so they are shown and not checked.
      process.stdout.write(`${soakTable(rows)}\n`);
      const warm = must(rows[2], 'the third stretch');
      const last = must(rows.at(-1), 'the last stretch');
      for (const { calls } of rows) expect(calls).toBeGreaterThan(100);
      expect(last.memory).toBeLessThan(1.25 * warm.memory);
      expect(last.handles).toBeLessThanOrEqual(warm.handles + 10);
      expect(Math.max(...rows.map(({ wal }) => wal))).toBeLessThan(64 * 1024 ** 2);
    },
    45 * 60_000,
  );
});
