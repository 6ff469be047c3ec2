import { exampleValues } from '#shared/model/example-values.ts';

export type Json = Record<string, unknown>;

/** Maximum depth of nested records; deeper ones are empty or left out. */
const deepest = 9;

interface Position {
  /** The name of the field that the schema describes. */
  name: string;
  /** The id of the nearest enclosing named schema. */
  record: string;
  depth: number;
}

/**
 * An example that the schema allows: its own (`examples`), else one composed from the values of `exampleValues` for its
 * field names, else the simplest value of its type. `components`: the named schemas to which it may refer. Undefined
 * when nothing fits.
 */
export function exampleOf(schema: Json, components: Json, name = ''): unknown {
  return fill(schema, components, { name, record: '', depth: 0 });
}

function fill(schema: Json, components: Json, position: Position): unknown {
  if (position.depth > deepest * 3) return undefined;
  const [own] = listOf(schema['examples']);
  if (own !== undefined) return own;
  if (typeof schema['$ref'] === 'string') {
    const record = schema['$ref'].split('/').at(-1) ?? '';
    const target = components[record];
    if (target === undefined) return undefined;
    return fill(target as Json, components, { ...position, record, depth: position.depth + 1 });
  }
  for (const key of [`${position.record}.${position.name}`, position.name]) {
    const value = Object.hasOwn(exampleValues, key) ? exampleValues[key] : undefined;
    if (value !== undefined && allows(schema, value, components)) return value;
  }
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  const [first] = listOf(schema['enum']);
  if (first !== undefined) return first;
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])] as Json[];
  if (choices.length > 0) return firstOf(choices, components, position);
  return plainest(schema, components, position);
}

/** The example of the first choice that is not null; at a deep level null is preferred. */
function firstOf(choices: Json[], components: Json, position: Position): unknown {
  const isNull = (choice: Json): boolean => choice['type'] === 'null';
  const sorted =
    position.depth > deepest ? choices.toSorted((a, b) => Number(isNull(b)) - Number(isNull(a))) : choices;
  for (const choice of sorted.filter((one) => !isNull(one) || position.depth > deepest)) {
    const value = fill(choice, components, { ...position, depth: position.depth + 1 });
    if (value !== undefined) return value;
  }
  return choices.some(isNull) ? null : undefined;
}

function plainest(schema: Json, components: Json, position: Position): unknown {
  switch (kindOf(schema)) {
    case 'object':
      return record(schema, components, position);
    case 'array':
      return list(schema, components, position);
    case 'string':
      return texts.find((text) => allowsText(schema, text));
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1) > 1 ? Number(schema['minimum']) : 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return undefined;
  }
}

/** Texts to try for names without a value; most schemas allow one of them. */
const texts = [
  'text',
  'https://example.com/',
  'ana@example.com',
  '2026-03-02',
  '0f3c9a5e7d1b4826',
  'example.com',
];

/** The type of a schema; of several (`['string', 'null']`) the first. */
function kindOf({ type }: Json): unknown {
  return Array.isArray(type) ? type[0] : type;
}

function record(schema: Json, components: Json, position: Position): Json | undefined {
  const required = new Set(listOf(schema['required']) as string[]);
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
    if (!required.has(name) && position.depth > deepest) continue;
    const value = fill(inner, components, { ...position, name, depth: position.depth + 1 });
    if (value !== undefined) entries.push([name, value]);
    else if (required.has(name)) return undefined;
  }
  const others = schema['additionalProperties'];
  if (entries.length === 0 && typeof others === 'object' && others !== null && position.depth <= deepest)
    entries.push(...oneMore(schema, others as Json, components, position));
  return Object.fromEntries(entries);
}

/** An example entry of a map. */
function oneMore(schema: Json, values: Json, components: Json, position: Position): [string, unknown][] {
  const keys = (schema['propertyNames'] ?? {}) as Json;
  const key = ['Bench Grinder', '238', 'en', 'GUIDE_IN_PROGRESS'].find((one) =>
    allows(keys, one, components),
  );
  const value = fill(values, components, { ...position, name: '', depth: position.depth + 1 });
  return key === undefined || value === undefined ? [] : [[key, value]];
}

function list(schema: Json, components: Json, position: Position): unknown[] {
  const items = schema['items'];
  if (typeof items !== 'object' || items === null || schema['maxItems'] === 0 || position.depth > deepest)
    return [];
  const value = fill(items as Json, components, {
    ...position,
    name: singular(position.name),
    depth: position.depth + 1,
  });
  return value === undefined ? [] : [value];
}

function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}

/** Whether a schema allows a value, checked as far as needed to choose one. */
function allows(schema: Json, value: unknown, components: Json): boolean {
  if (typeof schema['$ref'] === 'string')
    return allows(
      (components[schema['$ref'].split('/').at(-1) ?? ''] ?? { not: {} }) as Json,
      value,
      components,
    );
  if ('not' in schema) return false;
  if ('const' in schema) return schema['const'] === value;
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])] as Json[];
  if (choices.length > 0) return choices.some((choice) => allows(choice, value, components));
  const options = listOf(schema['enum']);
  if (options.length > 0 && !options.includes(value)) return false;
  return allowsKind(schema, value, components);
}

function allowsKind(schema: Json, value: unknown, components: Json): boolean {
  if (Array.isArray(schema['type']) && value === null) return schema['type'].includes('null');
  switch (kindOf(schema)) {
    case 'string':
      return typeof value === 'string' && allowsText(schema, value);
    case 'integer':
    case 'number':
      return typeof value === 'number' && value >= Number(schema['minimum'] ?? -Infinity);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return (
        Array.isArray(value) &&
        value.every((item) => allows((schema['items'] ?? {}) as Json, item, components))
      );
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        holds(schema, value, components)
      );
    default:
      return true;
  }
}

function allowsText(schema: Json, value: string): boolean {
  const {
    minLength = 0,
    maxLength = Infinity,
    pattern,
    format,
  } = schema as {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    format?: string;
  };
  if (format === 'uri' && !URL.canParse(value)) return false;
  if (value.length < minLength || value.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}

function holds(schema: Json, value: object, components: Json): boolean {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const others = schema['additionalProperties'];
  if ((listOf(schema['required']) as string[]).some((name) => !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, inner]) => {
    const known = properties[name] ?? (typeof others === 'object' ? (others as Json) : undefined);
    return known === undefined ? others !== false : allows(known, inner, components);
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
