import type BetterSqlite3 from 'better-sqlite3';

import {
  changeOf,
  passedColumns,
  watchedTables,
  type ColumnInfo,
  type PassedValue,
  type RowWatcher,
  type SeenChange,
  type Watched,
} from './watched.ts';

/** Watches the rows of a connection to SQLite, by temporary triggers. */
export class Watcher implements RowWatcher {
  #collected: SeenChange[] | null = null;

  constructor(connection: BetterSqlite3.Database) {
    const watched = watchedTables((table) => columnsOf(connection, table));
    connection.function('audit_seen', { varargs: true }, (...args: unknown[]) => {
      const [number, op, ...values] = args as [number, string, ...PassedValue[]];
      const one = watched[number];
      if (one === undefined) throw new Error('No such table is watched');
      if (this.#collected === null)
        throw new Error(`A write to ${one.table} outside of storage.write would not be in the audit log`);
      this.#collected.push(changeOf(one, op, values));
      return null;
    });
    for (const [number, one] of watched.entries())
      for (const statement of triggersOf(one, number)) connection.exec(statement);
  }

  begin(): void {
    this.#collected = [];
  }

  async end(): Promise<SeenChange[]> {
    const changes = this.#collected ?? [];
    this.#collected = null;
    return changes;
  }

  drop(): void {
    this.#collected = null;
  }
}

function columnsOf(connection: BetterSqlite3.Database, table: string): ColumnInfo[] {
  const infos = connection.prepare(`PRAGMA table_info("${table}")`).all() as { name: string; pk: number }[];
  return infos.map(({ name, pk }) => ({ name, isKey: pk > 0 }));
}

function triggersOf(one: Watched, number: number): string[] {
  const { table, columns, policy } = one;
  const only = (row: string): string[] =>
    policy.rows === undefined ? [] : [policy.rows.replaceAll('$', row)];
  const when = (conditions: string[]): string =>
    conditions.length === 0 ? '' : `WHEN ${conditions.map((text) => `(${text})`).join(' AND ')}`;
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const differs = columns.map(({ name }) => `OLD."${name}" IS NOT NEW."${name}"`).join(' OR ');
  const trigger = (op: string, of: string, conditions: string[], values: string): string =>
    `CREATE TEMP TRIGGER audit_${op}_${table} AFTER ${op}${of} ON main."${table}" ${when(conditions)}
     BEGIN SELECT audit_seen(${number}, '${op}', ${values}); END`;
  return [
    trigger('insert', '', only('NEW'), passedColumns(one, 'NEW', policy.values === true)),
    trigger(
      'update',
      ` OF ${names}`,
      [...only('OLD'), differs],
      `${passedColumns(one, 'OLD', true)}, ${passedColumns(one, 'NEW', true)}`,
    ),
    trigger('delete', '', only('OLD'), passedColumns(one, 'OLD', true)),
  ];
}
