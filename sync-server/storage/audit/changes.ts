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
}

/** Stands for what is not told. */
export const hidden = '[hidden]';

/** Properties that never enter the log, wherever they are in a JSON value. */
const secretNames = /^(?:password|apikey|secret|token|privatekey)$/i;

/** What an update changed of a row: old and new values of the columns that differ. */
export function changedValues(
  columns: readonly RecordedColumn[],
  before: readonly Value[],
  after: readonly Value[],
): { old: Record<string, unknown>; new: Record<string, unknown> } {
  const result = { old: {} as Record<string, unknown>, new: {} as Record<string, unknown> };
  for (const [index, { name, form }] of columns.entries()) {
    const [old = null, now = null] = [before[index], after[index]];
    if (sameColumn(old, now)) continue;
    const told =
      form === 'json' ? changedProperties(old, now) : { old: shown(old, form), new: shown(now, form) };
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
    columns.map(({ name, form }, index) => [name, shown(values[index] ?? null, form)]),
  );
}

function sameColumn(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

function shown(value: Value, form: RecordedColumn['form']): unknown {
  if (value === null) return null;
  if (form === 'hidden') return hidden;
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (typeof value === 'bigint') return String(value);
  return form === 'json' ? withoutSecrets(parsed(value)) : value;
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
function changedProperties(before: Value, after: Value): { old: unknown; new: unknown } {
  const [old, now] = [parsed(before), parsed(after)];
  if (!isObject(old) || !isObject(now)) return { old: withoutSecrets(old), new: withoutSecrets(now) };
  const told = { old: {} as Record<string, unknown>, new: {} as Record<string, unknown> };
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[name], now[name]];
    if (sameValue(was, is)) continue;
    if (secretNames.test(name)) told.old[name] = told.new[name] = hidden;
    else if (Array.isArray(was) && Array.isArray(is) && beginsWith(is, was))
      told.new[`${name}+`] = withoutSecrets(is.slice(was.length));
    else {
      if (was !== undefined) told.old[name] = withoutSecrets(was);
      if (is !== undefined) told.new[name] = withoutSecrets(is);
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

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretNames.test(name) && inner !== null ? hidden : withoutSecrets(inner),
    ]),
  );
}
