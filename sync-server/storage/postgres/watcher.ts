import { hash } from 'node:crypto';

import { sql } from 'kysely';

import type { Db, Tx } from '#server/storage/tables.ts';

import {
  changeOf,
  passedColumns,
  watchedTables,
  type ColumnInfo,
  type PassedValue,
  type RowWatcher,
  type SeenChange,
  type Watched,
} from '../audit/watched.ts';

/** Where triggers collect changes; every writing connection has one of its own. */
const collecting = `CREATE TEMP TABLE IF NOT EXISTS audit_seen (
  n BIGINT GENERATED ALWAYS AS IDENTITY, watched TEXT NOT NULL, op TEXT NOT NULL, passed JSONB NOT NULL
) ON COMMIT DELETE ROWS`;

/** Statements that prepare a connection for writing. */
export const writingConnection = collecting;

/** Statements at the beginning of a write transaction: its changes are collected. */
export const collectChanges = `SET LOCAL benchbook.collecting = 'on'`;

/** Watches the rows of a connection to PostgreSQL, by triggers that `storeTriggers` made. */
export class PostgresWatcher implements RowWatcher {
  readonly #watched: ReadonlyMap<string, Watched>;

  /** `watched`: the watched tables (`readWatched`). */
  constructor(watched: readonly Watched[]) {
    this.#watched = new Map(watched.map((one) => [one.table, one]));
  }

  // Triggers refuse changes outside of a transaction that collects them.
  begin(): void {}

  async end(tx: Tx): Promise<SeenChange[]> {
    const { rows } = await sql<{ watched: string; op: string; passed: PassedValue[] }>`
      WITH seen AS (DELETE FROM pg_temp.audit_seen RETURNING *) SELECT watched, op, passed FROM seen ORDER BY n`.execute(
      tx,
    );
    return rows.map(({ watched, op, passed }) => {
      const one = this.#watched.get(watched);
      if (one === undefined) throw new Error(`The table ${watched} is not watched`);
      return changeOf(one, op, passed);
    });
  }

  // The savepoint of the work, or its transaction, takes back what was collected.
  drop(): void {}
}

/** The watched tables with their columns, as they are in the database. */
export async function readWatched(db: Db): Promise<Watched[]> {
  const { rows } = await sql<{ table: string; name: string; isKey: boolean }>`
    SELECT columns.table_name AS "table", columns.column_name AS name, keys.column_name IS NOT NULL AS "isKey"
    FROM information_schema.columns AS columns
    LEFT JOIN (
      information_schema.key_column_usage AS keys JOIN information_schema.table_constraints AS constraints
        ON constraints.constraint_name = keys.constraint_name AND constraints.table_name = keys.table_name
        AND constraints.table_schema = keys.table_schema AND constraints.constraint_type = 'PRIMARY KEY'
    ) ON keys.table_name = columns.table_name AND keys.column_name = columns.column_name
      AND keys.table_schema = columns.table_schema
    WHERE columns.table_schema = current_schema() ORDER BY columns.table_name, columns.ordinal_position`.execute(
    db,
  );
  const columns = new Map<string, ColumnInfo[]>();
  for (const { table, name, isKey } of rows)
    columns.set(table, [...(columns.get(table) ?? []), { name, isKey }]);
  return watchedTables((table) => columns.get(table) ?? []);
}

/** The name in `meta` of the hash of the stored triggers. */
const storedName = 'audit_triggers';

/** Stores the triggers of all watched tables, unless the stored ones are the same. */
export async function storeTriggers(db: Db, watched: readonly Watched[]): Promise<void> {
  const statements = watched.flatMap(triggersOf);
  const wanted = hash('sha256', statements.join(';'));
  const stored = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', storedName)
    .executeTakeFirst();
  if (stored?.value === wanted) return;
  for (const statement of statements) await sql.raw(statement).execute(db);
  await db
    .insertInto('meta')
    .values({ name: storedName, value: wanted })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: wanted }))
    .execute();
}

function triggersOf(one: Watched): string[] {
  const { table, policy, columns } = one;
  const inserted = passedColumns(one, 'NEW', policy.values === true);
  const [before, after] = [passedColumns(one, 'OLD', true), passedColumns(one, 'NEW', true)];
  const seen = (op: string, values: string): string =>
    `INSERT INTO pg_temp.audit_seen (watched, op, passed) VALUES ('${table}', '${op}', jsonb_build_array(${values}));`;
  const only = (row: string): string[] =>
    policy.rows === undefined ? [] : [`(${policy.rows.replaceAll('$', row)})`];
  const differs = columns.map(({ name }) => `OLD."${name}" IS DISTINCT FROM NEW."${name}"`).join(' OR ');
  const trigger = (op: string, conditions: string[]): string =>
    `CREATE OR REPLACE TRIGGER audit_${op}_${table} AFTER ${op} ON "${table}" FOR EACH ROW
      ${conditions.length === 0 ? '' : `WHEN (${conditions.join(' AND ')})`} EXECUTE FUNCTION audit_${table}()`;
  return [
    `CREATE OR REPLACE FUNCTION audit_${table}() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
      IF current_setting('benchbook.collecting', true) IS DISTINCT FROM 'on' THEN
        RAISE EXCEPTION 'A write to ${table} outside of storage.write would not be in the audit log';
      END IF;
      IF TG_OP = 'INSERT' THEN ${seen('insert', inserted)}
      ELSIF TG_OP = 'UPDATE' THEN ${seen('update', `${before}, ${after}`)}
      ELSE ${seen('delete', before)} END IF;
      RETURN NULL;
    END $body$`,
    trigger('insert', only('NEW')),
    trigger('update', [...only('OLD'), `(${differs})`]),
    trigger('delete', only('OLD')),
  ];
}
