import type { Tx } from '#server/storage/tables.ts';

import { allValues, changedValues, type RecordedColumn, type RowChange } from './changes.ts';
import { policies, type Policy, type Recorded } from './policies.ts';

/** A value of a column as a trigger passes it. */
export type PassedValue = string | number | bigint | null | Uint8Array;

/** A watched table. `key`: columns that identify a row; `columns`: columns whose values are recorded. */
export interface Watched {
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
 * Collects every row change that a connection makes in recorded tables, by triggers, so it does not matter how the
 * statement was written. A change outside of a piece of work is refused together with its statement, because it would
 * have no origin.
 */
export interface RowWatcher {
  /** Starts collecting. */
  begin(): void;
  /** The changes since `begin`. Further changes are refused until the next `begin`. */
  end(tx: Tx): Promise<SeenChange[]>;
  /** Ends collecting after work that failed, whose changes are undone. */
  drop(): void;
}

/** A column of a table. */
export interface ColumnInfo {
  name: string;
  isKey: boolean;
}

/** The watched tables, by the policy of each. `columnsOf`: the columns of a table, in order. */
export function watchedTables(columnsOf: (table: string) => readonly ColumnInfo[]): Watched[] {
  return Object.entries<Policy>(policies).flatMap(([table, policy]) => {
    if ('derived' in policy) return [];
    const infos = columnsOf(table);
    if (infos.length === 0) throw new Error(`There is no table ${table} to watch`);
    const primary = infos.filter((info) => info.isKey).map((info) => info.name);
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
export function passedColumns(one: Watched, row: 'OLD' | 'NEW', withValues: boolean): string {
  const names = [
    ...one.key,
    ...(one.policy.revision === undefined ? [] : [one.policy.revision]),
    ...(withValues ? one.columns.map(({ name }) => name) : []),
  ];
  return names.map((name) => `${row}."${name}"`).join(', ');
}

/** A change, from the values that a trigger passed (`passedColumns`; for an update those of both rows). */
export function changeOf(one: Watched, op: string, values: PassedValue[]): SeenChange {
  const { table, key, columns, policy } = one;
  const hasRevision = policy.revision !== undefined;
  const width = key.length + (hasRevision ? 1 : 0);
  const half = op === 'update' ? values.length / 2 : values.length;
  const revisionAt = (row: PassedValue[]): number | null =>
    hasRevision ? Number(row[key.length] ?? 0) : null;
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
