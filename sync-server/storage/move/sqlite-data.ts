import type BetterSqlite3 from 'better-sqlite3';

import {
  Batches,
  quoted,
  selectOf,
  type DataReader,
  type DataWriter,
  type MovedTable,
  type Row,
} from './data.ts';

/** Reads a SQLite database. The caller has begun a transaction. */
export class SqliteReader implements DataReader {
  protected readonly sqlite: BetterSqlite3.Database;

  constructor(sqlite: BetterSqlite3.Database) {
    this.sqlite = sqlite;
  }

  async *rows(table: MovedTable): AsyncGenerator<readonly Row[]> {
    const batches = new Batches();
    for (const row of this.sqlite.prepare(selectOf(table)).raw().iterate()) {
      const full = batches.add(row as Row);
      if (full !== null) yield full;
    }
    const rest = batches.take();
    if (rest.length > 0) yield rest;
  }

  async numbers(): Promise<ReadonlyMap<string, number>> {
    const rows = this.sqlite.prepare('SELECT name, seq FROM sqlite_sequence').all() as {
      name: string;
      seq: number;
    }[];
    return new Map(rows.filter(({ seq }) => seq > 0).map(({ name, seq }) => [name, seq]));
  }
}

/** Fills a SQLite database, whose triggers are gone and whose foreign keys are not checked. */
export class SqliteWriter extends SqliteReader implements DataWriter {
  async add({ name, columns }: MovedTable, rows: readonly Row[]): Promise<void> {
    const places = columns.map(() => '?').join(', ');
    const insert = this.sqlite.prepare(
      `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${places})`,
    );
    for (const row of rows) insert.run(row);
  }

  async setNumbers(numbers: ReadonlyMap<string, number>): Promise<void> {
    const counting = this.sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
      .pluck()
      .all() as string[];
    const known = await this.numbers();
    for (const table of counting) {
      const number = Math.max(numbers.get(table) ?? 0, known.get(table) ?? 0);
      this.sqlite.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
      if (number > 0)
        this.sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, number);
    }
  }
}
