import { createHash, type Hash } from 'node:crypto';

import type { DataReader, DataWriter, MovedTable, Row, Value } from './data.ts';

/** The rows of a table: how many, and the SHA-256 of all of them in their order. */
export interface TableSum {
  rows: number;
  sha256: string;
}

/** What was copied, by table, and the last numbers given out. */
export interface Sums {
  tables: ReadonlyMap<string, TableSum>;
  numbers: ReadonlyMap<string, number>;
}

/** How far a copy is. */
export interface CopyProgress {
  phase: 'copy' | 'compare';
  /** The table at work, and how many of its rows are done. */
  table: string;
  rows: number;
  /** Tables that are done, copied and compared ones, and how many that will be. */
  done: number;
  total: number;
}
export type OnProgress = (progress: CopyProgress) => void;

/** Copies all rows of `tables`, and the numbers. */
export async function copyData(
  from: DataReader,
  to: DataWriter,
  tables: readonly MovedTable[],
  onProgress: OnProgress = () => undefined,
): Promise<Sums> {
  const sums = new Map<string, TableSum>();
  const total = tables.length * 2;
  for (const [done, table] of tables.entries()) {
    const sum = new Summing();
    for await (const rows of from.rows(table)) {
      sum.add(rows);
      await to.add(table, rows);
      onProgress({ phase: 'copy', table: table.name, rows: sum.rows, done, total });
    }
    sums.set(table.name, sum.end());
  }
  const numbers = await from.numbers();
  await to.setNumbers(numbers);
  return { tables: sums, numbers };
}

/**
 * Reads all of a copy again and compares it with what was read where it came from.
 * @throws Error naming the first table that differs
 */
export async function compareData(
  wanted: Sums,
  copy: DataReader,
  tables: readonly MovedTable[],
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const total = tables.length * 2;
  for (const [index, table] of tables.entries()) {
    const sum = new Summing();
    const done = tables.length + index;
    for await (const rows of copy.rows(table)) {
      sum.add(rows);
      onProgress({ phase: 'compare', table: table.name, rows: sum.rows, done, total });
    }
    const found = sum.end();
    const right = wanted.tables.get(table.name);
    if (found.rows !== right?.rows)
      throw new Error(`The table ${table.name} has ${right?.rows} rows, but ${found.rows} arrived`);
    if (found.sha256 !== right.sha256)
      throw new Error(`The rows of the table ${table.name} are not what they were`);
  }
  const numbers = await copy.numbers();
  for (const [table, number] of wanted.numbers)
    if ((numbers.get(table) ?? 0) < number)
      throw new Error(`The table ${table} would give out number ${number} again`);
}

class Summing {
  rows = 0;
  readonly #hash: Hash = createHash('sha256');

  add(rows: readonly Row[]): void {
    this.rows += rows.length;
    for (const row of rows) this.#hash.update(`${JSON.stringify(row.map(written))}\n`);
  }

  end(): TableSum {
    return { rows: this.rows, sha256: this.#hash.digest('hex') };
  }
}

/** A value as JSON that no other value has. */
function written(value: Value): unknown {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('base64')];
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}
