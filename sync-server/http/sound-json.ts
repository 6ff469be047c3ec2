import { Problem, invalid } from '#shared/api/problem.ts';

/** Deeper nesting is refused; no client needs it. Bodies of the contract have fewer than ten levels. */
const deepest = 64;
/**
 * Maximum number of fields of an object. Records of the contract have some dozens; answers to a quiz have one for each
 * question.
 */
const mostFields = 5000;
/**
 * Maximum number of values in a body of two megabytes. Validating a hundred thousand blocks the event loop for most of
 * a second.
 */
const mostValues = 50_000;

/** Escapes of NUL and of halves of surrogate pairs. */
const unsound = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses a JSON body. `times`: by how much its limit of values exceeds the usual one.
 *
 * - INPUT-4 A body that is nested too deeply is refused, even with an Idempotency-Key.
 * - INPUT-5 Half a surrogate pair becomes the replacement character (U+FFFD), at any position. NUL, which no database
 *   stores, is refused with 422 and the name of the field.
 * - INPUT-27 A body of two megabytes has at most 50,000 values, an object in it at most 5,000 fields, and a form 5,000
 *   (422, `body-too-large`). This is checked before anything validates the body. The limits of a batch are larger by
 *   the same factor as its size.
 * @throws SyntaxError if it is not JSON; `Problem` 422
 */
export function parseSoundJson(text: string, times = 1): unknown {
  const most = mostValues * times;
  if (hasMoreCommas(text, most)) throw tooManyValues(most);
  const value: unknown = JSON.parse(text);
  countValues(value, deepest, { left: most, most });
  if (!unsound.test(text)) return value;
  const path = pathOfNul(value);
  if (path !== undefined) throw hasNul(path.join('.') || 'body');
  return JSON.parse(text, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner));
}

/** A text that is only searched for, with U+FFFD for characters that no database can store. */
export function searchableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * A text of a query or form, with U+FFFD for half a surrogate pair. `field`: its name in the refusal.
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

/** The path of the first text or field name that contains NUL; undefined if there is none. */
function pathOfNul(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes('\0')) return [];
    const path = pathOfNul(inner);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** Throws 422 if a value is nested too deeply, an object has too many fields, or the body too many values. */
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
 * Whether a JSON text has more than `most` commas between values. Counting is ten times as fast as parsing an object
 * with a hundred thousand fields. Commas inside strings are excluded only if the total is too high.
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

/** The index of the quotation mark that ends a string. */
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
