import type { z } from 'zod';

import { invalid } from '#shared/api/problem.ts';

import { storableText } from './sound-json.ts';

/** No body of the contract has more fields, or more brackets after one name. */
const mostFields = 5000;
const mostBrackets = 6;

/** A name with brackets in the notation of PHP: `flags[]`, `parts[0][name]`. */
const fieldName = /^([^[\]]{1,100})((?:\[[\w-]{0,64}\])*)$/;

type Value = string | Container;
/**
 * An object without a prototype.
 *
 * - INPUT-21 Names that people enter may equal member names of JavaScript objects (`constructor`, `__proto__`). The
 *   one exception is that a category cannot be called `__proto__`, because trees of categories are keyed by title.
 */
interface Container {
  [name: string]: Value;
}

/**
 * Converts form fields to a body. Fields are texts; they become numbers, booleans and lists where the schema of the
 * endpoint requires it. A repeated name becomes a list if the schema requires one; otherwise the last value counts.
 *
 * - HTTP-2 A body that is not JSON is read as form fields. Lists and records use the notation of PHP (`flags[]`,
 *   `parts[0][name]`), up to six brackets deep and 5,000 fields.
 */
export function formBody(text: string, schema: z.ZodType | undefined): Record<string, unknown> {
  // Counted before they are parsed.
  if (text.split('&', mostFields + 1).length > mostFields)
    throw invalid('body', `A form has at most ${mostFields} fields`);
  const fields = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
    storableText(name, 'body'),
    storableText(value, name),
  ]);
  const tree: Container = emptyContainer();
  const repeated = new Map<string, string[]>();
  for (const [name, value] of fields) {
    put(tree, partsOf(name), value);
    const known = repeated.get(name);
    if (known === undefined) repeated.set(name, [value]);
    else known.push(value);
  }
  const body = Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, listed(value)]));
  // The types inside a list are checked only once it is a list, so several passes are needed.
  for (let pass = 0; pass < 3; pass += 1) if (!fit(body, schema, repeated)) break;
  return body;
}

function emptyContainer(): Container {
  return Object.create(null) as Container;
}

function partsOf(name: string): string[] {
  const match = fieldName.exec(name);
  if (match === null) return [name];
  const inner = [...(match[2] ?? '').matchAll(/\[([^\]]*)\]/g)].map((part) => part[1] ?? '');
  if (inner.length > mostBrackets)
    throw invalid(name.slice(0, 100), `At most ${mostBrackets} brackets may follow a name`);
  return [match[1] ?? '', ...inner];
}

function put(tree: Container, parts: readonly string[], value: string): void {
  let at = tree;
  for (const [index, part] of parts.entries()) {
    const name = part === '' && index > 0 ? String(Object.keys(at).length) : part;
    if (index === parts.length - 1) {
      at[name] = value;
      return;
    }
    const next = at[name];
    const container = typeof next === 'object' ? next : emptyContainer();
    at[name] = container;
    at = container;
  }
}

/** Converts containers whose names count from 0 to lists. */
function listed(value: Value): unknown {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listed(inner)] as const);
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** A text that can represent a number or a boolean. */
const convertible = /^(?:-?\d{1,15}(?:\.\d{1,15})?|true|false)$/;

/**
 * Converts texts of a JSON body to numbers and booleans where the schema requires it. Changes `body`.
 *
 * - HTTP-19 A number or boolean of a JSON body may be sent as text (`"429"`, `"true"`): some clients send only texts,
 *   and servers of this API accept them.
 */
export function withConvertedTexts(body: unknown, schema: z.ZodType | undefined): unknown {
  if (schema === undefined || !isRecord(body) || !hasConvertibleText(body)) return body;
  const noRepeated = new Map<string, string[]>();
  for (let pass = 0; pass < 3; pass += 1) if (!fit(body, schema, noRepeated, false)) break;
  return body;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether any text could be a number or boolean. Most bodies have none, and are not validated an additional time. */
function hasConvertibleText(value: unknown): boolean {
  if (typeof value === 'string') return convertible.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasConvertibleText);
}

/**
 * Converts texts to the types that the schema requires, and to lists if `withLists`. Returns whether anything changed.
 */
function fit(
  body: Record<string, unknown>,
  schema: z.ZodType | undefined,
  repeated: ReadonlyMap<string, string[]>,
  withLists = true,
): boolean {
  let changed = false;
  for (const { code, path, ...issue } of schema?.safeParse(body).error?.issues ?? []) {
    if (code !== 'invalid_type' && code !== 'invalid_union' && code !== 'invalid_value') continue;
    const owner = ownerOf(body, path.slice(0, -1));
    const name = path.at(-1);
    if (owner === undefined || name === undefined || !Object.hasOwn(owner, name)) continue;
    const value = Reflect.get(owner, name) as unknown;
    const all = path.length === 1 ? repeated.get(String(name)) : undefined;
    const expected = 'expected' in issue ? String(issue.expected) : '';
    if (typeof value !== 'string' || (expected === 'array' && !withLists)) continue;
    const converted = convertedTo(value, expected, all);
    if (converted === value) continue;
    Reflect.set(owner, name, converted);
    changed = true;
  }
  return changed;
}

function ownerOf(body: object, path: readonly PropertyKey[]): object | undefined {
  let at: unknown = body;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return typeof at === 'object' && at !== null ? at : undefined;
}

/** A text as the expected type, or unchanged if it cannot be read as such. */
function convertedTo(text: string, expected: string, all: string[] = [text]): unknown {
  if (expected === 'array') return text === '' && all.length === 1 ? [] : all;
  if (expected === 'boolean')
    return /^(?:true|false|1|0)$/.test(text) ? text === 'true' || text === '1' : text;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
