import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';

import { isMessage, type Translation } from './message.ts';

const plain = 'ACDEGHIJKLNORSTUWYZacdeghijklnorstuwyz';
const accented = 'ÅÇÐÉĜĤÎĴĶĻÑÖŔŠŢÛŴÝŽåçðéĝĥîĵķļñöŕšţûŵýž';

/**
 * A text of the pseudo-locale: readable English in accented letters, in brackets, and about a third longer. A text
 * without accents on a screen is not from the catalog, a missing bracket is cut off, and what has no room for it has
 * none for German.
 */
export function pseudoText(english: string): string {
  if (!/\p{L}/u.test(english)) return english;
  const letters = english.replaceAll(/\p{L}/gu, (letter) => accented[plain.indexOf(letter)] ?? letter);
  return `[${letters}${'~'.repeat(Math.ceil(english.length / 3))}]`;
}

/**
 * The translation of a catalog into the pseudo-locale. Functions that are no messages stay as they are.
 *
 * - TEXT-3 Each text and each part of a message between values is marked, and values are not.
 * - TEXT-4 Every screen has room for texts of this length, on a large window and on a phone.
 */
export function pseudoTranslation<Catalog>(english: Catalog): Translation<Catalog>;
export function pseudoTranslation(english: unknown): unknown {
  return pseudoPart(english);
}

function pseudoPart(english: unknown): unknown {
  if (isMessage(english)) return pseudoPattern(english.pattern);
  if (typeof english === 'string') return pseudoText(english);
  if (Array.isArray(english)) return english.map(pseudoPart);
  if (typeof english !== 'object' || english === null) return english;
  return Object.fromEntries(Object.entries(english).map(([name, part]) => [name, pseudoPart(part)]));
}

function pseudoPattern(pattern: string): string {
  return printAST(parse(pattern, { ignoreTag: true }).map(pseudoElement));
}

function pseudoElement(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) return { ...element, value: pseudoText(element.value) };
  if (element.type !== TYPE.select && element.type !== TYPE.plural) return element;
  const options = Object.entries(element.options).map(
    ([choice, { value }]) => [choice, { value: value.map(pseudoElement) }] as const,
  );
  return { ...element, options: Object.fromEntries(options) };
}
