import { sameValue } from '#shared/rules/same-value.ts';

/** A value of a column. */
type Value = string | number | bigint | null | Uint8Array;

/** A change of one row, in the format of the log. */
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
  /** For JSON: properties that contain secrets, in addition to those of every table. */
  secrets?: readonly string[];
}

/** Placeholder for hidden values. */
export const hidden = '[hidden]';

/** Properties that are never logged, at any level of a JSON value. */
const alwaysSecret = /^(?:password|apikey|secret|token|privatekey)$/i;

/** Whether a property of a JSON value is never logged. */
type IsSecret = (name: string) => boolean;

function secretsOf({ secrets = [] }: RecordedColumn): IsSecret {
  return (name) => alwaysSecret.test(name) || secrets.includes(name);
}

/** Old and new values of the columns that an update changed. */
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
    const changed =
      form === 'json'
        ? changedProperties(old, now, secretsOf(column))
        : { old: shown(old, column), new: shown(now, column) };
    result.old[name] = changed.old;
    result.new[name] = changed.new;
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

/** Old and new values of changed properties of a JSON object. If a list only grew, only the added elements. */
function changedProperties(before: Value, after: Value, isSecret: IsSecret): { old: unknown; new: unknown } {
  const [old, now] = [parsed(before), parsed(after)];
  if (!isObject(old) || !isObject(now))
    return { old: withoutSecrets(old, isSecret), new: withoutSecrets(now, isSecret) };
  const changed = { old: {} as Record<string, unknown>, new: {} as Record<string, unknown> };
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[name], now[name]];
    if (sameValue(was, is)) continue;
    if (isSecret(name)) changed.old[name] = changed.new[name] = hidden;
    else if (Array.isArray(was) && Array.isArray(is) && beginsWith(is, was))
      changed.new[`${name}+`] = withoutSecrets(is.slice(was.length), isSecret);
    else {
      if (was !== undefined) changed.old[name] = withoutSecrets(was, isSecret);
      if (is !== undefined) changed.new[name] = withoutSecrets(is, isSecret);
    }
  }
  return changed;
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
