import { formatLocale } from './language.ts';

// Made when it is first used: the German texts are loaded before the language is set.
let names: Intl.DisplayNames | undefined;

/** The name of a language, in the language of the screens. `langid`: a BCP 47 tag; unknown ones stay as they are. */
export function languageName(langid: string): string {
  names ??= new Intl.DisplayNames(formatLocale(), { type: 'language' });
  try {
    return names.of(langid) ?? langid;
  } catch {
    return langid;
  }
}
