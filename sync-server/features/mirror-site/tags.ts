import { z } from 'zod';

import { isReservedTag } from '#shared/model/tag.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';
import type { Context } from '#server/core/context.ts';
import { addTag, listTags, removeTag } from '#server/features/guides/marks.ts';
import { addWikiTag, removeWikiTag, tagidOf, tagsOfWiki } from '#server/features/tags/store.ts';
import { findDocument } from '#server/storage/feed.ts';

import { tagsAnswer } from './answers.ts';
import { findMirrored, rememberMirrored } from './mirrored.ts';
import { listed, orReport, write, type Run } from './run.ts';

/** How the tags of a record are read and changed here. */
interface Tagged {
  list(): Promise<string[]>;
  add(tag: string): Promise<void>;
  remove(tag: string): Promise<void>;
}

/** Gives tags their order: the list of tags is ordered by when each was first used. */
export async function mirrorTagOrder(run: Run): Promise<void> {
  const tags = await listed(run, '/tags', z.string(), { collection: 'tags', key: (tag) => tag });
  if (run.dryRun || tags.length === 0) return;
  const rows = await run.services.storage.reader.selectFrom('tags').select('name').execute();
  const known = new Set(rows.map(({ name }) => name));
  const fresh = tags.filter((tag) => !known.has(tag) && !isReservedTag(tag));
  if (fresh.length === 0) return;
  await write(run, async (ctx) => {
    for (const tag of fresh) await tagidOf(ctx.db, tag);
  });
}

/** Copies the tags of a guide. `tags`: as the list of guides has them; undefined if it does not. */
export async function mirrorGuideTags(
  run: Run,
  guide: { source: number; id: number },
  tags: readonly string[] | undefined,
): Promise<void> {
  await orReport(run, 'tags', `tags of guide ${guide.source}`, async () => {
    const there = tags ?? (await run.source.read(`/guides/${guide.source}/tags`, tagsAnswer));
    await mirrorTags(run, { name: `guide/${guide.source}`, id: guide.id, there }, async (ctx) => {
      const facts = await findDocument(ctx.db, 'guides', guide.id);
      if (facts === undefined) return null;
      return {
        list: () => listTags(ctx, guide.id),
        add: (tag) => addTag(ctx, facts, tag),
        remove: (tag) => removeTag(ctx, facts, tag),
      };
    });
  });
}

/** Copies the tags of a page. */
export async function mirrorPageTags(run: Run, namespace: WikiNamespace, title: string): Promise<void> {
  const name = `${namespace}/${title}`;
  const page = await findMirrored(run.services.storage.reader, run.site, 'wiki', name);
  if (page === undefined) return;
  await orReport(run, 'tags', `tags of ${name}`, async () => {
    const path = `/wikis/${namespace}/${encodeURIComponent(title)}/tags`;
    const there = await run.source.read(path, tagsAnswer);
    await mirrorTags(run, { name, id: page.id, there }, async (ctx) => {
      const facts = await findDocument(ctx.db, 'wikis', page.id);
      if (facts === undefined) return null;
      return {
        list: () => tagsOfWiki(ctx.db, page.id),
        add: (tag) => addWikiTag(ctx, facts, tag),
        remove: (tag) => removeWikiTag(ctx, facts, tag),
      };
    });
  });
}

/**
 * Brings the tags that were added there since the last run, and removes those that were removed there.
 *
 * - MIRRORSITE-6 Tags that were added or removed here stay so.
 */
async function mirrorTags(
  run: Run,
  record: { name: string; id: number; there: readonly string[] },
  taggedIn: (ctx: Context) => Promise<Tagged | null>,
): Promise<void> {
  const there = [...new Set(record.there)].filter((tag) => !isReservedTag(tag)).toSorted();
  const known = await findMirrored(run.services.storage.reader, run.site, 'tags', record.name);
  const before = known === undefined ? [] : (JSON.parse(known.seen) as string[]);
  const added = there.filter((tag) => !before.includes(tag));
  const removed = before.filter((tag) => !there.includes(tag));
  run.report.count('tags', 'unchanged', there.length - added.length);
  if (added.length === 0 && removed.length === 0) return;
  await write(run, async (ctx) => {
    const tagged = await taggedIn(ctx);
    const here = (await tagged?.list()) ?? [];
    for (const tag of added.filter((one) => !here.includes(one))) await tagged?.add(tag);
    for (const tag of removed.filter((one) => here.includes(one))) await tagged?.remove(tag);
    await rememberMirrored(ctx.db, run.site, 'tags', {
      source: record.name,
      id: record.id,
      seen: JSON.stringify(there),
      ours: '',
    });
  });
  run.report.count('tags', 'copied', added.length);
  run.report.count('tags', 'deleted', removed.length);
}
