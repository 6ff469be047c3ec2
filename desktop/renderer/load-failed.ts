import { must } from '#shared/must.ts';

import { currentLocale } from './text/language.ts';

/** The catalogs are part of what could not be loaded. */
const words = {
  en: {
    title: 'Couldn’t load the app',
    hint: 'Check the connection. Your saved work is kept.',
    again: 'Try again',
  },
  de: {
    title: 'Die App konnte nicht geladen werden',
    hint: 'Prüfen Sie die Verbindung. Ihre gespeicherte Arbeit bleibt erhalten.',
    again: 'Erneut versuchen',
  },
};

/** The words of a failed load, in the language of the screens. */
export function loadFailureWords(): typeof words.en {
  return words[currentLocale() === 'de' ? 'de' : 'en'];
}

/**
 * Says on the empty page what happened.
 *
 * - LANGUAGE-4 Where the code of the app does not arrive, the page says so in its language, and loads again on request.
 */
export function showLoadFailure(error: unknown): void {
  reportError(error);
  const { title, hint, again } = loadFailureWords();
  const heading = document.createElement('h1');
  heading.textContent = title;
  const text = document.createElement('p');
  text.textContent = hint;
  const button = document.createElement('button');
  button.textContent = again;
  button.addEventListener('click', () => location.reload());
  const main = document.createElement('main');
  main.append(heading, text, button);
  main.style.cssText =
    'font-family: system-ui, sans-serif; padding: 2rem; display: grid; gap: 1rem; justify-items: start';
  must(document.getElementById('root'), 'the root element').replaceChildren(main);
}
