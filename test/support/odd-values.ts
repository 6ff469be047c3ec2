import { z } from 'zod';

/** Deterministic pseudo-random numbers (mulberry32). */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }
}

/** Data for requests: existing ids, tokens of several people. */
export interface Stock {
  ids: Record<string, (number | string)[]>;
  tokens: string[];
  revisionids: number[];
}

export type Schema = { [key: string]: unknown };

const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff tail',
  '\u202e\u0007\u001b[31m',
  'Ü̈́🔧👩‍🔧',
  '0',
  '-1',
  '1e400',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "'; DROP TABLE users; --",
  '%',
  '%_',
  '<script>alert(1)</script>',
  "[link|javascript:alert(1)] '''bold ''both",
  '[image|1] [guide|1] [guide|999999999999999999999]',
  `${'*'.repeat(300)} list`,
  '{| table\n|-\n| cell',
  'x'.repeat(300),
  'Bench Grinder',
  'en',
  'tmp:0190c0de-0000-7000-8000-000000000000',
];

export const hugeText = 'long '.repeat(60_000);
const oddNumbers = [0, -0, 1, -1, 2, 1.5, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 2 ** 53, 1e300, -1e300];
export const oddValues: unknown[] = [null, true, false, [], {}, [[]], { a: 1 }, ...oddNumbers, ...oddTexts];

const written = new WeakMap<z.ZodType, Schema>();

export function jsonSchema(schema: z.ZodType): Schema {
  const known = written.get(schema) ?? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  written.set(schema, known);
  return known;
}

export function propertiesOf(schema: Schema): Record<string, unknown> {
  return (schema['properties'] ?? {}) as Record<string, unknown>;
}

/** A value that a JSON schema (nearly always) allows, as odd as possible. */
export function fitting(
  schema: Schema,
  defs: Record<string, Schema>,
  stock: Stock,
  dice: Dice,
  name: string,
): unknown {
  if (typeof schema['$ref'] === 'string') {
    const target = defs[schema['$ref'].replace('#/$defs/', '')];
    return target === undefined ? null : fitting(target, defs, stock, dice, name);
  }
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return dice.pick(schema['enum'] as unknown[]);
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return fitting(dice.pick(choices as Schema[]), defs, stock, dice, name);
  switch (schema['type']) {
    case 'object':
      return fittingObject(schema, defs, stock, dice);
    case 'array':
      return Array.from({ length: Math.floor(dice.next() * 4) }, () =>
        fitting((schema['items'] ?? {}) as Schema, defs, stock, dice, name),
      );
    case 'integer':
    case 'number':
      return dice.happens(stock.ids[name] === undefined ? 0.6 : 0.93)
        ? Number(dice.pick(stock.ids[name] ?? [1, 2, 3]))
        : dice.pick(oddNumbers);
    case 'boolean':
      return dice.happens(0.5);
    case 'null':
      return null;
    case 'string':
      return dice.happens(stock.ids[name] === undefined ? 0.3 : 0.93)
        ? String(dice.pick(stock.ids[name] ?? ['Bench Grinder']))
        : dice.pick(oddTexts);
    default:
      return dice.pick(oddValues);
  }
}

function fittingObject(schema: Schema, defs: Record<string, Schema>, stock: Stock, dice: Dice): object {
  const required = new Set((schema['required'] ?? []) as string[]);
  const fields = Object.entries(propertiesOf(schema)).filter(([name]) =>
    required.has(name) ? dice.happens(0.98) : dice.happens(0.15),
  );
  const result: [string, unknown][] = fields.map(([name, inner]) => [
    name,
    fitting(inner as Schema, defs, stock, dice, name),
  ]);
  if (
    typeof schema['additionalProperties'] === 'object' &&
    schema['additionalProperties'] !== null &&
    fields.length === 0
  )
    result.push([
      dice.pick(['1', '999', 'x', '']),
      fitting(schema['additionalProperties'] as Schema, defs, stock, dice, ''),
    ]);
  return Object.fromEntries(result);
}
