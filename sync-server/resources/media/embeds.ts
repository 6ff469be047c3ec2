import type { EmbedRecord } from '#shared/model/media-record.ts';
import { mustUserid, type Context } from '#server/http/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

interface Page {
  order: 'ASC' | 'DESC';
  offset: number;
  limit: number;
}

/**
 * The pages that steps of the caller's guides embed, by id. They are nowhere else: nobody uploads one. A page that
 * several steps embed is there once; one from an archive may have no id, so that its address tells it apart.
 */
export async function listEmbeds(ctx: Context, { order, offset, limit }: Page): Promise<EmbedRecord[]> {
  const guides = await findDocuments(ctx.db, 'guides', await ownGuideids(ctx));
  const embeds = new Map<string, EmbedRecord>();
  for (const { media } of guides.flatMap((guide) => guide.steps))
    if (media.type === 'embed') embeds.set(`${media.data.embedid} ${media.data.url}`, media.data);
  const ascending = [...embeds.values()].toSorted((a, b) => a.embedid - b.embedid);
  ctx.total(ascending.length);
  return (order === 'ASC' ? ascending : ascending.toReversed()).slice(offset, offset + limit);
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
