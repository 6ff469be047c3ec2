import { CheckPage } from './check-page.ts';
import { english } from './english.ts';
import type { Words } from './words.ts';

/** The words in the first language of the reader's that the page has. */
async function wordsFor(languages: readonly string[]): Promise<Words> {
  const first = languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag === 'de' || tag === 'en');
  return first === 'de' ? (await import('./german.ts')).german : english;
}

const main = document.querySelector('main');
if (main !== null) new CheckPage(main, await wordsFor(navigator.languages)).open();
