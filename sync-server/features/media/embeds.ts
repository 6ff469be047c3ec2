/**
 * Embedded pages in the media manager.
 *
 * - MEDIA-13 An embedded page is listed for the author of a guide that shows it, once, with the names that media
 *   managers show next to it. No previews are made.
 */
import type { EmbedFacts } from '#shared/model/guide.ts';
import type { EmbedRecord } from '#shared/model/media-record.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

interface Page {
  order: 'ASC' | 'DESC';
  offset: number;
  limit: number;
}

/**
 * The pages embedded in steps of the caller's guides, ordered by id. Embedded pages are not uploaded and are stored
 * only in guides. A page that several steps embed is listed once; pages from an archive may have no id and are
 * identified by their address.
 */
export async function listEmbeds(ctx: Context, { order, offset, limit }: Page): Promise<EmbedRecord[]> {
  const guides = await findDocuments(ctx.db, 'guides', await ownGuideids(ctx));
  const embeds = new Map<string, EmbedRecord>();
  for (const { steps, created_date: date } of guides)
    for (const { media } of steps)
      if (media.type === 'embed')
        embeds.set(`${media.data.embedid} ${media.data.url}`, managed(media.data, date));
  const ascending = [...embeds.values()].toSorted((a, b) => a.embedid - b.embedid);
  ctx.total(ascending.length);
  return (order === 'ASC' ? ascending : ascending.toReversed()).slice(offset, offset + limit);
}

/** An embedded page as a record of the media manager. */
function managed(embed: EmbedFacts, date: number): EmbedRecord {
  const previews = { imageid: null, mini: null, thumbnail: null, standard: null, medium: null };
  const { url: view_url, title: filename, provider_name: provider } = embed;
  return { ...embed, type: 'GuideEmbedObject', ...previews, view_url, filename, provider, date };
}

async function ownGuideids(ctx: Context): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('guides')
    .select('guideid')
    .where('userid', '=', mustUserid(ctx))
    .where('deleted', '=', 0)
    .orderBy('guideid')
    .execute();
  return rows.map((row) => row.guideid);
}
