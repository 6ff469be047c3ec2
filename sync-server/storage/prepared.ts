import {
  sql,
  type Compilable,
  type CompiledQuery,
  type RawBuilder,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';

import { isPostgres } from './dialect.ts';
import { nameStatement } from './postgres/named-statements.ts';
import { findPipeline } from './postgres/pipeline.ts';
import type { Db } from './tables.ts';

/** Placeholder for a value in a statement that is built before the value is known. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Placeholder for an element of a list. */
class ListSlot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Values = Record<string, unknown>;
type ValueOf<V extends Values> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>;

const connections = new WeakMap<Db, SqliteDatabase>();

/**
 * Lets prepared statements of `db` run directly on its connection. The query builder would acquire and release the
 * connection asynchronously, which takes longer than most statements.
 */
export function runDirectly(db: Db, connection: SqliteDatabase): void {
  connections.set(db, connection);
}

/**
 * Writes constants into the text of a statement. SQLite plans a statement again whenever a value is bound that its
 * plan depends on (such as that of `LIMIT`), and planning takes ten times as long as running a small statement. A
 * join, or an order by columns other than those of the index, has the same effect.
 */
function withConstants<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  const parts = query.sql.split('?');
  if (parts.length !== query.parameters.length + 1) return query;
  const slots: unknown[] = [];
  const texts = query.parameters.map((value) => {
    const literal = literalOf(value);
    if (literal === undefined) slots.push(value);
    return literal ?? '?';
  });
  const text = parts.map((part, index) => part + (texts[index] ?? '')).join('');
  return { ...query, sql: text, parameters: slots };
}

/** A constant as SQL; undefined for a placeholder. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value === null || typeof value === 'number' ? String(value) : undefined;
}

/** A built statement: its text and placeholders, and the prepared statement of each connection. */
interface Built<Row> {
  query: CompiledQuery<Row>;
  statements: WeakMap<SqliteDatabase, SqliteStatement>;
}

function built<Row>(db: Db, query: CompiledQuery<Row>): Built<Row> {
  const isNamed = isPostgres(db);
  if (isNamed) nameStatement(query.sql);
  return { query: isNamed ? query : withConstants(query), statements: new WeakMap() };
}

/** What was built for a database: statements differ between SQLite and PostgreSQL. */
class PerDialect<T> {
  #sqlite: T | undefined;
  #postgres: T | undefined;

  get(db: Db, build: () => T): T {
    return isPostgres(db) ? (this.#postgres ??= build()) : (this.#sqlite ??= build());
  }
}

async function run<Row>(db: Db, { query, statements }: Built<Row>, parameters: unknown[]): Promise<Row[]> {
  const connection = connections.get(db);
  if (connection === undefined) return runOnPostgres(db, query, parameters);
  // Their number is limited by the code, so they may stay as long as the connection.
  const statement = statements.get(connection) ?? connection.prepare(query.sql);
  statements.set(connection, statement);
  if (statement.reader) return statement.all(parameters) as Row[];
  statement.run(parameters);
  return [];
}

async function runOnPostgres<Row>(db: Db, query: CompiledQuery<Row>, parameters: unknown[]): Promise<Row[]> {
  const pipeline = findPipeline(db);
  if (pipeline === undefined) return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  if (returnsRows(query)) return (await pipeline.query<Row>(query.sql, parameters)).rows;
  await pipeline.send(query.sql, parameters);
  return [];
}

function returnsRows({ query }: CompiledQuery): boolean {
  const isWrite =
    query.kind === 'InsertQueryNode' || query.kind === 'UpdateQueryNode' || query.kind === 'DeleteQueryNode';
  return !isWrite || query.returning !== undefined;
}

/**
 * A statement that is built once and run often, because building takes longer than running it. `build` gets the
 * database and a function `value('name')` for its values. The returned function runs the statement and returns its
 * rows.
 */
export function prepared<V extends Values, Row>(
  build: (db: Db, value: ValueOf<V>) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const statements = new PerDialect<Built<Row>>();
  return (db, values) => {
    const known = statements.get(db, () => built(db, build(db, (name) => sql`${new Slot(name)}`).compile()));
    const parameters = known.query.parameters.map((one) => (one instanceof Slot ? values[one.name] : one));
    return run(db, known, parameters);
  };
}

/** Maximum number of list elements in one statement: databases limit it, and clients may send more. */
const mostElements = 1024;

/**
 * A statement for a list of any length (`where(…, 'in', list)`). It is built once for each power of two; shorter lists
 * repeat their last element. A list longer than `mostElements` takes several statements, so the rows are not ordered
 * as a whole. An empty one takes none.
 */
export function preparedList<V extends Values, Item, Row>(
  build: (db: Db, list: RawBuilder<Item>[], value: ValueOf<V>) => Compilable<Row>,
): (db: Db, items: readonly Item[], values: V) => Promise<Row[]> {
  const statements = new PerDialect<Map<number, Built<Row>>>();
  const some = async (db: Db, items: readonly Item[], values: V): Promise<Row[]> => {
    const size = 2 ** Math.ceil(Math.log2(items.length));
    const slots = (): RawBuilder<Item>[] =>
      Array.from({ length: size }, (_, index) => sql`${new ListSlot(index)}`);
    const known = statements.get(db, () => new Map());
    const one = known.get(size) ?? built(db, build(db, slots(), (name) => sql`${new Slot(name)}`).compile());
    known.set(size, one);
    const parameters = one.query.parameters.map((part) => {
      if (part instanceof ListSlot) return items[Math.min(part.index, items.length - 1)];
      return part instanceof Slot ? values[part.name] : part;
    });
    return run(db, one, parameters);
  };
  return async (db, items, values) => {
    if (items.length === 0) return [];
    if (items.length <= mostElements) return some(db, items, values);
    const rows: Row[] = [];
    for (let from = 0; from < items.length; from += mostElements)
      rows.push(...(await some(db, items.slice(from, from + mostElements), values)));
    return rows;
  };
}
