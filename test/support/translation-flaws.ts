import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

import { isMessage } from '#shared/text/message.ts';

/** A text in both languages. `names`: of the values of a message; null: a plain text. */
export interface TextPair {
  place: string;
  english: string;
  german: unknown;
  names: readonly string[] | null;
}

/** The texts of a catalog and of its German translation. */
export function pairsOf(place: string, english: unknown, translation: unknown): TextPair[] {
  if (isMessage(english))
    return [{ place, english: english.pattern, german: translation, names: english.names }];
  if (typeof english === 'string') return [{ place, english, german: translation, names: null }];
  if (typeof english !== 'object' || english === null) return [];
  const parts = new Map<string, unknown>(Object.entries(Object(translation)));
  return Object.entries(english).flatMap(([name, part]) =>
    pairsOf(`${place}.${name}`, part, parts.get(name)),
  );
}

/** The names of the values that a pattern uses. Throws a SyntaxError if it is none. */
function used(pattern: string): Set<string> {
  const inside = (elements: readonly MessageFormatElement[]): string[] =>
    elements.flatMap((element) => {
      if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag)
        return [];
      if (element.type !== TYPE.select && element.type !== TYPE.plural) return [element.value];
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => inside(value))];
    });
  return new Set(inside(parse(pattern, { ignoreTag: true })));
}

/** Pairs without a German text, or with an empty one. */
export function missingGerman(pairs: readonly TextPair[]): TextPair[] {
  return pairs.filter(
    ({ english, german: own }) => typeof own !== 'string' || (own === '') !== (english === ''),
  );
}

/** Pairs whose German message lacks a value of the English one, or names one that is not given. */
export function otherValues(pairs: readonly TextPair[]): TextPair[] {
  return pairs.filter(({ english, german: own, names }) => {
    if (names === null) return false;
    const [here, there] = [used(english), used(String(own))];
    return (
      [...here, ...there].some((name) => !names.includes(name)) || [...here].some((name) => !there.has(name))
    );
  });
}

/** Pairs whose German text says “du”, or has quotation marks of English. */
export function informal(pairs: readonly TextPair[]): TextPair[] {
  // A command that is typed has the quotation marks of the shell.
  const read = pairs.filter(({ english }) => !english.includes('"'));
  return read.filter(({ german: own }) =>
    /["“][\p{L}\d]|\b(?:du|dich|dir|deine?[mnrs]?)\b/iu.test(String(own)),
  );
}
