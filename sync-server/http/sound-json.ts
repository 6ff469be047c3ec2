import { Problem, invalid } from '#shared/api/problem.ts';

/** Bodies nested deeper are nobody's; those of the contract have fewer than ten levels. */
const deepest = 64;

/** Halves of surrogate pairs, and NUL, as JSON may escape them. */
const unsound = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses a JSON body. Half a surrogate pair, which neither databases nor URLs can carry, becomes U+FFFD.
 * @throws SyntaxError when it is no JSON; `Problem` 422 for nesting that recursive code could not stand, and for NUL
 */
export function parseSoundJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, deepest)) throw invalid('body', `The body is nested more than ${deepest} levels deep`);
  if (!unsound.test(text)) return value;
  const place = placeOfNul(value);
  if (place !== undefined) throw hasNul(place.join('.') || 'body');
  return JSON.parse(text, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner));
}

/** The text of what is only looked up, with U+FFFD for what no database can hold. */
export function searchableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The text of a query or form with U+FFFD for half a surrogate pair. `field` names it to the caller.
 * @throws `Problem` 422 for NUL
 */
export function storableText(text: string, field: string): string {
  if (text.includes('\0')) throw hasNul(field);
  return text.toWellFormed();
}

function hasNul(field: string): Problem {
  const message = 'Contains the character NUL (U+0000), which cannot be stored; remove it and try again';
  return new Problem('invalid', 'A text contains the character NUL (U+0000), which cannot be stored', {
    code: 'character-not-allowed',
    errors: [{ field, message }],
  });
}

/** The path of the first text, or name of a field, that holds NUL. */
function placeOfNul(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes('\0')) return [];
    const place = placeOfNul(inner);
    if (place !== undefined) return [name, ...place];
  }
  return undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
