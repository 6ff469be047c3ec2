import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { guidePath } from '#shared/rules/urls.ts';
import { plainContext, type WikiContext } from '#shared/wikitext/context.ts';
import { can } from '#server/access/can.ts';
import type { Context } from '#server/http/context.ts';
import { picturesFor, picturesNamedIn } from '#server/media/text-pictures.ts';
import { findDocuments } from '#server/storage/feed.ts';

/** What wiki text in these guides may refer to, filtered for the viewer: titles of guides, pictures. */
export async function wikiContextOf(ctx: Context, guides: GuideFacts[]): Promise<WikiContext> {
  const texts = guides.flatMap((facts) => [
    facts.introduction_raw,
    facts.conclusion_raw,
    ...facts.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
  ]);
  const shown = guides.flatMap(({ image, steps }) => [
    ...(image === null ? [] : [image]),
    ...steps.flatMap(({ media }) => (media.type === 'image' ? media.data : [])),
  ]);
  return wikiContextFor(ctx, texts, shown);
}

/** What these wiki texts may refer to, filtered for the viewer. `shown`: pictures that the records of the texts show anyhow. */
export async function wikiContextFor(
  ctx: Context,
  texts: string[],
  shown: Pick<ImageRef, 'id' | 'guid'>[] = [],
): Promise<WikiContext> {
  const linked = idsIn(texts, /\[guide\|(\d+)/g);
  const guides = new Map(
    (await findDocuments(ctx.db, 'guides', linked))
      .filter((one) => can(ctx.viewer, 'guide.see', one))
      .map((one) => [one.guideid, one]),
  );
  const images = await picturesFor(ctx.db, ctx.viewer, [...new Set(texts.flatMap(picturesNamedIn))]);
  for (const { id, guid } of shown) images.set(id, guid);
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
