import { sameValue } from '#shared/rules/same-value.ts';

/** A value of a column. */
type Value = string | number | bigint | null | Uint8Array;

/** A change of one row, as it is written to the log. */
export interface RowChange {
  table: string;
  op: 'insert' | 'update' | 'delete';
  key: Record<string, unknown>;
  old?: Record<string, unknown>;
  new?: Record<string, unknown>;
}

/** A column whose values are recorded. */
export interface RecordedColumn {
  name: string;
  form: 'value' | 'json' | 'hidden';
  /** Of JSON: properties that hold secrets, besides those that do in every table. */
  secrets?: readonly string[];
}

/** Stands for what is not told. */
export const hidden = '[hidden]';

/** Properties that never enter the log, wherever they are in a JSON value. */
const alwaysSecret = /^(?:password|apikey|secret|token|privatekey)$/i;

/** Whether a property of a JSON value never enters the log. */
type IsSecret = (name: string) => boolean;

function secretsOf({ secrets = [] }: RecordedColumn): IsSecret {
  return (name) => alwaysSecret.test(name) || secrets.includes(name);
}

/** What an update changed of a row: old and new values of the columns that differ. */
export function changedValues(
  columns: readonly RecordedColumn[],
  before: readonly Value[],
  after: readonly Value[],
): { old: Record<string, unknown>; new: Record<string, unknown> } {
  const result = { old: {} as Record<string, unknown>, new: {} as Record<string, unknown> };
  for (const [index, column] of columns.entries()) {
    const { name, form } = column;
    const [old = null, now = null] = [before[index], after[index]];
    if (sameColumn(old, now)) continue;
    const told =
      form === 'json'
        ? changedProperties(old, now, secretsOf(column))
        : { old: shown(old, column), new: shown(now, column) };
    result.old[name] = told.old;
    result.new[name] = told.new;
  }
  return result;
}

/** All recorded values of a row. */
export function allValues(
  columns: readonly RecordedColumn[],
  values: readonly Value[],
): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column, index) => [column.name, shown(values[index] ?? null, column)]),
  );
}

function sameColumn(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

function shown(value: Value, column: RecordedColumn): unknown {
  if (value === null) return null;
  const { form } = column;
  if (form === 'hidden') return hidden;
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (typeof value === 'bigint') return String(value);
  return form === 'json' ? withoutSecrets(parsed(value), secretsOf(column)) : value;
}

function parsed(value: Value): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The properties of two JSON objects that differ; of a list that only grew, what came to it. */
function changedProperties(before: Value, after: Value, isSecret: IsSecret): { old: unknown; new: unknown } {
  const [old, now] = [parsed(before), parsed(after)];
  if (!isObject(old) || !isObject(now))
    return { old: withoutSecrets(old, isSecret), new: withoutSecrets(now, isSecret) };
  const told = { old: {} as Record<string, unknown>, new: {} as Record<string, unknown> };
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[name], now[name]];
    if (sameValue(was, is)) continue;
    if (isSecret(name)) told.old[name] = told.new[name] = hidden;
    else if (Array.isArray(was) && Array.isArray(is) && beginsWith(is, was))
      told.new[`${name}+`] = withoutSecrets(is.slice(was.length), isSecret);
    else {
      if (was !== undefined) told.old[name] = withoutSecrets(was, isSecret);
      if (is !== undefined) told.new[name] = withoutSecrets(is, isSecret);
    }
  }
  return told;
}

function beginsWith(list: readonly unknown[], start: readonly unknown[]): boolean {
  return start.length > 0 && start.every((one, index) => sameValue(one, list[index]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutSecrets(value: unknown, isSecret: IsSecret): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, isSecret));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name) && inner !== null ? hidden : withoutSecrets(inner, isSecret),
    ]),
  );
}
