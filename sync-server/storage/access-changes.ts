import { prepared } from './prepared.ts';
import type { Db, Tx } from './tables.ts';

/*
 * - EVENT-6 Whatever ends a session or changes the rights of a person, in any process, is noted in its own transaction.
 */

/** Changes that are kept. A reader follows them within a second, so it never misses one. */
const kept = 100_000;

/** The people whose sessions or rights changed after `change` (0: the beginning), in order. */
export function accessChangesAfter(db: Db, change: number): Promise<{ change: number; userid: number }[]> {
  return changesAfter(db, { change });
}

/** The newest change of anybody's sessions or rights; 0: none. */
export async function newestAccessChange(db: Db): Promise<number> {
  const [newest] = await newestChange(db, {});
  return newest?.change ?? 0;
}

/** Deletes old changes. */
export async function pruneAccessChanges(tx: Tx): Promise<void> {
  const newest = await newestAccessChange(tx);
  await tx
    .deleteFrom('access_changes')
    .where('change', '<', newest - kept)
    .execute();
}

const changesAfter = prepared<{ change: number }, { change: number; userid: number }>((db, value) =>
  db.selectFrom('access_changes').selectAll().where('change', '>', value('change')).orderBy('change'),
);

const newestChange = prepared<Record<never, never>, { change: number }>((db) =>
  db.selectFrom('access_changes').select('change').orderBy('change', 'desc').limit(1),
);
