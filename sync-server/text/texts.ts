import { translate } from '#shared/text/message.ts';
import { pseudoLocale } from '#shared/text/pseudo-locale.ts';
import { pseudoTranslation } from '#shared/text/pseudo.ts';

import { mails } from './de/mails.ts';
import { pages } from './de/pages.ts';
import { mailTexts } from './en/mails.ts';
import { pageTexts } from './en/pages.ts';

type TextLocale = 'en' | 'de' | typeof pseudoLocale;

/** What the server writes for people, in one language. */
export interface Texts {
  locale: TextLocale;
  mails: typeof mailTexts;
  pages: typeof pageTexts;
  /** Words as a list, such as “a, b and c”. */
  list: (words: readonly string[]) => string;
}

const texts = {
  en: { mails: mailTexts, pages: pageTexts },
  de: { mails: translate(mailTexts, mails, 'de'), pages: translate(pageTexts, pages, 'de') },
  get [pseudoLocale]() {
    return {
      mails: translate(mailTexts, pseudoTranslation(mailTexts), 'en'),
      pages: translate(pageTexts, pseudoTranslation(pageTexts), 'en'),
    };
  },
};

/**
 * `languages`: BCP 47 tags, the preferred one first. The texts are in the first of them that has any, or in English.
 *
 * - LANGUAGE-5 A mail is in the language of its recipient's account (`langid`), or else in that of the site, and so is
 *   every word of it, but names, the records of the audit log, and what commands and the database say.
 */
export function textsIn(...languages: readonly string[]): Texts {
  const locale = languages.map(localeOf).find((one) => one !== null) ?? 'en';
  const lists = new Intl.ListFormat(locale === 'de' ? 'de' : 'en-GB', { type: 'conjunction' });
  return { locale, ...texts[locale], list: (words) => lists.format(words) };
}

/**
 * The texts of a page. `accepted`: the header `Accept-Language`; `otherwise`: the language of the person or the site.
 *
 * - LANGUAGE-6 A page of the server is in the first language of the browser's that has texts, or else in that of the
 *   person, or else in that of the site. It says in which.
 */
export function textsFor(accepted: string | undefined, ...otherwise: readonly string[]): Texts {
  return textsIn(...acceptedLanguages(accepted ?? ''), ...otherwise);
}

/** The first language of `Accept-Language` that has texts; null without one. */
export function acceptedLocale(accepted: string | undefined): TextLocale | null {
  return (
    acceptedLanguages(accepted ?? '')
      .map(localeOf)
      .find((one) => one !== null) ?? null
  );
}

function localeOf(tag: string): TextLocale | null {
  if (tag.toLowerCase() === pseudoLocale.toLowerCase()) return pseudoLocale;
  const language = /^(en|de)(?:-|$)/i.exec(tag)?.[1]?.toLowerCase();
  return language === 'en' || language === 'de' ? language : null;
}

/** The tags of `Accept-Language` (RFC 9110, 12.5.4), the preferred one first. */
function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((one) => /^q=/i.test(one))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
