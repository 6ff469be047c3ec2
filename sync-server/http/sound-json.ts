import { Problem, invalid } from '#shared/api/problem.ts';

/** Bodies nested deeper are nobody's; those of the contract have fewer than ten levels. */
const deepest = 64;
/** The records of the contract have some dozens of fields, and answers to a quiz one for each question. */
const mostFields = 5000;
/** Values in a body of two megabytes: validating a hundred thousand keeps everybody waiting for most of a second. */
const mostValues = 50_000;

/** Halves of surrogate pairs, and NUL, as JSON may escape them. */
const unsound = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses a JSON body. Half a surrogate pair, which neither databases nor URLs can carry, becomes U+FFFD. `times`: how many
 * bodies of the usual size it may stand for.
 * @throws SyntaxError when it is no JSON; `Problem` 422 for nesting that recursive code could not stand, for more values
 *   than a body may have, and for NUL
 */
export function parseSoundJson(text: string, times = 1): unknown {
  const most = mostValues * times;
  if (hasMoreCommas(text, most)) throw tooManyValues(most);
  const value: unknown = JSON.parse(text);
  countValues(value, deepest, { left: most, most });
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

/** 422 where a value is deeper, an object wider, or all is more than a body may be; before anything validates it. */
function countValues(value: unknown, levels: number, count: { left: number; most: number }): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw invalid('body', `The body is nested more than ${deepest} levels deep`);
  const inner = Object.values(value);
  if (!Array.isArray(value) && inner.length > mostFields)
    throw tooLarge(
      `An object in the body has ${inner.length} fields, more than the ${mostFields} that it may have`,
    );
  count.left -= inner.length;
  if (count.left < 0) throw tooManyValues(count.most);
  for (const one of inner) countValues(one, levels - 1, count);
}

/**
 * Whether more commas than that stand between the values of a JSON text. Making objects of a hundred thousand fields takes
 * ten times as long as to count them. Commas of texts are told from others only where there are so many.
 */
function hasMoreCommas(text: string, most: number): boolean {
  let all = 0;
  for (let at = text.indexOf(','); at >= 0 && all <= most; at = text.indexOf(',', at + 1)) all += 1;
  if (all <= most) return false;
  let between = 0;
  for (let at = 0; at < text.length && between <= most; at += 1) {
    const character = text[at];
    if (character === ',') between += 1;
    else if (character === '"') at = endOfText(text, at);
  }
  return between > most;
}

/** The place of the quotation mark that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function tooManyValues(most: number): Problem {
  return tooLarge(`The body has more than ${most} values`);
}

function tooLarge(message: string): Problem {
  return new Problem('invalid', message, { code: 'body-too-large', errors: [{ field: 'body', message }] });
}
