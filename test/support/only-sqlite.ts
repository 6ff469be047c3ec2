import { appendFileSync } from 'node:fs';

import { test, type TestContext } from 'vitest';

import { leftOutVariable, reasons, type Reason } from './left-out.ts';
import { onPostgres } from './postgres-databases.ts';

/** The part of `test` that tests of SQLite use. */
interface SqliteTest {
  (title: string, body: () => unknown): void;
  each<T extends readonly unknown[]>(
    cases: readonly T[],
  ): (title: string, body: (...values: [...T]) => unknown) => void;
}

/**
 * `test` for what only SQLite can show. On PostgreSQL the test is left out, and the run prints how many were and why.
 */
export function onlySqlite(reason: Reason): SqliteTest {
  if (!onPostgres()) return test as unknown as SqliteTest;
  const leaveOut = (context: TestContext): void => {
    const noted = process.env[leftOutVariable];
    if (noted !== undefined) appendFileSync(noted, `${reasons[reason]}\n`);
    context.skip(reasons[reason]);
  };
  const left = (title: string): void => test(title, leaveOut);
  return Object.assign(left, {
    each:
      (cases: readonly unknown[]) =>
      (title: string): void =>
        test.for(cases)(title, (_, context) => leaveOut(context)),
  });
}
