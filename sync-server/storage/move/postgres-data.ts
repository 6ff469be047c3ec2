import { sql } from 'kysely';

import type { Db } from '../tables.ts';
import {
  Batches,
  mostBytes,
  mostRows,
  quoted,
  selectOf,
  weightOf,
  type DataReader,
  type DataWriter,
  type MovedTable,
  type Row,
  type Value,
} from './data.ts';

/** Rows of the first answer of a cursor, before their size is known. */
const firstRows = 50;

/** Reads a PostgreSQL database, on one connection that is in a transaction. */
export class PostgresReader implements DataReader {
  protected readonly db: Db;
  #cursors = 0;

  constructor(db: Db) {
    this.db = db;
  }

  async *rows(table: MovedTable): AsyncGenerator<readonly Row[]> {
    this.#cursors += 1;
    const cursor = `moved_${this.#cursors}`;
    await sql.raw(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectOf(table)}`).execute(this.db);
    const batches = new Batches();
    for (let count = firstRows; ;) {
      const { rows } = await sql.raw<Record<string, Value>>(`FETCH ${count} FROM ${cursor}`).execute(this.db);
      if (rows.length === 0) break;
      let weight = 0;
      for (const one of rows) {
        const row = table.columns.map((column) => one[column] ?? null);
        weight += weightOf(row);
        const full = batches.add(row);
        if (full !== null) yield full;
      }
      count = Math.max(1, Math.min(mostRows, Math.floor(mostBytes / (weight / rows.length))));
    }
    const rest = batches.take();
    if (rest.length > 0) yield rest;
    await sql.raw(`CLOSE ${cursor}`).execute(this.db);
  }

  async numbers(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const { name, column, sequence } of await this.sequences()) {
      const { rows } = await sql<{ last: number }>`SELECT greatest(
        coalesce(pg_sequence_last_value(${sequence}::regclass), 0),
        (SELECT coalesce(max(${sql.ref(column)}), 0) FROM ${sql.table(name)})) AS last`.execute(this.db);
      const last = rows[0]?.last ?? 0;
      if (last > 0) found.set(name, last);
    }
    return found;
  }

  /** The sequences of the tables that give out numbers. */
  protected async sequences(): Promise<{ name: string; column: string; sequence: string }[]> {
    const { rows } = await sql<{ name: string; column: string; sequence: string }>`
      SELECT table_name AS name, column_name AS "column", pg_get_serial_sequence(table_name, column_name) AS sequence
      FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`.execute(
      this.db,
    );
    return rows;
  }
}

/** Fills a PostgreSQL database, whose triggers are off and whose foreign keys are gone. */
export class PostgresWriter extends PostgresReader implements DataWriter {
  async add({ name, columns }: MovedTable, rows: readonly Row[]): Promise<void> {
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, writtenIn(row[index] ?? null)])),
    );
    const list = sql.raw(columns.map(quoted).join(', '));
    await sql`INSERT INTO ${sql.table(name)} (${list}) SELECT ${list}
      FROM json_populate_recordset(NULL::${sql.table(name)}, ${JSON.stringify(objects)}::json)`.execute(
      this.db,
    );
  }

  async setNumbers(numbers: ReadonlyMap<string, number>): Promise<void> {
    const known = await this.numbers();
    for (const { name, sequence } of await this.sequences()) {
      const number = Math.max(numbers.get(name) ?? 0, known.get(name) ?? 0);
      await sql`SELECT setval(${sequence}::regclass, ${Math.max(1, number)}::bigint, ${number > 0})`.execute(
        this.db,
      );
    }
  }
}

/** A value in JSON, as PostgreSQL reads it. */
function writtenIn(value: Value): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
