import type BetterSqlite3 from 'better-sqlite3';

import { allValues, changedValues, type RecordedColumn, type RowChange } from './changes.ts';
import { policies, type Policy, type Recorded } from './policies.ts';

type Value = string | number | bigint | null | Uint8Array;

/** A watched table. `key`: columns that identify a row; `columns`: columns whose values are recorded. */
interface Watched {
  table: string;
  policy: Recorded<string>;
  key: string[];
  columns: RecordedColumn[];
}

/** A change, with the revision of the record before and after. */
export interface SeenChange extends RowChange {
  revisionBefore?: number | null;
  revisionAfter?: number | null;
}

/**
 * Collects every row change that its connection makes in recorded tables. It uses temporary triggers, so it does not
 * matter how the statement was written. A change outside of `begin` and `end` is refused together with its statement,
 * because it would have no origin.
 */
export class Watcher {
  #collected: SeenChange[] | null = null;

  constructor(connection: BetterSqlite3.Database) {
    const watched = watchedTables(connection);
    connection.function('audit_seen', { varargs: true }, (...args: unknown[]) => {
      const [number, op, ...values] = args as [number, string, ...Value[]];
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

  /** Starts collecting. */
  begin(): void {
    this.#collected = [];
  }

  /** The changes since `begin`. Further changes are refused until the next `begin`. */
  end(): SeenChange[] {
    const changes = this.#collected ?? [];
    this.#collected = null;
    return changes;
  }
}

interface ColumnInfo {
  name: string;
  pk: number;
}

function watchedTables(connection: BetterSqlite3.Database): Watched[] {
  return Object.entries<Policy>(policies).flatMap(([table, policy]) => {
    if ('derived' in policy) return [];
    const infos = connection.prepare(`PRAGMA table_info("${table}")`).all() as ColumnInfo[];
    if (infos.length === 0) throw new Error(`There is no table ${table} to watch`);
    const primary = infos.filter((info) => info.pk > 0).map((info) => info.name);
    const key = [...(policy.key ?? primary)];
    const columns = infos
      .filter(({ name }) => policy.ignored?.includes(name) !== true)
      .map(({ name }): RecordedColumn => ({
        name,
        form: formOf(policy, name),
        ...(policy.secrets === undefined ? {} : { secrets: policy.secrets }),
      }));
    return [{ table, policy, key, columns }];
  });
}

function formOf(policy: Recorded<string>, column: string): RecordedColumn['form'] {
  if (policy.hidden?.includes(column) === true) return 'hidden';
  return policy.json?.includes(column) === true ? 'json' : 'value';
}

/** The columns of a row in the order in which a trigger passes them: key, revision, recorded columns. */
function passedColumns(one: Watched, row: 'OLD' | 'NEW', withValues: boolean): string {
  const names = [
    ...one.key,
    ...(one.policy.revision === undefined ? [] : [one.policy.revision]),
    ...(withValues ? one.columns.map(({ name }) => name) : []),
  ];
  return names.map((name) => `${row}."${name}"`).join(', ');
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

function changeOf(one: Watched, op: string, values: Value[]): SeenChange {
  const { table, key, columns, policy } = one;
  const hasRevision = policy.revision !== undefined;
  const width = key.length + (hasRevision ? 1 : 0);
  const half = op === 'update' ? values.length / 2 : values.length;
  const revisionAt = (row: Value[]): number | null => (hasRevision ? Number(row[key.length] ?? 0) : null);
  const first = values.slice(0, half);
  const named = Object.fromEntries(key.map((name, index) => [name, first[index] ?? null]));
  const start = { table, key: named };
  if (op === 'insert') {
    const made = policy.values === true ? { new: allValues(columns, first.slice(width)) } : {};
    return { ...start, op, ...made, revisionAfter: revisionAt(first) };
  }
  if (op === 'delete')
    return {
      ...start,
      op,
      old: allValues(columns, first.slice(width)),
      revisionBefore: revisionAt(first),
    };
  const second = values.slice(half);
  return {
    ...start,
    op: 'update',
    ...changedValues(columns, first.slice(width), second.slice(width)),
    revisionBefore: revisionAt(first),
    revisionAfter: revisionAt(second),
  };
}
