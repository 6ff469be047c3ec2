import { languageId } from '#shared/model/language.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import type { Db } from '#server/storage/tables.ts';

import { listEntries } from './glossary.ts';
import { askProvider, batchSize, hasProvider } from './provider.ts';
import { termsOf, type Terms } from './terms.ts';

/** Longest wait of a request for translations, ms. Later translations are available to the next request. */
const patienceMs = 8000;
/** Longest title that is translated, characters. */
const mostCharacters = 500;
/** Most values in a statement. */
const valuesPerQuery = 500;

/** A title to translate: `text` is shown under `title`. */
export interface ShownTitle {
  title: string;
  text: string;
  langid: string;
}

/**
 * Display titles in another language, by title, from the glossary or else from the site's provider. Titles without a
 * translation are left out; failures of the provider do not reach the caller.
 */
export async function translateTitles(
  services: Services,
  titles: readonly ShownTitle[],
  langid: string,
): Promise<Map<string, string>> {
  const target = languageId(langid);
  const result = new Map<string, string>();
  if (!isLanguage(target)) return result;
  const entries = await listEntries(services.storage.reader);
  const deadline = services.now() + patienceMs;
  for (const [source, group] of Map.groupBy(titles, (one) => languageId(one.langid))) {
    const terms = termsOf(entries, source, target);
    const texts = group.map((one) => one.text).filter((text) => text.length <= mostCharacters);
    const translated = await translateTexts(services, texts, { source, target, terms, deadline });
    for (const { title, text } of group) {
      const words = translated.get(text);
      if (words !== undefined && words !== '') result.set(title, words);
    }
  }
  return result;
}

/** Whether a code is a known language, to avoid requests to the provider for arbitrary texts. */
function isLanguage(langid: string): boolean {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return names.of(langid) !== undefined;
  } catch {
    return false;
  }
}

interface Direction {
  source: string;
  target: string;
  terms: Terms;
  deadline: number;
}

/** Translations by text: from the glossary, else from stored translations, else from the provider. */
async function translateTexts(
  services: Services,
  texts: readonly string[],
  direction: Direction,
): Promise<Map<string, string>> {
  const { source, target, terms } = direction;
  const result = new Map<string, string>();
  const open = new Map<string, string>();
  for (const text of new Set(texts)) {
    const term = terms.whole(text);
    if (term !== undefined) result.set(text, term);
    else if (text.trim() !== '') open.set(text, terms.mask(text));
  }
  const known = await cachedTranslations(services.storage.reader, [...open.values()], source, target);
  const asked = [...new Set(open.values())].filter((masked) => !known.has(masked));
  for (let from = 0; from < asked.length && hasProvider(services); from += batchSize) {
    if (services.now() > direction.deadline) break;
    const batch = asked.slice(from, from + batchSize);
    const answers = await askProvider(services, batch, source, target);
    const pairs = batch.flatMap((text, index): [string, string][] => {
      const translation = answers?.[index];
      return translation === undefined ? [] : [[text, translation]];
    });
    await keepTranslations(services, pairs, source, target);
    for (const [text, translation] of pairs) known.set(text, translation);
  }
  for (const [text, masked] of open) {
    const translation = known.get(masked);
    if (translation !== undefined) result.set(text, terms.unmask(masked, translation) ?? text);
  }
  return result;
}

async function cachedTranslations(
  db: Db,
  texts: readonly string[],
  source: string,
  target: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < texts.length; from += valuesPerQuery) {
    const rows = await db
      .selectFrom('machine_translations')
      .select(['text', 'translation'])
      .where('source_langid', '=', source)
      .where('langid', '=', target)
      .where('text', 'in', texts.slice(from, from + valuesPerQuery))
      .execute();
    for (const row of rows) found.set(row.text, row.translation);
  }
  return found;
}

async function keepTranslations(
  services: Services,
  pairs: readonly (readonly [string, string])[],
  source: string,
  target: string,
): Promise<void> {
  if (pairs.length === 0) return;
  const date = Math.floor(services.now() / 1000);
  await services.storage.write(ownOrigin(services, 'translate'), (tx) =>
    tx
      .insertInto('machine_translations')
      .values(
        pairs.map(([text, translation]) => ({
          source_langid: source,
          langid: target,
          text,
          translation,
          date,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}
