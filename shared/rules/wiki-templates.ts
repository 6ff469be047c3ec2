import { groupedBy } from '#shared/grouped-by.ts';
import { inLanguage } from '#shared/model/language.ts';
import type { WikiVersion } from '#shared/model/wiki.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

/** The fields of a WIKI page that a template needs. */
export type TemplatePage = Pick<WikiVersion, 'title' | 'langid' | 'contents_raw' | 'source_revisionid'>;

/**
 * Makes a function that finds the wiki text of a template: the WIKI page with that title, in which `_` may stand for a
 * space, in the wanted language if there is a translation.
 */
export function templateLookup(
  pages: readonly TemplatePage[],
  langid: string | undefined,
  siteLangid: string,
): WikiContext['template'] {
  const byTitle = groupedBy(pages, (page) => page.title);
  return (name) => {
    const versions = byTitle.get(name) ?? byTitle.get(name.replaceAll('_', ' ')) ?? [];
    return inLanguage(versions, langid, siteLangid)?.contents_raw ?? null;
  };
}
