import type { z } from 'zod';

import { invalid } from '#shared/api/problem.ts';

import { storableText } from './sound-json.ts';

/** More fields, or brackets behind one name, have no body of the contract. */
const mostFields = 5000;
const mostBrackets = 6;

/** A name with brackets, as PHP writes lists and records: `flags[]`, `parts[0][name]`. */
const fieldName = /^([^[\]]{1,100})((?:\[[\w-]{0,64}\])*)$/;

type Value = string | Container;
/** Without a prototype, so that no name means anything but itself. */
interface Container {
  [name: string]: Value;
}

/**
 * Form fields as the body that they stand for. Fields are texts; where the endpoint wants a number, a switch or a list,
 * they become one. A name that comes twice is a list where one is wanted, else the last one counts.
 */
export function formBody(text: string, schema: z.ZodType | undefined): Record<string, unknown> {
  // Counted before they are taken apart.
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
  // What a list holds shows its types only after it became one.
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

/** Containers whose names count from 0 are lists. */
function listed(value: Value): unknown {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listed(inner)] as const);
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** A text that may stand for a number or a switch. */
const meaning = /^(?:-?\d{1,15}(?:\.\d{1,15})?|true|false)$/;

/**
 * A JSON body with numbers and switches where texts stand for them: clients that know only texts send `"429"` for an id
 * and `"true"` for a switch, and live servers read them so. Changes `body`.
 */
export function withMeantNumbers(body: unknown, schema: z.ZodType | undefined): unknown {
  if (schema === undefined || !isRecord(body) || !holdsMeaning(body)) return body;
  const noneRepeated = new Map<string, string[]>();
  for (let pass = 0; pass < 3; pass += 1) if (!fit(body, schema, noneRepeated, false)) break;
  return body;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Most bodies have no such text; they are not looked at any closer. */
function holdsMeaning(value: unknown): boolean {
  if (typeof value === 'string') return meaning.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsMeaning);
}

/** Turns texts into what the schema misses, into lists too where they are fields of a form; whether anything changed. */
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
    const meant = reading(value, expected, all);
    if (meant === value) continue;
    Reflect.set(owner, name, meant);
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

/** A text as what is wanted in its place, if it can be read so. */
function reading(text: string, expected: string, all: string[] = [text]): unknown {
  if (expected === 'array') return text === '' && all.length === 1 ? [] : all;
  if (expected === 'boolean')
    return /^(?:true|false|1|0)$/.test(text) ? text === 'true' || text === '1' : text;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
