import type { NewArchive } from '#shared/api/omanual.ts';
import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts, WikiVersion } from '#shared/model/wiki.ts';
import type { GuideToWrite } from '#shared/formats/omanual/content.ts';
import { slug } from '#shared/formats/omanual/names.ts';
import type { ByteSink } from '#shared/formats/omanual/source.ts';
import {
  writeCategoryPage,
  writeGuidePage,
  writeGuidesPage,
  type CategoryToPrint,
  type PageReport,
} from '#shared/formats/print/page.ts';
import type { PageSite } from '#shared/formats/print/guide-page.ts';
import { isReachable } from '#shared/rules/urls.ts';
import { pageWordsIn } from '#shared/formats/print/words-in.ts';
import { FileAnswer } from '#server/http/answers.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';
import { callerOf } from '#server/platform/caller.ts';
import { textsFor } from '#server/text/texts.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { guideidsIn } from '../wikis/list.ts';
import { guideToWrite, siteOfOrigin } from './content.ts';
import { mediaBytes } from './media-bytes.ts';
import { mentionOf } from './mentions.ts';
import { chosen } from './selection.ts';

/** Most bytes of a page, which browsers can still open. */
const mostBytes = 256 * 1024 * 1024;

/**
 * The policy of the answer. The page's own policy, in a meta element, allows its style by hash. Links may open other
 * pages, which are not restricted.
 */
const policy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** A guide as a self-contained HTML page, as this viewer may see it. */
export async function guidePageAnswer(ctx: Context, facts: GuideFacts): Promise<FileAnswer> {
  const guide = await guideToWrite(ctx, facts);
  return pageAnswer(ctx, facts.title, async (sink) => writeGuidePage(guide, await pageSite(ctx), sink));
}

/** A category and its guides as a self-contained HTML page, as this viewer may see them. */
export async function categoryPageAnswer(ctx: Context, facts: WikiVersion): Promise<FileAnswer> {
  const guides = await findDocuments(ctx.db, 'guides', await guideidsIn(ctx, facts.title));
  const category = await categoryToPrint(ctx, facts, guides);
  return pageAnswer(ctx, facts.title, async (sink) => writeCategoryPage(category, await pageSite(ctx), sink));
}

/**
 * Writes a selection as one HTML page: a single guide, a category followed by the guides in it and below it, or a list
 * of guides followed by the guides. `between` runs before each guide. Throws 404 for records that the viewer may not
 * see.
 */
export async function writeChosenPage(
  ctx: Context,
  wanted: Omit<NewArchive, 'media'>,
  sink: ByteSink,
  between: (done: number, total: number) => void,
): Promise<PageReport & { guides: number }> {
  const { title, langid, categories, guideids } = await chosen(ctx, wanted);
  const guides = await findDocuments(ctx.db, 'guides', guideids);
  const before = (done: number): void => between(done, guides.length);
  const site = await pageSite(ctx);
  const [category] = wanted.category === undefined ? [] : categories;
  const [only] = wanted.guideids === undefined ? [] : guides;
  const write = async (): Promise<PageReport> => {
    if (category !== undefined)
      return writeCategoryPage(await categoryToPrint(ctx, category, guides, before), site, sink);
    if (only !== undefined && guides.length === 1) {
      before(0);
      return writeGuidePage(await guideToWrite(ctx, only), site, sink);
    }
    const mentions = guides.map((one) => mentionOf(one, true));
    const collection = {
      title,
      langid,
      address: ctx.baseUrl,
      mentions,
      guides: oneByOne(ctx, guides, before),
    };
    return writeGuidesPage(collection, site, sink);
  };
  return { ...(await write()), guides: guides.length };
}

async function categoryToPrint(
  ctx: Context,
  facts: WikiFacts,
  guides: readonly GuideFacts[],
  between: (done: number) => void = () => undefined,
): Promise<CategoryToPrint> {
  const { langid, contents_raw: contents, description } = facts;
  return {
    facts,
    wiki: await wikiContextFor(ctx, [contents, description], langid),
    mentions: guides.map((one) => mentionOf(one, true)),
    guides: oneByOne(ctx, guides, between),
  };
}

async function* oneByOne(
  ctx: Context,
  guides: readonly GuideFacts[],
  between: (done: number) => void,
): AsyncGenerator<GuideToWrite> {
  const included = new Set(guides.map(({ guideid }) => guideid));
  for (const [index, facts] of guides.entries()) {
    between(index);
    yield await guideToWrite(ctx, facts, included);
  }
}

async function pageSite(ctx: Context): Promise<PageSite> {
  const { services } = ctx;
  const { locale } = textsFor(ctx.headers['accept-language'], await languageOf(ctx), services.site.langid);
  const origin = siteOfOrigin(ctx);
  return {
    ...origin,
    base: isReachable(origin.base) ? origin.base : (services.site.address ?? origin.base),
    title: services.site.title,
    words: pageWordsIn(locale),
    printed: Math.floor(services.now() / 1000),
    media: (ref) => mediaBytes({ services, caller: callerOf(ctx) }, ref, 'huge'),
  };
}

/** The language of the person who saves the page; '' for nobody. */
async function languageOf({ db, viewer }: Context): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('langid')
    .where('userid', '=', viewer.userid)
    .executeTakeFirst();
  return row?.langid ?? '';
}

async function pageAnswer(
  ctx: Context,
  title: string,
  write: (sink: ByteSink) => Promise<unknown>,
): Promise<FileAnswer> {
  const { path, sha256 } = await ctx.services.archives.writeOnce((sink) => write(bounded(sink)));
  const name = encodeURIComponent(`${slug(title) || 'page'}.html`).replaceAll("'", '%27');
  const disposition = `inline; filename*=UTF-8''${name}`;
  const file = { etag: sha256, isPublic: false, disposition, policy, whole: true } as const;
  return new FileAnswer('text/html', path, file, true);
}

function bounded(sink: ByteSink): ByteSink {
  let size = 0;
  return {
    write: async (bytes) => {
      size += bytes.length;
      if (size > mostBytes) throw invalid('type', 'The page would be too large; make an archive instead');
      await sink.write(bytes);
    },
  };
}
