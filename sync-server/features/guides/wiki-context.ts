import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { guidesNamedIn, guideTitled, listedGuides } from '#shared/rules/linked-guides.ts';
import { guidePath } from '#shared/rules/urls.ts';
import { listName } from '#shared/formats/wikitext/budget.ts';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';
import { expandTemplates } from '#shared/formats/wikitext/templates.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { picturesFor, picturesNamedIn } from '#server/features/media/text-pictures.ts';
import { findPresent } from '#server/storage/feed.ts';

import { templatesFor } from '../wikis/templates.ts';
import { linkableGuides, namedGuide } from './linkable.ts';

/** Titles of guides, pictures and templates that wiki text in these guides may refer to, filtered for the viewer. */
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
  return wikiContextFor(ctx, texts, guides[0]?.langid, { shown });
}

/**
 * Everything that these wiki texts may refer to, filtered for the viewer; templates in the given language. `shown`:
 * pictures that the records of the texts show in any case; `lists`: whether the texts may contain lists of guides.
 */
export async function wikiContextFor(
  ctx: Context,
  texts: string[],
  langid?: string,
  { shown = [], lists = true }: { shown?: Pick<ImageRef, 'id' | 'guid'>[]; lists?: boolean } = {},
): Promise<WikiContext> {
  const template = await templatesFor(ctx, texts, langid);
  const whole = expandedTexts(texts, template);
  const found = guidesNamedIn(whole);
  const names = lists ? found : { ...found, lists: [] };
  const linked = await linkableGuides(ctx, names);
  const guides = new Map(
    (await findPresent(ctx, 'guides', names.ids))
      .filter((one) => can(ctx.viewer, 'guide.see', one))
      .map((one) => [one.guideid, one]),
  );
  const byTitle = Map.groupBy(linked, ({ title }) => title);
  const wishes = new Set(names.lists.map(listName));
  const images = await picturesFor(ctx.db, ctx.viewer, [...new Set(whole.flatMap(picturesNamedIn))]);
  for (const { id, guid } of shown) images.set(id, guid);
  return {
    ...plainContext,
    template,
    siteUrl: ctx.baseUrl,
    siteHosts: [new URL(ctx.baseUrl).host],
    guideTitle: (guideid) => {
      const facts = guides.get(guideid);
      return facts === undefined ? null : { title: facts.title, url: guidePath(facts) };
    },
    guideTitled: (title) => {
      const guide = guideTitled(byTitle.get(title) ?? [], title);
      return guide === null ? null : namedGuide(guide);
    },
    guidelist: (options) =>
      wishes.has(listName(options)) ? (listedGuides(linked, options)?.map(namedGuide) ?? null) : null,
    image: (imageid) => {
      const guid = images.get(imageid);
      return guid === undefined
        ? null
        : { id: imageid, guid, url: (size) => `${ctx.baseUrl}/igi/${guid}.${size}` };
    },
  };
}

/** Most characters of expanded templates that are searched for links, in all texts together. */
const mostExpanded = 4_000_000;

/** Texts with their templates expanded, because templates and their arguments can refer to guides and pictures. */
function expandedTexts(texts: string[], template: WikiContext['template']): string[] {
  let left = mostExpanded;
  return texts.map((text) => {
    const whole = left > 0 ? expandTemplates(text, { template }, left) : text;
    left -= Math.max(0, whole.length - text.length);
    return whole;
  });
}
