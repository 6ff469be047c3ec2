import type MiniSearch from 'minisearch';
import type { Options, Query, SearchResult } from 'minisearch';

import { searchWords } from './search-text.ts';

/** The options of an index. `boost`: how much more a word counts in a field. */
export function indexOptions<T>(fields: readonly string[], boost: Record<string, number>): Options<T> {
  return {
    fields: [...fields],
    tokenize: searchWords,
    processTerm: (term) => term,
    searchOptions: {
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
      boost,
    },
  };
}

/**
 * Best results first. Similar words are searched only if the exact ones give no result, because that takes much longer.
 *
 * - FIND-1 A search finds records that have all its words, or words that begin with them, whatever their case and
 *   diacritics.
 * - FIND-2 If there are none, it finds those with similar words: another letter or two, two neighbouring letters swapped
 *   ("baering"), or an umlaut written with e ("fuehrung"). If there are none of these either, one of the words suffices.
 */
export function findWords<T>(index: MiniSearch<T>, query: string): SearchResult[] {
  const exact = index.search(query, { combineWith: 'AND', fuzzy: false });
  if (exact.length > 0) return exact;
  const queries = searchWords(query).map(similarTo);
  const similar = index.search({ combineWith: 'AND', queries });
  return similar.length > 0 ? similar : index.search({ combineWith: 'OR', queries });
}

/** The word, words that are similar by their letters, and other spellings of it. */
function similarTo(word: string): Query {
  const others = spellings(word);
  if (others.length === 0) return word;
  return { combineWith: 'OR', queries: [word, { combineWith: 'OR', fuzzy: false, queries: others }] };
}

/** Shorter words have too many neighbours. */
const shortest = 4;

function spellings(word: string): string[] {
  if (word.length < shortest) return [];
  const swapped = Array.from({ length: word.length - 1 }, (_, at) => {
    const [first, second] = [word.charAt(at), word.charAt(at + 1)];
    return `${word.slice(0, at)}${second}${first}${word.slice(at + 2)}`;
  });
  const plain = word.replaceAll(/([aou])e/g, '$1');
  return [...new Set([...swapped, plain])].filter((other) => other !== word);
}
