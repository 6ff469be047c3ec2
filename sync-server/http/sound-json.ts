import { invalid } from '#shared/api/problem.ts';

/** Bodies nested deeper are nobody's; those of the contract have fewer than ten levels. */
const deepest = 64;

/** Halves of surrogate pairs, and NUL, as JSON may escape them. */
const unsound = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON of a stranger. What is no character (half of a surrogate pair, NUL), which neither databases nor URLs
 * can carry, becomes U+FFFD. Throws SyntaxError, or 422 for nesting that code which walks values could not stand.
 */
export function parseSoundJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, deepest)) throw invalid('body', `The body is nested more than ${deepest} levels deep`);
  if (!unsound.test(text)) return value;
  return JSON.parse(text, (_, inner: unknown) => (typeof inner === 'string' ? soundText(inner) : inner));
}

/** The text with U+FFFD for what is no character. */
export function soundText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
