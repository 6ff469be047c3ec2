import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiVersion } from '#shared/model/wiki.ts';
import { categoryXml } from '#shared/formats/omanual/category-document.ts';
import { guideXml } from '#shared/formats/omanual/guide-document.ts';
import { TextAnswer } from '#server/http/answers.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { guideidsIn } from '../wikis/list.ts';
import { ancestorTitles, childTitles } from '../wikis/relatives.ts';
import { guideToWrite, siteOfOrigin } from './content.ts';
import { mentionOf } from './mentions.ts';

/** A guide as an oManual 1.0 document with absolute addresses, as this viewer may see it. */
export async function guideDocumentAnswer(ctx: Context, facts: GuideFacts): Promise<TextAnswer> {
  const { xml } = guideXml(await guideToWrite(ctx, facts), siteOfOrigin(ctx));
  return new TextAnswer('application/xml', xml);
}

/** A category as an oManual 1.0 document with absolute addresses, as this viewer may see it. */
export async function categoryDocumentAnswer(ctx: Context, facts: WikiVersion): Promise<TextAnswer> {
  const { title, parent, langid, contents_raw: contents, description } = facts;
  const category = {
    facts,
    ancestors: await ancestorTitles(ctx.db, title, parent),
    children: (await childTitles(ctx.db, title)).toSorted(),
    wiki: await wikiContextFor(ctx, [contents, description], langid),
  };
  const guides = await findDocuments(ctx.db, 'guides', await guideidsIn(ctx, title));
  const { xml } = categoryXml(
    category,
    guides.map((one) => mentionOf(one, false)),
    siteOfOrigin(ctx),
  );
  return new TextAnswer('application/xml', xml);
}
