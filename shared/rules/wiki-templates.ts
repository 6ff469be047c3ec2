import { inLanguage } from '#shared/model/language.ts';
import type { WikiVersion } from '#shared/model/wiki.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

/** As much of a WIKI page as a template is. */
export type TemplatePage = Pick<WikiVersion, 'title' | 'langid' | 'contents_raw' | 'source_revisionid'>;

/**
 * Finds the wiki text of a template: of the WIKI page of that title, where `_` may stand for a space, in the wanted
 * language where there is a translation.
 */
export function templateLookup(
  pages: readonly TemplatePage[],
  langid: string | undefined,
  siteLangid: string,
): WikiContext['template'] {
  const byTitle = Map.groupBy(pages, (page) => page.title);
  return (name) => {
    const versions = byTitle.get(name) ?? byTitle.get(name.replaceAll('_', ' ')) ?? [];
    return inLanguage(versions, langid, siteLangid)?.contents_raw ?? null;
  };
}
