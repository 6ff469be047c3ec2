import type { Context } from '#server/http/context.ts';
import { can } from '#server/access/can.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { inLanguage } from './store.ts';

/** How deep templates of templates are looked up, and how many in all: as many as a text can use (wikitext rule W4). */
const mostLevels = 8;
const mostNames = 500;

const call = /\{\{\s*([^\n{}[\]|<>]{1,255}?)\s*(?=\||\}\})/g;

/**
 * The wiki text of every template that `texts` may call, by name: the WIKI pages of these titles that the viewer may
 * see, in the wanted language where there is a translation, and those that they call in turn.
 */
export async function templatesFor(
  ctx: Context,
  texts: readonly string[],
  langid: string | undefined,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const asked = new Set<string>();
  let open = texts;
  for (let level = 0; level < mostLevels && open.length > 0; level += 1) {
    const names = [...new Set(open.flatMap(namesIn))].filter((name) => !asked.has(name));
    const wanted = names.slice(0, Math.max(0, mostNames - asked.size));
    for (const name of wanted) asked.add(name);
    const pages = await pagesTitled(ctx, wanted, langid);
    for (const name of wanted) {
      const text = pages.get(name) ?? pages.get(name.replaceAll('_', ' '));
      if (text !== undefined) found.set(name, text);
    }
    open = wanted.flatMap((name) => found.get(name) ?? []);
  }
  return found;
}

function namesIn(text: string): string[] {
  return text.includes('{{') ? [...text.matchAll(call)].map((match) => match[1] ?? '') : [];
}

async function pagesTitled(
  ctx: Context,
  names: readonly string[],
  langid: string | undefined,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const titles = [...new Set(names.flatMap((name) => [name, name.replaceAll('_', ' ')]))];
  const rows = await ctx.db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', 'WIKI')
    .where('title', 'in', titles)
    .where('deleted', '=', 0)
    .execute();
  const wikis = await findDocuments(
    ctx.db,
    'wikis',
    rows.map((row) => row.wikiid),
  );
  const visible = wikis.filter((one) => can(ctx.viewer, 'wiki.see', one));
  const siteLangid = ctx.services.site.langid;
  return new Map(
    [...Map.groupBy(visible, (one) => one.title)].map(([title, versions]) => [
      title,
      inLanguage(versions, langid, siteLangid)?.contents_raw ?? '',
    ]),
  );
}
