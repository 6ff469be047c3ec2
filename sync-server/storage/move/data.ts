/** A value of a column. */
export type Value = string | number | null | Uint8Array;

/** Values in the order of `MovedTable.columns`. */
export type Row = readonly Value[];

/** A table as it is moved. */
export interface MovedTable {
  name: string;
  columns: readonly string[];
  /** Columns whose order is the same in every database: the primary key, or all columns. */
  order: readonly string[];
  /** Condition, in SQL, of the rows that belong to the site and not to its database. */
  rows?: string;
}

/** Reads the data of a site as of one moment. */
export interface DataReader {
  /** All rows of a table in its order, in batches of limited size. */
  rows(table: MovedTable): AsyncIterable<readonly Row[]>;
  /** The last number that each table has given out; tables that gave out none are missing. */
  numbers(): Promise<ReadonlyMap<string, number>>;
}

/** Fills the empty tables of a site. */
export interface DataWriter extends DataReader {
  add(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** From now on, each table gives out higher numbers than these, and than those in its rows. */
  setNumbers(numbers: ReadonlyMap<string, number>): Promise<void>;
}

/** The size of a row in memory, roughly, in bytes. */
export function weightOf(row: Row): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );
}

/** Collects rows into batches of limited size. */
export class Batches {
  #rows: Row[] = [];
  #weight = 0;

  /** Adds a row; returns a batch when it is full. */
  add(row: Row): readonly Row[] | null {
    this.#rows.push(row);
    this.#weight += weightOf(row);
    return this.#rows.length >= mostRows || this.#weight >= mostBytes ? this.take() : null;
  }

  /** The rows that are left. */
  take(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#weight = 0;
    return rows;
  }
}

/** Size of a batch: bytes, and rows. */
export const mostBytes = 1024 * 1024;
export const mostRows = 2000;

/** Quotes the name of a table or column. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/** The statement that reads a table in its order. On both databases, NULL comes first. */
export function selectOf({ name, columns, order, rows }: MovedTable): string {
  const where = rows === undefined ? '' : ` WHERE ${rows}`;
  const by = order.map((column) => `${quoted(column)} NULLS FIRST`).join(', ');
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}${where} ORDER BY ${by}`;
}
