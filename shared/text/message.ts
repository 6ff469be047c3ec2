import { IntlMessageFormat } from 'intl-messageformat';

/** What a message takes. A boolean or null chooses in `{name, select, true {…} other {…}}`. */
export type Value = string | number | boolean | null;

/** A text with places for values, called with those in the order of its names. */
export interface Message<Values extends readonly Value[] = readonly Value[]> {
  (...values: Values): string;
  /** In the syntax of ICU MessageFormat. */
  readonly pattern: string;
  readonly names: readonly string[];
}

/** A BCP 47 language tag, such as "de". */
type Locale = string;

/**
 * A text with places for values, in English. Plurals, choices and numbers are written in the syntax of ICU
 * MessageFormat (https://unicode-org.github.io/icu/userguide/format_parse/messages/), so that a translation can
 * have its own.
 *
 * `Values`: the values, named: `message<[done: number, steps: number]>('{done} of {steps} steps', 'done', 'steps')`.
 * `names`: how the pattern calls them, in the same order.
 *
 * - TEXT-1 A value is never read as part of the pattern, `#` and `{n, number}` group digits, and tags are plain text.
 *
 * The message throws a SyntaxError when it is first used if its pattern is not one.
 */
export function message<Values extends readonly Value[]>(
  pattern: string,
  ...names: { [Place in keyof Values]: string }
): Message<Values> {
  return messageIn('en', pattern, names);
}

function messageIn<Values extends readonly Value[]>(
  locale: Locale,
  pattern: string,
  names: readonly string[],
): Message<Values> {
  let format: IntlMessageFormat | undefined;
  const write = (...values: Values): string => {
    // Most messages of a screen are never shown, so each is parsed when it is first used.
    format ??= new IntlMessageFormat(pattern, locale, undefined, { ignoreTag: true });
    const pairs = names.map((name, place) => {
      const value = values[place] ?? null;
      return [name, typeof value === 'number' ? value : String(value)] as const;
    });
    return String(format.format(Object.fromEntries(pairs)));
  };
  return Object.assign(write, { pattern, names });
}

/** Whether part of a catalog is a message. */
export function isMessage(part: unknown): part is Message {
  return typeof part === 'function' && 'pattern' in part;
}

/**
 * What a translator writes for a catalog: the same names, with a string for each text and the pattern for each message.
 * A function that is no message takes another.
 */
export type Translation<Catalog> =
  Catalog extends Message<never>
    ? string
    : Catalog extends string
      ? string
      : Catalog extends (...values: never) => unknown
        ? Catalog
        : { readonly [Name in keyof Catalog]: Translation<Catalog[Name]> };

/**
 * A catalog in another language. Takes the English catalog, its translation, and the language.
 *
 * - TEXT-2 A translated message is called like the English one, and chooses plurals and writes numbers by the rules of
 *   its own language.
 */
export function translate<Catalog>(
  english: Catalog,
  translation: Translation<Catalog>,
  locale: Locale,
): Catalog;
export function translate(english: unknown, translation: unknown, locale: Locale): unknown {
  return translatedPart(english, translation, locale);
}

function translatedPart(english: unknown, translation: unknown, locale: Locale): unknown {
  if (isMessage(english)) return messageIn(locale, String(translation), english.names);
  if (typeof english !== 'object' || english === null) return translation;
  const parts = new Map<string, unknown>(Object.entries(Object(translation)));
  const translated = Object.entries(english).map(
    ([name, part]) => [name, translatedPart(part, parts.get(name), locale)] as const,
  );
  return Array.isArray(english) ? translated.map(([, part]) => part) : Object.fromEntries(translated);
}
