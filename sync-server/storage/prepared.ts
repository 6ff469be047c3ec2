import {
  sql,
  type Compilable,
  type CompiledQuery,
  type RawBuilder,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';

import type { Db } from './tables.ts';

/** The place of a value in a statement that is built before the value is known. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The place of an element of a list. */
class ListSlot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Values = Record<string, unknown>;
type Place<V extends Values> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>;

const connections = new WeakMap<Db, SqliteDatabase>();

/**
 * Has prepared statements of `db` run on its connection at once: what a query builder does around a statement (to take
 * the connection, to wait, to give it back) takes longer than most of them.
 */
export function runDirectly(db: Db, connection: SqliteDatabase): void {
  connections.set(db, connection);
}

/**
 * Writes what never changes into the statement itself. SQLite plans a statement anew whenever a value is bound that its
 * plan was made with (of `LIMIT`, for one), and planning takes ten times as long as a small statement runs; a join or an
 * order by other columns than those of the index has the same effect.
 */
function withConstants<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  const parts = query.sql.split('?');
  if (parts.length !== query.parameters.length + 1) return query;
  const slots: unknown[] = [];
  const places = query.parameters.map((value) => {
    const literal = literalOf(value);
    if (literal === undefined) slots.push(value);
    return literal ?? '?';
  });
  const text = parts.map((part, index) => part + (places[index] ?? '')).join('');
  return { ...query, sql: text, parameters: slots };
}

/** undefined: it is known later. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value === null || typeof value === 'number' ? String(value) : undefined;
}

/** A statement that was built: its text, where its values come from, and itself as each connection prepared it. */
interface Built<Row> {
  query: CompiledQuery<Row>;
  statements: WeakMap<SqliteDatabase, SqliteStatement>;
}

function built<Row>(query: CompiledQuery<Row>): Built<Row> {
  return { query: withConstants(query), statements: new WeakMap() };
}

async function run<Row>(db: Db, { query, statements }: Built<Row>, parameters: unknown[]): Promise<Row[]> {
  const connection = connections.get(db);
  if (connection === undefined) return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  // There are as many as places in the code, so that they may stay while the connection does.
  const statement = statements.get(connection) ?? connection.prepare(query.sql);
  statements.set(connection, statement);
  if (statement.reader) return statement.all(parameters) as Row[];
  statement.run(parameters);
  return [];
}

/**
 * A statement that is built once and run often: building one takes longer than SQLite needs to run it. `build` gets the
 * database and names the values by `value('name')`, each with the type of the column it is compared with or stored in.
 */
export function prepared<V extends Values, Row>(
  build: (db: Db, value: Place<V>) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  let known: Built<Row> | undefined;
  return (db, values) => {
    known ??= built(build(db, (name) => sql`${new Slot(name)}`).compile());
    const parameters = known.query.parameters.map((one) => (one instanceof Slot ? values[one.name] : one));
    return run(db, known, parameters);
  };
}

/** Elements of a list in one statement: databases bound their number, and what clients send does not. */
const mostElements = 1024;

/**
 * A statement over a list of any length (`where(…, 'in', list)`), built once for each power of two: the rest of the list
 * is filled with its last element. A longer list takes several statements, an empty one none, so that rows come in no
 * order over the whole of it.
 */
export function preparedList<V extends Values, Item, Row>(
  build: (db: Db, list: RawBuilder<Item>[], value: Place<V>) => Compilable<Row>,
): (db: Db, items: readonly Item[], values: V) => Promise<Row[]> {
  const known = new Map<number, Built<Row>>();
  const some = async (db: Db, items: readonly Item[], values: V): Promise<Row[]> => {
    const size = 2 ** Math.ceil(Math.log2(items.length));
    const slots = (): RawBuilder<Item>[] =>
      Array.from({ length: size }, (_, index) => sql`${new ListSlot(index)}`);
    const one = known.get(size) ?? built(build(db, slots(), (name) => sql`${new Slot(name)}`).compile());
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
