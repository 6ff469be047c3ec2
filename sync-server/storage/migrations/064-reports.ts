import { sql, type Kysely } from 'kysely';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { finishedOrder } from '#shared/rules/finished-order.ts';

import type { Tables } from '../tables.ts';

/** Number of entries that are read at a time. */
const together = 500;

/** Gives the row of an order the audience of its document. */
const sameAudience = `BEGIN
  UPDATE finished_orders SET audience = NEW.audience WHERE entryid = CAST(NEW.id AS INTEGER);
END`;

const ofOrder = 'entryid INTEGER NOT NULL REFERENCES finished_orders (entryid) ON DELETE CASCADE';

const statements = [
  `CREATE TABLE finished_orders (
     entryid INTEGER PRIMARY KEY REFERENCES work_log (entryid) ON DELETE CASCADE,
     guideid INTEGER NOT NULL, userid INTEGER NOT NULL, ended INTEGER NOT NULL, active INTEGER NOT NULL,
     missing INTEGER NOT NULL, audience INTEGER NOT NULL)`,
  // They contain all columns, so reports of a time, a guide or a person read the index only.
  `CREATE INDEX finished_orders_by_end
     ON finished_orders (ended, guideid, userid, audience, active, missing)`,
  `CREATE INDEX finished_orders_of_guide
     ON finished_orders (guideid, ended, userid, audience, active, missing)`,
  `CREATE INDEX finished_orders_of_person
     ON finished_orders (userid, ended, guideid, audience, active, missing)`,
  `CREATE TABLE step_times (${ofOrder}, stepid INTEGER NOT NULL, seconds INTEGER NOT NULL,
     PRIMARY KEY (entryid, stepid)) WITHOUT ROWID`,
  `CREATE TABLE missing_values (${ofOrder}, field_guid TEXT NOT NULL, stepid INTEGER NOT NULL, label TEXT NOT NULL,
     PRIMARY KEY (entryid, field_guid)) WITHOUT ROWID`,
  `CREATE TABLE measured_numbers (field_guid TEXT NOT NULL, ended INTEGER NOT NULL, ${ofOrder},
     stepid INTEGER NOT NULL, label TEXT NOT NULL, unit TEXT NOT NULL, value REAL NOT NULL, min REAL, max REAL,
     userid INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (field_guid, ended, entryid)) WITHOUT ROWID`,
  'CREATE INDEX measured_numbers_of_order ON measured_numbers (entryid)',
  `CREATE TRIGGER reports_audience_insert AFTER INSERT ON documents WHEN NEW.collection = 'workLog' ${sameAudience}`,
  `CREATE TRIGGER reports_audience_update AFTER UPDATE OF audience ON documents
     WHEN NEW.collection = 'workLog' AND NEW.audience <> OLD.audience ${sameAudience}`,
];

/** What reports count of finished orders, including existing ones. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('work_log')
      .innerJoin('documents', (join) =>
        join
          .on('documents.collection', '=', 'workLog')
          .on((eb) => eb('documents.id', '=', eb.cast<string>('work_log.entryid', 'text'))),
      )
      .select(['work_log.entryid', 'documents.audience', 'documents.body'])
      .where('work_log.entryid', '>', last)
      .where('work_log.status', '=', 'complete')
      .orderBy('work_log.entryid')
      .limit(together)
      .execute();
    await addOrders(
      db,
      rows.map(({ body, audience }) => ({ facts: JSON.parse(body) as EntryFacts, audience })),
    );
    const next = rows.at(-1)?.entryid;
    if (next === undefined) return;
    last = next;
  }
}

async function addOrders(
  db: Kysely<Tables>,
  found: readonly { facts: EntryFacts; audience: number }[],
): Promise<void> {
  const orders = found.flatMap(({ facts: { entryid, guideid, ...rest }, audience }) => {
    const order = finishedOrder({ entryid, guideid, ...rest });
    return order === null ? [] : [{ entryid, guideid, audience, ...order }];
  });
  const rows = JSON.stringify(orders);
  const each = (part: string) => sql.raw(`json_each(one.value, '$.${part}') AS part`);
  await sql`INSERT INTO finished_orders (entryid, guideid, userid, ended, active, missing, audience)
    SELECT value ->> 'entryid', value ->> 'guideid', value ->> 'userid', value ->> 'ended', value ->> 'active',
      json_array_length(value, '$.missing'), value ->> 'audience'
    FROM json_each(${rows})`.execute(db);
  await sql`INSERT OR REPLACE INTO step_times (entryid, stepid, seconds)
    SELECT one.value ->> 'entryid', part.value ->> 'stepid', part.value ->> 'seconds'
    FROM json_each(${rows}) AS one, ${each('steps')}`.execute(db);
  await sql`INSERT OR REPLACE INTO missing_values (entryid, field_guid, stepid, label)
    SELECT one.value ->> 'entryid', part.value ->> 'field_guid', part.value ->> 'stepid', part.value ->> 'label'
    FROM json_each(${rows}) AS one, ${each('missing')}`.execute(db);
  await sql`INSERT OR REPLACE INTO measured_numbers
      (field_guid, ended, entryid, stepid, label, unit, value, min, max, userid, at)
    SELECT part.value ->> 'field_guid', one.value ->> 'ended', one.value ->> 'entryid', part.value ->> 'stepid',
      part.value ->> 'label', part.value ->> 'unit', part.value ->> 'value', part.value ->> 'min',
      part.value ->> 'max', part.value ->> 'userid', part.value ->> 'at'
    FROM json_each(${rows}) AS one, ${each('numbers')}`.execute(db);
}
