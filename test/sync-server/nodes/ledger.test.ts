import { expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { playLedger } from './ledger/play.ts';

test(
  'NODES-4 32 writers, readers and three nodes behind a proxy that are killed at random, with PostgreSQL: nothing acknowledged is lost, doubled, skipped or out of order',
  { timeout: 86_400_000 },
  async () => {
    const rows = isLongRun ? Number(process.env['BENCHBOOK_LEDGER_ROWS'] ?? 1_000_000) : 400;
    const begun = Date.now();
    const ledger = await playLedger({
      seed: 1,
      writers: 32,
      readers: 4,
      rows,
      nodeKills: isLongRun ? Math.ceil(rows / 5000) : 2,
      databaseKills: isLongRun ? Math.ceil(rows / 20_000) : 1,
    });
    if (isLongRun)
      process.stdout.write(
        `${ledger.rows} rows in ${Math.round((Date.now() - begun) / 1000)} s behind ${ledger.proxy}, ${ledger.repeated} calls repeated\n`,
      );
    expect(ledger.flaws).toEqual([]);
    expect(ledger.rows).toBeGreaterThanOrEqual(rows);
  },
);
