/** The decimal separator of a language. */
export type DecimalSeparator = '.' | ',';

/**
 * A number that a person typed. `value`: with a decimal point and ungrouped, as numbers are stored; '' for nothing.
 * `ambiguous`: it may be either of these. Null: no number.
 */
export type TypedNumber = { value: string } | { ambiguous: { decimal: string; whole: string } } | null;

/**
 * Reads a number as people type it.
 *
 * - LANGUAGE-9 Both “1,5” and “1.5” are one and a half in every language. Several groups of three digits are groups, and
 *   so is one before a decimal separator. One group of three digits after the other language's separator, such as
 *   “1.234” in German, is not guessed: it is recorded only once the person has said which number they mean. “0.234”
 *   and “1.2345” cannot be groups.
 */
export function readNumber(words: string, decimal: DecimalSeparator): TypedNumber {
  const text = words.trim().replace(/^−/, '-');
  if (text === '') return { value: '' };
  const parts = /^([-+]?)(\d+(?:[.,]\d+)*)$/.exec(text);
  if (parts === null) return null;
  const [, sign = '', digits = ''] = parts;
  const separators = digits.replaceAll(/\d/g, '');
  const last = separators.at(-1) ?? '';
  const pieces = digits.split(/[.,]/);
  const [first = '', ...rest] = pieces;
  const whole = sign + pieces.join('');
  if (rest.length === 0) return { value: whole };
  const areGroups = (some: readonly string[]): boolean =>
    /^[1-9]\d{0,2}$/.test(first) && some.every((piece) => piece.length === 3);
  if (rest.length === 1) {
    const value = `${sign}${first}.${rest[0] ?? ''}`;
    return last !== decimal && areGroups(rest) ? { ambiguous: { decimal: value, whole } } : { value };
  }
  if (new Set(separators).size === 1) return areGroups(rest) ? { value: whole } : null;
  // Groups, and then the decimals after another separator.
  const isDecimal = !separators.slice(0, -1).includes(last) && areGroups(rest.slice(0, -1));
  return isDecimal ? { value: `${sign}${pieces.slice(0, -1).join('')}.${rest.at(-1) ?? ''}` } : null;
}
