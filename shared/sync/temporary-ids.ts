import { temporaryIdPattern } from './wire.ts';

/** The parts of a call that may contain temporary ids. */
export interface WithTemporaryIds {
  path: string;
  query?: Record<string, string> | undefined;
  body?: unknown;
}

/**
 * Fields of bodies with text that a person wrote, where `tmp:28` is a word and not an id. The `key` of a step is its
 * own identity and refers to nothing else.
 */
const words = new Set([
  'about',
  'category',
  'computed',
  'conclusion',
  'introduction',
  'join_code',
  'key',
  'label',
  'location',
  'name',
  'note',
  'notes',
  'options',
  'pattern',
  'placeholder',
  'reason',
  'serials',
  'subject',
  'summary',
  'tag',
  'text',
  'textarea',
  'title',
  'unique_username',
  'unit',
  'username',
  'workorderid',
]);

/** Below these fields, values are texts, even the id of a picture. */
const textParents = new Set(['details', 'fields', 'value']);

/** The temporary ids (`tmp:…`) that stand for real ids: anywhere in path and query, and as whole values in the body. */
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

/** Fields of bodies that refer to files: pictures, documents, videos. */
export const fileFields: ReadonlySet<string> = new Set([
  'details',
  'documents',
  'featured_documentid',
  'fields',
  'image',
  'images',
  'media',
]);

/**
 * The call with its temporary ids replaced by the ids that `realId` knows, except in the fields `except` of its body.
 * In a body, an id of digits becomes a number, but not in the value of a form field.
 */
export function withRealIds<T extends WithTemporaryIds>(
  call: T,
  realId: (temporary: string) => string | undefined,
  except: ReadonlySet<string> = new Set(),
): T {
  if (temporaryIdsIn(call).size === 0) return call;
  const inText = (text: string): string =>
    text.replaceAll(temporaryIdPattern, (match) => realId(match) ?? match);
  const query = Object.entries(call.query ?? {}).map(([name, value]) => [name, inText(value)]);
  return {
    ...call,
    path: inText(call.path),
    ...(call.query === undefined ? {} : { query: Object.fromEntries(query) as Record<string, string> }),
    body: replaced(call.body, realId, new Set([...words, ...except]), false),
  };
}

function replaced(
  value: unknown,
  realId: (temporary: string) => string | undefined,
  except: ReadonlySet<string>,
  asText: boolean,
): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, realId, except, asText));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        isTemporaryId(name) ? (realId(name) ?? name) : name,
        except.has(name) ? item : replaced(item, realId, except, asText || textParents.has(name)),
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
