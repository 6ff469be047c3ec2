import type { GuideEdit } from '#shared/api/guides.ts';
import { newWiki } from '#shared/api/wikis.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { createWiki } from '../wikis/edit.ts';
import { findByName } from '../wikis/store.ts';

/**
 * Parts and tools that a body describes with a `summary` get an ITEM page where there is none yet, with `url` as the
 * place to buy them (spec, "POST /guides body": both are "used when an item page is created"). Whoever may not write
 * such a page, or names the item as no page can be called, makes none; the guide is saved all the same.
 */
export async function createItemPages(
  ctx: Context,
  { parts = [], tools = [] }: Pick<GuideEdit, 'parts' | 'tools'>,
): Promise<void> {
  for (const { name, summary = '', url = '' } of [...parts, ...tools]) {
    if (summary.trim() === '') continue;
    const page = newWiki.safeParse({
      namespace: 'ITEM',
      title: name,
      contents: '',
      description: summary,
      ...(url === '' ? {} : { suppliers: [{ 'part_#': '', type: '', supplier: supplierOf(url), url }] }),
    });
    if (!page.success || !can(ctx.viewer, 'wiki.create', page.data)) continue;
    if ((await findByName(ctx, 'ITEM', page.data.title, undefined)) !== undefined) continue;
    // The idempotency key of the call is the guide's.
    await createWiki({ ...ctx, key: null }, page.data, undefined);
  }
}

function supplierOf(url: string): string {
  return URL.parse(url)?.hostname ?? url;
}
