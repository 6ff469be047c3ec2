import { templateLookup, type TemplatePage } from '#shared/rules/wiki-templates.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

/** Most levels of nested templates, and most templates in total: as many as a text can use (WIKITEXT-4). */
const mostLevels = 8;
const mostNames = 500;

const call = /\{\{\s*([^\n{}[\]|<>]{1,255}?)\s*(?=\||\}\})/g;

/**
 * Finds every template that `texts` may use, directly or through other templates: the WIKI pages with these titles that
 * the viewer may see, in the given language if there is a translation.
 */
export async function templatesFor(
  ctx: Context,
  texts: readonly string[],
  langid: string | undefined,
): Promise<WikiContext['template']> {
  const pages: TemplatePage[] = [];
  const asked = new Set<string>();
  let open = texts;
  for (let level = 0; level < mostLevels && open.length > 0; level += 1) {
    const names = [...new Set(open.flatMap(namesIn))].filter((name) => !asked.has(name));
    const wanted = names.slice(0, Math.max(0, mostNames - asked.size));
    for (const name of wanted) asked.add(name);
    const found = await pagesTitled(ctx, wanted);
    pages.push(...found);
    open = found.map((page) => page.contents_raw);
  }
  return templateLookup(pages, langid, ctx.services.site.langid);
}

function namesIn(text: string): string[] {
  return text.includes('{{') ? [...text.matchAll(call)].map((match) => match[1] ?? '') : [];
}

async function pagesTitled(ctx: Context, names: readonly string[]): Promise<TemplatePage[]> {
  if (names.length === 0) return [];
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
  return wikis.filter((one) => can(ctx.viewer, 'wiki.see', one));
}
