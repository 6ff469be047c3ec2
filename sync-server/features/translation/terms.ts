import type { GlossaryEntry } from '#shared/api/translation-glossary.ts';

/** The terms of the glossary for a pair of languages. */
export interface Terms {
  /** The translation of a text that is itself a term. */
  whole(text: string): string | undefined;
  /** The text with each term replaced by a mark, so that the provider does not translate terms. */
  mask(text: string): string;
  /** A translation with its marks replaced by translated terms; undefined if a mark is missing. */
  unmask(masked: string, translation: string): string | undefined;
}

const marks = /\bXQ(\d+)X\b/g;

/** The terms of `source` with a translation in `target`. A longer term has precedence over one that it contains. */
export function termsOf(entries: readonly GlossaryEntry[], source: string, target: string): Terms {
  const terms = entries
    .filter((entry) => entry.source_langid === source)
    .flatMap((entry) => {
      const translation = entry.translations.find((one) => one.langid === target);
      return translation === undefined ? [] : [{ term: entry.term, text: translation.text }];
    })
    .toSorted((a, b) => b.term.length - a.term.length || (a.term < b.term ? -1 : 1));
  const numbers = new Map(terms.map(({ term }, index) => [folded(term), index]));
  const pattern =
    terms.length === 0
      ? undefined
      : new RegExp(
          `(?<![\\p{L}\\p{N}])(?:${terms.map(({ term }) => escaped(term)).join('|')})(?![\\p{L}\\p{N}])`,
          'giu',
        );
  return {
    whole: (text) => terms[numbers.get(folded(text)) ?? -1]?.text,
    mask: (text) =>
      pattern === undefined
        ? text
        : text.replace(pattern, (term) => {
            const number = numbers.get(folded(term));
            return number === undefined ? term : `XQ${number}X`;
          }),
    unmask: (masked, translation) => {
      const needed = [...masked.matchAll(marks)].map((match) => match[0]);
      if (needed.some((mark) => !translation.includes(mark))) return undefined;
      return translation.replace(marks, (mark, number: string) => terms[Number(number)]?.text ?? mark);
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
