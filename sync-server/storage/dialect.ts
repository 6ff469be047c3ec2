import { PostgresAdapter, sql, type RawBuilder, type SqlBool } from 'kysely';

import type { Db } from './tables.ts';

/** Whether a database is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * The condition that a text contains another; A to Z match a to z, as `LIKE` of SQLite does it. `column`: the name of
 * the column, or SQL.
 */
export function contains(db: Db, column: string | RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  return matches(db, column, `%${literal(part)}%`);
}

/** The condition that a text begins with another, as `contains` compares them. */
export function startsWith(db: Db, column: string, beginning: string): RawBuilder<SqlBool> {
  return matches(db, column, `${literal(beginning)}%`);
}

/** A text in a pattern of `LIKE`, in which nothing has a special meaning. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

function matches(db: Db, column: string | RawBuilder<unknown>, pattern: string): RawBuilder<SqlBool> {
  const text = typeof column === 'string' ? sql.ref(column) : column;
  return isPostgres(db)
    ? sql`${text} ILIKE ${pattern} ESCAPE '\\'`
    : sql`${text} LIKE ${pattern} ESCAPE '\\'`;
}

/** A place in a JSON document: names of fields, and positions in lists, which count from the end if they are negative. */
export type JsonPath = readonly (string | number)[];

/** The text at a place of a column with JSON; null if there is none. */
export function jsonText(db: Db, column: string, path: JsonPath): RawBuilder<string | null> {
  return isPostgres(db) ? inJson(column, path) : sql`json_extract(${sql.ref(column)}, ${sqlitePath(path)})`;
}

/** The number at a place of a column with JSON; null if there is none. */
export function jsonNumber(db: Db, column: string, path: JsonPath): RawBuilder<number | null> {
  return isPostgres(db)
    ? sql`CAST(${inJson(column, path)} AS NUMERIC)`
    : sql`json_extract(${sql.ref(column)}, ${sqlitePath(path)})`;
}

function inJson(column: string, path: JsonPath): RawBuilder<string | null> {
  const names = sql.join(path.map((part) => sql.lit(String(part))));
  return sql`(CAST(${sql.ref(column)} AS JSON) #>> ARRAY[${names}])`;
}

function sqlitePath(path: JsonPath): RawBuilder<string> {
  const parts = path.map((part) => {
    if (typeof part === 'string') return `."${part}"`;
    return part < 0 ? `[#${part}]` : `[${part}]`;
  });
  return sql.lit(`$${parts.join('')}`);
}

/** A table with a column `value` that has these whole numbers; any number of them is one value of the statement. */
export function numberTable(db: Db, numbers: readonly number[]): RawBuilder<unknown> {
  const list = JSON.stringify(numbers);
  return isPostgres(db)
    ? sql`(SELECT CAST(json_array_elements_text(CAST(${list} AS JSON)) AS BIGINT) AS value)`
    : sql`json_each(${list})`;
}

/**
 * In a statement that groups rows: the value of a column in the row of the group with the greatest `by`. SQLite takes
 * it from there only if the statement also selects `max(by)`.
 */
export function ofLatest(db: Db, column: string, by: string): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`(array_agg(${sql.ref(column)} ORDER BY ${sql.ref(by)} DESC))[1]`
    : sql.ref(column);
}

/** The names of the triggers of a table that are in force. */
export async function triggersOf(db: Db, table: string): Promise<Set<string>> {
  const { rows } = await (
    isPostgres(db)
      ? sql<{ name: string }>`SELECT CAST(tgname AS TEXT) AS name FROM pg_trigger
          WHERE tgrelid = CAST(${table} AS regclass) AND tgenabled = 'O'`
      : sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ${table}`
  ).execute(db);
  return new Set(rows.map(({ name }) => name));
}
