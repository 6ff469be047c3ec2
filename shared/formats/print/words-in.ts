import { germanWords } from './german-words.ts';
import { englishWords, type PageWords } from './words.ts';

/**
 * The words of a page for a reader. `locale`: one that has texts; the pseudo-locale has those of English.
 *
 * - PRINT-11 The words around the content are in the language of whoever saves the page, not in that of the guide.
 */
export function pageWordsIn(locale: string): PageWords {
  return locale === 'de' ? germanWords : englishWords;
}
