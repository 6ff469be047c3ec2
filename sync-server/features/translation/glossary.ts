import type { GlossaryChange, GlossaryEntry } from '#shared/api/translation-glossary.ts';
import { forbidden, invalid, notFound, Problem, type FieldError } from '#shared/api/problem.ts';
import { languageId } from '#shared/model/language.ts';
import { can } from './access.ts';
import { moderators } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import type { Db } from '#server/storage/tables.ts';

/** The languages of the site in canonical spelling, including the source language. */
function siteLanguages({ site }: Pick<Services, 'site'>): Set<string> {
  return new Set([site.langid, ...site.languages].map(languageId));
}

/** A language of the site in canonical spelling; throws 422 for any other. */
export function languageOf(ctx: Context, langid: string): string {
  const known = languageId(langid);
  if (!siteLanguages(ctx.services).has(known))
    throw invalid('langid', `${langid} is no language of this site`);
  return known;
}

/** Throws 404 on a site with one language, which has no glossary (spec, "Translation glossary"). */
export function mustHaveGlossary(ctx: Context): void {
  if (siteLanguages(ctx.services).size < 2 || !can(ctx.viewer, 'glossary.see', {}))
    throw notFound('Translation glossary');
}

/** Throws 404 as above, 403 if the caller may read the glossary but not edit it. */
export function mustEditGlossary(ctx: Context): void {
  mustHaveGlossary(ctx);
  if (!can(ctx.viewer, 'glossary.edit', {}))
    throw forbidden('Only moderators change the translation glossary', moderators);
}

/** Every entry, ordered by entryid. */
export async function listEntries(db: Db): Promise<GlossaryEntry[]> {
  const entries = await db.selectFrom('glossary_entries').selectAll().orderBy('entryid').execute();
  const rows = await db.selectFrom('glossary_translations').selectAll().orderBy('langid').execute();
  const translations = Map.groupBy(rows, (row) => row.entryid);
  return entries.map((entry) => ({
    ...entry,
    translations: (translations.get(entry.entryid) ?? []).map(({ langid, text }) => ({ langid, text })),
  }));
}

/** Adds, changes and deletes entries. If some changes are invalid, makes none and throws 422 that names them. */
export async function changeEntries(ctx: Context, changes: readonly GlossaryChange[]): Promise<void> {
  const errors: FieldError[] = [];
  for (const [index, change] of changes.entries()) {
    const flaw = await applyChange(ctx, change);
    if (flaw !== undefined) errors.push({ ...flaw, index });
  }
  if (errors.length > 0) throw new Problem('invalid', 'Validation failed', { errors });
}

async function applyChange(ctx: Context, change: GlossaryChange): Promise<FieldError | undefined> {
  const before = change.entryid === undefined ? undefined : await findEntry(ctx.db, change.entryid);
  if (change.entryid !== undefined && before === undefined)
    return { field: 'entries', message: `There is no entry ${change.entryid}` };
  if (change.delete === true) {
    if (before === undefined) return { field: 'entries', message: 'Name the entry to delete by its entryid' };
    await deleteEntry(ctx.db, before.entryid);
    return undefined;
  }
  const entry = {
    source_langid: languageId(change.source_langid ?? before?.source_langid ?? ctx.services.site.langid),
    term: change.term ?? before?.term ?? '',
    notes: change.notes ?? before?.notes ?? '',
  };
  const flaw =
    flawOf(ctx, entry, change) ??
    ((await isTaken(ctx.db, entry, before?.entryid))
      ? { field: 'entries', message: `There is an entry for ${entry.term} already` }
      : undefined);
  if (flaw === undefined) await storeEntry(ctx.db, before?.entryid, entry, change.translations);
  return flaw;
}

type Entry = { source_langid: string; term: string; notes: string };

function flawOf(ctx: Context, entry: Entry, change: GlossaryChange): FieldError | undefined {
  if (entry.term === '') return { field: 'entries', message: 'A new entry needs a term' };
  const known = siteLanguages(ctx.services);
  const translations = (change.translations ?? []).map((one) => languageId(one.langid));
  const unknown = [entry.source_langid, ...translations].find((langid) => !known.has(langid));
  if (unknown !== undefined) return { field: 'entries', message: `${unknown} is no language of this site` };
  if (translations.includes(entry.source_langid))
    return { field: 'entries', message: 'A term is not translated into its own language' };
  if (new Set(translations).size < translations.length)
    return { field: 'entries', message: 'A term has one translation in a language' };
  return undefined;
}

async function isTaken(db: Db, entry: Entry, entryid: number | undefined): Promise<boolean> {
  const row = await db
    .selectFrom('glossary_entries')
    .select('entryid')
    .where('source_langid', '=', entry.source_langid)
    .where('term', '=', entry.term)
    .executeTakeFirst();
  return row !== undefined && row.entryid !== entryid;
}

async function storeEntry(
  db: Db,
  known: number | undefined,
  entry: Entry,
  translations: GlossaryChange['translations'],
): Promise<void> {
  const entryid = known ?? (await insertEntry(db, entry));
  if (known !== undefined)
    await db.updateTable('glossary_entries').set(entry).where('entryid', '=', known).execute();
  if (translations === undefined) return;
  await db.deleteFrom('glossary_translations').where('entryid', '=', entryid).execute();
  for (const { langid, text } of translations)
    await db
      .insertInto('glossary_translations')
      .values({ entryid, langid: languageId(langid), text })
      .execute();
}

async function insertEntry(db: Db, entry: Entry): Promise<number> {
  const row = await db
    .insertInto('glossary_entries')
    .values(entry)
    .returning('entryid')
    .executeTakeFirstOrThrow();
  return row.entryid;
}

async function findEntry(db: Db, entryid: number): Promise<(Entry & { entryid: number }) | undefined> {
  return db.selectFrom('glossary_entries').selectAll().where('entryid', '=', entryid).executeTakeFirst();
}

async function deleteEntry(db: Db, entryid: number): Promise<void> {
  await db.deleteFrom('glossary_translations').where('entryid', '=', entryid).execute();
  await db.deleteFrom('glossary_entries').where('entryid', '=', entryid).execute();
}

/** Throws 404 if the entry does not exist. */
export async function mustFindEntry(ctx: Context, entryid: number): Promise<void> {
  if ((await findEntry(ctx.db, entryid)) === undefined) throw notFound('Entry');
}

/** Deletes an entry with its translations; throws 404 if it does not exist. */
export async function removeEntry(ctx: Context, entryid: number): Promise<void> {
  await mustFindEntry(ctx, entryid);
  await deleteEntry(ctx.db, entryid);
}
