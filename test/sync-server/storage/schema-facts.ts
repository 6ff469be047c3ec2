import { sql } from 'kysely';

import type { Db } from '#server/storage/tables.ts';

interface Column {
  table: string;
  name: string;
  type: string;
  notNull: boolean;
  fallback: string | null;
  assigned: boolean;
}

interface Key {
  table: string;
  columns: string;
  /** Of a foreign key: what it refers to, and what a deletion there does. */
  refers?: string;
}

interface Index extends Key {
  name: string;
  unique: boolean;
  /** Which rows it has; null: all. */
  rows: string | null;
}

interface Facts {
  columns: Column[];
  primary: Key[];
  unique: Key[];
  foreign: Key[];
  indexes: Index[];
}

/** Kept apart: the index of words is FTS5 on SQLite, and a column of words on PostgreSQL. */
const isCompared = ({ table }: { table: string }): boolean => !/^(?:search_index|sqlite_)/.test(table);

/** One line for each fact, in order. */
function linesOf({ columns, primary, unique, foreign, indexes }: Facts): string[] {
  return [
    ...columns
      .filter(isCompared)
      .map((one) =>
        [
          `column ${one.table}.${one.name} ${one.type}`,
          one.notNull ? 'not null' : '',
          one.fallback === null ? '' : `default ${one.fallback}`,
          one.assigned ? 'assigned' : '',
        ].join(' '),
      ),
    ...primary.filter(isCompared).map((one) => `primary key ${one.table} (${one.columns})`),
    ...unique.filter(isCompared).map((one) => `unique ${one.table} (${one.columns})`),
    ...foreign.filter(isCompared).map((one) => `foreign key ${one.table} (${one.columns}) ${one.refers}`),
    ...indexes
      .filter(isCompared)
      .map(
        (one) =>
          `${one.unique ? 'unique ' : ''}index ${one.name} ${one.table} (${one.columns}) ${rowsOf(one.rows)}`,
      ),
  ].toSorted();
}

/** A condition without what the databases write differently. */
function rowsOf(condition: string | null): string {
  return (condition ?? '').replaceAll(/::\w+|[()"\s]/g, '').toLowerCase();
}

/** A fact whose truth values are 0 and 1. */
type Stored<Fact, Name extends keyof Fact> = Omit<Fact, Name> & Record<Name, number>;

const listOf = `(SELECT group_concat(name, ', ') FROM (SELECT name FROM`;

/** Facts about the schema of a SQLite database. */
export async function sqliteSchema(db: Db): Promise<string[]> {
  const all = async <Row>(text: string): Promise<Row[]> => (await sql.raw<Row>(text).execute(db)).rows;
  const tables = `sqlite_schema AS t WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'`;
  const columns = await all<Stored<Column, 'notNull' | 'assigned'>>(`
    SELECT t.name AS "table", c.name AS name, c.type AS type, c."notnull" <> 0 OR c.pk > 0 AS "notNull",
      c.dflt_value AS fallback, c.pk > 0 AND t.sql LIKE '%AUTOINCREMENT%' AS assigned
    FROM ${tables.replace(' WHERE', ' JOIN pragma_table_info(t.name) AS c WHERE')}`);
  const indexes = await all<Stored<Index, 'unique'> & { origin: string }>(`
    SELECT t.name AS "table", i.name AS name, i."unique" <> 0 AS "unique", i.origin AS origin,
      ${listOf} pragma_index_info(i.name) ORDER BY seqno)) AS columns,
      (SELECT substr(s.sql, instr(s.sql, ' WHERE ') + 7) FROM sqlite_schema AS s
        WHERE s.name = i.name AND instr(s.sql, ' WHERE ') > 0) AS "rows"
    FROM ${tables.replace(' WHERE', ' JOIN pragma_index_list(t.name) AS i WHERE')}`);
  const typed = indexes.map((one) => ({ ...one, unique: one.unique === 1 }));
  return linesOf({
    columns: columns.map((one) => ({
      ...one,
      notNull: one.notNull === 1,
      assigned: one.assigned === 1,
      // Whole numbers, whatever SQLite was told about their size.
      type: /int/i.test(one.type) ? 'integer' : one.type.toLowerCase(),
    })),
    primary: await all<Key>(`
      SELECT t.name AS "table", ${listOf} pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS columns
      FROM ${tables} AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE pk > 0)`),
    unique: typed.filter(({ origin }) => origin === 'u'),
    foreign: await all<Key>(`
      SELECT t.name AS "table", group_concat(f."from", ', ') AS columns,
        f."table" || ' (' || group_concat(f."to", ', ') || ') ' || lower(f.on_delete) AS refers
      FROM ${tables.replace(' WHERE', ' JOIN pragma_foreign_key_list(t.name) AS f WHERE')} GROUP BY t.name, f.id`),
    indexes: typed.filter(({ origin }) => origin === 'c'),
  });
}

const types: Record<string, string> = {
  bigint: 'integer',
  'double precision': 'real',
  text: 'text',
  bytea: 'blob',
};

/** The names of the columns with these numbers of a table, in the order of the numbers. */
const namesOf = (relation: string, numbers: string): string => `(
  SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(${numbers}) WITH ORDINALITY AS n (number, place)
  JOIN pg_attribute ON attrelid = ${relation} AND attnum = n.number)`;

/**
 * What PostgreSQL has instead of facts of SQLite: texts that are too long for its trees are found by a hash, and a
 * table without AUTOINCREMENT numbers its rows too.
 */
export const instead: Record<string, string[]> = {
  'primary key machine_translations (source_langid, langid, text)': [
    'index machine_translations_words machine_translations (text) ',
    'unique index machine_translations_text machine_translations (source_langid, langid) ',
  ],
  'column station_members.memberid integer not null  ': [
    'column station_members.memberid integer not null  assigned',
  ],
};

/** Facts about the schema of a PostgreSQL database. */
export async function postgresSchema(db: Db): Promise<string[]> {
  const all = async <Row>(text: string): Promise<Row[]> => (await sql.raw<Row>(text).execute(db)).rows;
  const columns = await all<Column>(`
    SELECT relname AS "table", attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS "notNull",
      pg_get_expr(adbin, adrelid) AS fallback, attidentity <> '' AS assigned
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attnum > 0 AND NOT attisdropped`);
  const keys = await all<Key & { kind: string }>(`
    SELECT conrelid::regclass::text AS "table", contype AS kind, ${namesOf('conrelid', 'conkey')} AS columns,
      confrelid::regclass::text || ' (' || ${namesOf('confrelid', 'confkey')} || ') ' ||
        CASE confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' ELSE 'no action' END AS refers
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'u', 'x', 'f')`);
  const of = (...kinds: string[]): Key[] => keys.filter(({ kind }) => kinds.includes(kind));
  return linesOf({
    columns: columns.map((one) => ({
      ...one,
      type: types[one.type] ?? one.type,
      fallback: one.fallback?.replaceAll(/::\w+/g, '') ?? null,
    })),
    primary: of('p'),
    // A constraint of exclusion that compares for equality is a unique one without a limit of length.
    unique: of('u', 'x'),
    foreign: of('f'),
    indexes: await all<Index>(`
      SELECT indrelid::regclass::text AS "table", indexrelid::regclass::text AS name, indisunique AS "unique",
        ${namesOf('indrelid', 'indkey::int2[]')} AS columns, pg_get_expr(indpred, indrelid) AS "rows"
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = current_schema()::regnamespace AND indislive
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')`),
  });
}
