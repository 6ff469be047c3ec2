import { temporaryIdPattern } from './wire.ts';

/** The parts of a call in which temporary ids may stand. */
export interface WithTemporaryIds {
  path: string;
  query?: Record<string, string> | undefined;
  body?: unknown;
}

/** Fields of bodies that hold what a person wrote: `tmp:28` is a word there. A step's `key` names itself, no other. */
const words = new Set([
  'about',
  'category',
  'conclusion',
  'introduction',
  'join_code',
  'key',
  'label',
  'location',
  'name',
  'notes',
  'subject',
  'summary',
  'tag',
  'text',
  'title',
  'unique_username',
  'username',
  'workorderid',
]);

/** Values of form fields are texts, also where one is the id of a picture. */
const textParents = new Set(['fields', 'value']);

/** Every temporary id (`tmp:…`) that stands for an id: anywhere in path and query, alone in a field of the body. */
export function temporaryIdsIn({ path, query, body }: WithTemporaryIds): Set<string> {
  const found = new Set<string>();
  for (const text of [path, ...Object.values(query ?? {})])
    for (const [id] of text.matchAll(temporaryIdPattern)) found.add(id);
  collect(body, found);
  return found;
}

function collect(value: unknown, found: Set<string>): void {
  if (isTemporaryId(value)) found.add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      if (isTemporaryId(name)) found.add(name);
      if (!words.has(name)) collect(item, found);
    }
}

/** Fields of bodies that name files: pictures, documents, videos. */
export const fileFields: ReadonlySet<string> = new Set([
  'documents',
  'featured_documentid',
  'fields',
  'image',
  'media',
]);

/**
 * The call with every temporary id that `realId` knows replaced, but for those in the fields `kept` of its body. In a
 * body an id of digits becomes a number, but not as the value of a form field.
 */
export function withRealIds<T extends WithTemporaryIds>(
  call: T,
  realId: (temporary: string) => string | undefined,
  kept: ReadonlySet<string> = new Set(),
): T {
  if (temporaryIdsIn(call).size === 0) return call;
  const inText = (text: string): string =>
    text.replaceAll(temporaryIdPattern, (match) => realId(match) ?? match);
  const query = Object.entries(call.query ?? {}).map(([name, value]) => [name, inText(value)]);
  return {
    ...call,
    path: inText(call.path),
    ...(call.query === undefined ? {} : { query: Object.fromEntries(query) as Record<string, string> }),
    body: replaced(call.body, realId, new Set([...words, ...kept]), false),
  };
}

function replaced(
  value: unknown,
  realId: (temporary: string) => string | undefined,
  kept: ReadonlySet<string>,
  asText: boolean,
): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, realId, kept, asText));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        isTemporaryId(name) ? (realId(name) ?? name) : name,
        kept.has(name) ? item : replaced(item, realId, kept, asText || textParents.has(name)),
      ]),
    );
  const real = isTemporaryId(value) ? realId(value) : undefined;
  if (real === undefined) return value;
  return asText || !/^\d+$/.test(real) ? real : Number(real);
}

function isTemporaryId(value: unknown): value is string {
  return (
    typeof value === 'string' && value.startsWith('tmp:') && value.replace(temporaryIdPattern, '') === ''
  );
}
