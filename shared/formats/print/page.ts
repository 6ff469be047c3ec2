import type { WikiFacts } from '#shared/model/wiki.ts';
import { uri } from '#shared/formats/omanual/addresses.ts';
import type { GuideMention, GuideToWrite } from '#shared/formats/omanual/content.ts';
import type { ByteSink } from '#shared/formats/omanual/source.ts';
import { categoryPath } from '#shared/rules/urls.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { GuidePage, type PageSite } from './guide-page.ts';
import { nothing, safe } from '#shared/html.ts';
import { dayOf, pageHead } from './page-head.ts';
import { base64, PageWriter } from './page-writer.ts';
import { RichText } from './rich-text.ts';
import { pageStyle } from './style.ts';

export interface PageReport {
  bytes: number;
  /** Number of pictures inside. */
  pictures: number;
  /** Number of pictures whose bytes were not available. */
  missing: number;
}

/** A category to print with its guides. */
export interface CategoryToPrint {
  facts: WikiFacts;
  wiki: WikiContext;
  /** The guides, in order, for the list at the front. */
  mentions: readonly GuideMention[];
  guides: AsyncIterable<GuideToWrite> | Iterable<GuideToWrite>;
}

/** Guides to print together, without a category. */
export interface GuidesToPrint {
  title: string;
  langid: string;
  /** Their address on the site; '' without one. */
  address: string;
  /** The guides, in order, for the list at the front. */
  mentions: readonly GuideMention[];
  guides: AsyncIterable<GuideToWrite> | Iterable<GuideToWrite>;
}

/**
 * Writes a guide as one HTML file, to be kept and printed.
 * - PRINT-1 A page loads nothing and runs nothing: pictures are data addresses, its content security policy allows only
 *   its own style, by hash, and there are no scripts and no frames. Every link leads to an absolute http, https or mail
 *   address, or to an anchor in the page.
 * - PRINT-2 Whatever the content, the page contains only the elements that this folder and `shared/formats/wikitext`
 *   write, properly nested and closed.
 */
export async function writeGuidePage(
  guide: GuideToWrite,
  site: PageSite,
  sink: ByteSink,
): Promise<PageReport> {
  const { facts } = guide;
  const page = new PageWriter(sink, (ref) => site.media(ref));
  await open(page, site, facts);
  await new GuidePage(guide, site, page).write();
  await page.write(safe`</body></html>`);
  return page.report;
}

/**
 * Writes a category with all its guides as one HTML file.
 * - PRINT-6 A category lists its guides, and so does a page of several guides. Each guide begins on a new sheet.
 */
export async function writeCategoryPage(
  category: CategoryToPrint,
  site: PageSite,
  sink: ByteSink,
): Promise<PageReport> {
  const { facts, wiki } = category;
  const title = facts.display_title || facts.title;
  const page = new PageWriter(sink, (ref) => site.media(ref));
  await open(page, site, { ...facts, title });
  await page.write(
    safe`<article>`,
    pageHead({
      over: site.title,
      title,
      summary: '',
      about: [
        [site.words.guides, category.mentions.length],
        [site.words.revision, facts.revisionid],
        [site.words.changed, dayOf(facts.modified_date)],
      ],
      address: uri(categoryPath(facts.title), site.base) ?? '',
      words: site.words,
    }),
  );
  await writeTexts(facts, new RichText(wiki, site.base), page);
  await writeGuides(category, site, page);
  return page.report;
}

/** Writes guides as one HTML file with a list of them at the front (PRINT-6). */
export async function writeGuidesPage(
  { title, langid, address, mentions, guides }: GuidesToPrint,
  site: PageSite,
  sink: ByteSink,
): Promise<PageReport> {
  const { words } = site;
  const page = new PageWriter(sink, (ref) => site.media(ref));
  await open(page, site, { title, langid });
  const about: [string, number][] = [[words.guides, mentions.length]];
  const over = title === site.title ? '' : site.title;
  await page.write(safe`<article>`, pageHead({ over, title, summary: '', about, address, words }));
  await writeGuides({ mentions, guides }, site, page);
  return page.report;
}

/** Writes the list at the end of the first sheet, the guides, and the end of the page. */
async function writeGuides(
  { mentions, guides }: Pick<GuidesToPrint, 'mentions' | 'guides'>,
  site: PageSite,
  page: PageWriter,
): Promise<void> {
  const items = mentions.map(
    ({ guideid, title: name, subject }) =>
      safe`<li><span><a href="#guide-${guideid}">${name}</a>${subject === '' ? nothing : safe`<small>${subject}</small>`}</span></li>`,
  );
  await page.write(
    safe`<section class="after"><h2>${site.words.guides}</h2><ul class="plain">${items}</ul></section></article>`,
  );
  for await (const guide of guides) await new GuidePage(guide, site, page).write();
  await page.write(safe`</body></html>`);
}

async function writeTexts(facts: WikiFacts, text: RichText, page: PageWriter): Promise<void> {
  const image = facts.image;
  await page.write(safe`<div class="lead"><div class="rich">`);
  await text.blocks(facts.description, page);
  await text.blocks(facts.contents_raw, page);
  await page.write(safe`</div>`);
  if (image !== null) {
    const before = safe`<figure class="picture"><img src="`;
    await page.picture({ kind: 'image', image }, before, safe`" alt="${facts.title}"></figure>`, nothing);
  }
  await page.write(safe`</div>`);
}

/** Writes the start of a page. Its content security policy lets a browser load nothing (PRINT-1). */
async function open(
  page: PageWriter,
  site: PageSite,
  about: { title: string; langid: string; revisionid?: number },
): Promise<void> {
  const { words, font } = site;
  const saved = `${words.printed} ${dayOf(site.printed)}`;
  const revision = about.revisionid === undefined ? [] : [`${words.revision} ${about.revisionid}`];
  const footer = [about.title, ...revision, saved].join(' · ');
  const style = pageStyle(footer, font === undefined ? '' : base64(font));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  const fonts = font === undefined ? '' : ' font-src data:;';
  const policy = `default-src 'none'; img-src data:;${fonts} style-src 'sha256-${base64(new Uint8Array(digest))}'; base-uri 'none'; form-action 'none'`;
  await page.write(
    safe`<!doctype html>
      <html lang="${about.langid}">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <meta name="viewport" content="width=device-width" />
          <meta name="referrer" content="no-referrer" />
          <meta name="generator" content="Benchbook" />
          <title>${about.title}</title>`,
  );
  await page.style(style);
  await page.write(safe`</head><body>`);
}
