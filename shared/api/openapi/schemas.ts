import { z } from 'zod';

import type { Json } from './examples.ts';

/**
 * Converts a zod schema to JSON Schema; named schemas (`.meta({ id })`) move to `components`. Throws for a recursive
 * schema without a name, because zod invents a different name each time.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $schema: _$schema,
    $defs,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  for (const [id, definition] of Object.entries($defs ?? {})) {
    if (id.startsWith('__'))
      throw new Error(`Name the recursive schema with .meta({ id }): ${JSON.stringify(definition)}`);
    components[id] = relinked(withoutId(definition as Json));
  }
  const named = typeof json['id'] === 'string' ? json['id'] : undefined;
  if (named === undefined) return relinked(json) as Json;
  components[named] = relinked(withoutId(json));
  return { $ref: `#/components/schemas/${named}` };
}

/** The name of a record in a sentence: `guide release` for the schema `GuideRelease`; `record` for one without a name. */
export function nameOf(record: z.ZodType): string {
  return wordsOf(record.meta()?.id ?? 'record');
}

/** The words of a name in lower case. Each capital letter begins a word: `StepFormField` is `step form field`. */
function wordsOf(name: string): string {
  return name
    .split(/(?=[A-Z])/)
    .join(' ')
    .toLowerCase();
}

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest;
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  // A pattern that needs the `u` flag is invalid for readers that compile it without the flag.
  const entries = Object.entries(value).filter(
    ([key, inner]) => !(key === 'pattern' && /\\[pP]\{/.test(String(inner))),
  );
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, relinked(inner)],
    ),
  );
}
