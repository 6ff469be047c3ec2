import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Planned orders by what lists ask for. Their documents have everything else. An entry fulfils at most one, and one is
 * fulfilled by at most one entry. A series has one order for each time at which its rule occurs.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE planned_series (seriesid INTEGER PRIMARY KEY AUTOINCREMENT,
       rrule TEXT NOT NULL, start TEXT NOT NULL, time_zone TEXT NOT NULL, template TEXT NOT NULL,
       userid INTEGER REFERENCES users (userid), teamid INTEGER,
       planned_until INTEGER NOT NULL, ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
       CHECK ((userid IS NULL) <> (teamid IS NULL)))`,
    'CREATE INDEX going_planned_series ON planned_series (planned_until) WHERE ended = 0',
    `CREATE TABLE planned_orders (planned_orderid INTEGER PRIMARY KEY AUTOINCREMENT,
       guideid INTEGER NOT NULL, workorderid TEXT NOT NULL,
       userid INTEGER REFERENCES users (userid), teamid INTEGER,
       status TEXT NOT NULL CHECK (status IN ('open', 'started', 'done', 'withdrawn')),
       entryid INTEGER UNIQUE REFERENCES work_log (entryid),
       seriesid INTEGER REFERENCES planned_series (seriesid), occurrence INTEGER,
       UNIQUE (seriesid, occurrence),
       CHECK ((seriesid IS NULL) = (occurrence IS NULL)),
       CHECK ((userid IS NULL) <> (teamid IS NULL)),
       CHECK ((entryid IS NOT NULL) = (status IN ('started', 'done'))))`,
    'CREATE INDEX planned_orders_of_guide ON planned_orders (guideid)',
    'CREATE INDEX planned_orders_of_person ON planned_orders (userid) WHERE userid IS NOT NULL',
    'CREATE INDEX planned_orders_of_team ON planned_orders (teamid) WHERE teamid IS NOT NULL',
    'CREATE INDEX planned_orders_by_number ON planned_orders (workorderid)',
    "CREATE INDEX open_planned_orders ON planned_orders (planned_orderid) WHERE status = 'open'",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
