import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiVersion } from '#shared/model/wiki.ts';
import type { GuideToWrite } from '#shared/omanual/content.ts';
import { slug } from '#shared/omanual/names.ts';
import type { ByteSink } from '#shared/omanual/source.ts';
import { writeCategoryPage, writeGuidePage } from '#shared/print/page.ts';
import type { PageSite } from '#shared/print/page-site.ts';
import { englishWords } from '#shared/print/words.ts';
import { FileAnswer } from '#server/http/answers.ts';
import type { Context } from '#server/http/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { guideidsIn } from '../wikis/list.ts';
import { guideToWrite, siteOfOrigin } from './content.ts';
import { mediaBytes } from './media-bytes.ts';
import { mentionOf } from './mentions.ts';

/** Bytes of a page at most; more is no page for a browser but an archive. */
const mostBytes = 256 * 1024 * 1024;

/**
 * What the page itself says by a meta element names its style by a hash; this allows that and nothing beyond. Links may
 * open elsewhere, where they are no longer confined.
 */
const policy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** A guide as one HTML page that holds everything, as this viewer may see it. */
export async function guidePageAnswer(ctx: Context, facts: GuideFacts): Promise<FileAnswer> {
  const guide = await guideToWrite(ctx, facts);
  return pageAnswer(ctx, facts.title, (sink) => writeGuidePage(guide, pageSite(ctx), sink));
}

/** A category and its guides as one HTML page that holds everything, as this viewer may see them. */
export async function categoryPageAnswer(ctx: Context, facts: WikiVersion): Promise<FileAnswer> {
  const { title, langid, contents_raw: contents, description } = facts;
  const guides = await findDocuments(ctx.db, 'guides', await guideidsIn(ctx, title));
  const category = {
    facts,
    wiki: await wikiContextFor(ctx, [contents, description], langid),
    mentions: guides.map((one) => mentionOf(one, true)),
    guides: oneByOne(ctx, guides),
  };
  return pageAnswer(ctx, title, (sink) => writeCategoryPage(category, pageSite(ctx), sink));
}

async function* oneByOne(ctx: Context, guides: readonly GuideFacts[]): AsyncGenerator<GuideToWrite> {
  const included = new Set(guides.map(({ guideid }) => guideid));
  for (const facts of guides) yield await guideToWrite(ctx, facts, included);
}

function pageSite(ctx: Context): PageSite {
  const { services } = ctx;
  return {
    ...siteOfOrigin(ctx),
    title: services.site.title,
    words: englishWords,
    printed: Math.floor(services.now() / 1000),
    media: (ref) => mediaBytes(services, ref, 'huge'),
  };
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
