import { appendFileSync } from 'node:fs';

import { test, type TestContext } from 'vitest';

import { leftOutVariable, reasons, type Reason } from './left-out.ts';
import { onPostgres } from './postgres-databases.ts';

type SqliteTest = (title: string, body: () => unknown) => void;

/**
 * `test` for what only SQLite can show. On PostgreSQL the test is left out, and the run prints how many were and why.
 */
export function onlySqlite(reason: Reason): SqliteTest {
  if (!onPostgres()) return (title, body) => test(title, async () => void (await body()));
  const leaveOut = (context: TestContext): void => {
    const noted = process.env[leftOutVariable];
    if (noted !== undefined) appendFileSync(noted, `${reasons[reason]}\n`);
    context.skip(reasons[reason]);
  };
  return (title) => test(title, leaveOut);
}
