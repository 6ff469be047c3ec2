import type { GuideFacts } from '#shared/model/guide.ts';
import { guidePath } from '#shared/rules/urls.ts';
import { plainContext, type WikiContext } from '#shared/wikitext/context.ts';
import { can } from '#server/access/can.ts';
import type { Context } from '#server/http/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

/** What wiki text in these guides may refer to, filtered for the viewer: titles of guides, pictures. */
export async function wikiContextOf(ctx: Context, guides: GuideFacts[]): Promise<WikiContext> {
  const texts = guides.flatMap((facts) => [
    facts.introduction_raw,
    facts.conclusion_raw,
    ...facts.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
  ]);
  return wikiContextFor(ctx, texts);
}

/** What these wiki texts may refer to, filtered for the viewer. */
export async function wikiContextFor(ctx: Context, texts: string[]): Promise<WikiContext> {
  const linked = idsIn(texts, /\[guide\|(\d+)/g);
  const pictured = idsIn(texts, /\[image\|(\d+)/g);
  const guides = new Map(
    (await findDocuments(ctx.db, 'guides', linked))
      .filter((one) => can(ctx.viewer, 'guide.see', one))
      .map((one) => [one.guideid, one]),
  );
  const images = await imageGuids(ctx, pictured);
  return {
    ...plainContext,
    siteUrl: ctx.baseUrl,
    siteHosts: [new URL(ctx.baseUrl).host],
    guideTitle: (guideid) => {
      const facts = guides.get(guideid);
      return facts === undefined ? null : { title: facts.title, url: guidePath(facts) };
    },
    image: (imageid) => {
      const guid = images.get(imageid);
      return guid === undefined
        ? null
        : { id: imageid, guid, url: (size) => `${ctx.baseUrl}/igi/${guid}.${size}` };
    },
  };
}

function idsIn(texts: string[], pattern: RegExp): number[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => Number(match[1]))))];
}

async function imageGuids(ctx: Context, imageids: number[]): Promise<Map<number, string>> {
  if (imageids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('images')
    .select(['imageid', 'guid'])
    .where('imageid', 'in', imageids)
    .execute();
  return new Map(rows.map((row) => [row.imageid, row.guid]));
}
