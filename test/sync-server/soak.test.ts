import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { soak, soakTable } from '#test/bench/soak/soak.ts';
import { isLongRun } from '#test/support/long-run.ts';

/** A short run shows that every kind of call works and that nothing grows at once; only a long one shows slow growth. */
const options = isLongRun
  ? { minutes: 30, people: 8, pauseMs: 150, stretches: 10 }
  : { minutes: 0.2, people: 4, pauseMs: 20, stretches: 3 };

test(
  'memory, write-ahead log and file handles do not grow while people work',
  async ({ skip }) => {
    skip(process.platform !== 'linux', 'it is read from /proc');
    const rows = await soak(options);
    // The durations depend on the machine, so they are shown and not checked.
    process.stdout.write(`${soakTable(rows)}\n`);
    const warm = must(rows[isLongRun ? 2 : 0], 'a warm stretch');
    const last = must(rows.at(-1), 'the last stretch');
    for (const { calls } of rows) expect(calls).toBeGreaterThan(20);
    // A server that has just started still grows.
    expect(last.memory).toBeLessThan((isLongRun ? 1.25 : 2) * warm.memory);
    expect(last.handles).toBeLessThanOrEqual(warm.handles + 10);
    expect(Math.max(...rows.map(({ wal }) => wal))).toBeLessThan(64 * 1024 ** 2);
  },
  45 * 60_000,
);
