import type { ArchivedCategory } from '#shared/formats/omanual/archive.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { ancestorTitles, levelsBelow, mostLevels } from '#server/features/wikis/relatives.ts';
import {
  contentOf,
  findWiki,
  saveWiki,
  stubOf,
  versionsOf,
  type WikiContent,
} from '#server/features/wikis/store.ts';

import { relinked } from '../../guides/import/wiki-links.ts';
import { rememberDone } from './import-rows.ts';
import type { Placing } from './facts.ts';
import { documentsIn, imageIn } from './media-refs.ts';
import { effectsOfMedia, type StoredMedia } from './stored-media.ts';

/** Creates a stub of a category if it does not exist, and records the effect. */
export async function requireCategory(
  ctx: Context,
  importid: number,
  title: string,
  userid: number,
): Promise<void> {
  if ((await versionsOf(ctx.db, 'CATEGORY', title)).length > 0) return;
  const { langid } = ctx.services.site;
  const stub = stubOf({ namespace: 'CATEGORY', title, langid, parent: null, userid });
  const facts = await saveWiki(ctx, stub);
  await rememberDone(ctx, importid, {
    kind: 'category',
    member: '',
    id: facts.wikiid,
    action: 'created',
    revision_after: facts.revisionid,
  });
}

/** The action for a category of an archive. */
export type CategoryAction = 'created' | 'changed' | 'skipped';

/** The action for a category. Its title is unique, so `new` is the same as `skip`. */
export async function categoryAction(
  ctx: Context,
  { facts }: ArchivedCategory,
  existing: 'skip' | 'new' | 'revision',
): Promise<CategoryAction> {
  const [known] = await versionsOf(ctx.db, 'CATEGORY', facts.title);
  if (known === undefined) return can(ctx.viewer, 'wiki.create', facts) ? 'created' : 'skipped';
  return existing === 'revision' && can(ctx.viewer, 'wiki.publish', known) ? 'changed' : 'skipped';
}

/** Stores a category of an archive, and records the effect. Equal content changes nothing. */
export async function storeCategory(
  ctx: Context,
  importid: number,
  category: ArchivedCategory,
  action: CategoryAction,
  { placing, stored }: { placing: Placing; stored: StoredMedia },
): Promise<{ action: CategoryAction; id: number | null }> {
  const { facts, member } = category;
  const [before] = await versionsOf(ctx.db, 'CATEGORY', facts.title);
  if (action === 'skipped') return { action, id: before?.wikiid ?? null };
  const langid = before?.langid ?? (facts.langid === '' ? ctx.services.site.langid : facts.langid);
  const parent = await soundParent(ctx, facts.title, before === undefined ? facts.parent : before.parent);
  const content: WikiContent = {
    ...(before === undefined
      ? stubOf({ namespace: 'CATEGORY', title: facts.title, langid, parent, userid: placing.userid })
      : contentOf(before)),
    ...(await writtenOf(category, placing, stored)),
    parent,
    userid: placing.userid,
  };
  const known = await findWiki(ctx.db, 'CATEGORY', facts.title, langid);
  const after = await saveWiki(ctx, content);
  if (known?.revisionid === after.revisionid) return { action: 'skipped', id: after.wikiid };
  await rememberDone(ctx, importid, ...effectsOfMedia(stored, member), {
    kind: 'category',
    member,
    id: after.wikiid,
    action: known === undefined ? 'created' : 'changed',
    revision_before: known?.revisionid ?? null,
    revision_after: after.revisionid,
  });
  return { action, id: after.wikiid };
}

async function writtenOf(
  { facts }: ArchivedCategory,
  { origin, ids }: Placing,
  stored: StoredMedia,
): Promise<Partial<WikiContent>> {
  const texts = [facts.contents_raw, facts.description];
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\[guide\|(\d+)/g)].map((match) => Number(match[1])),
  );
  const guides = await ids.known('guide', named);
  const text = (raw: string): string =>
    relinked(raw, {
      origin: origin.base,
      guide: (source) => guides.get(source) ?? (origin.isOwn ? source : undefined),
      step: () => undefined,
      image: (source) => stored.imageids.get(source),
    });
  const documents = documentsIn(stored, facts.documents ?? []);
  return {
    display_title: facts.display_title === '' ? facts.title : facts.display_title,
    description: text(facts.description),
    contents_raw: text(facts.contents_raw),
    image: imageIn(stored, facts.image),
    flags: facts.flags,
    table_of_contents: facts.table_of_contents,
    ...(facts.page_title === undefined ? {} : { page_title: facts.page_title }),
    ...(documents.length === 0 && facts.documents === undefined ? {} : { documents }),
    ...(facts.info === undefined ? {} : { info: facts.info }),
    ...(facts.repairability_score === undefined ? {} : { repairability_score: facts.repairability_score }),
  };
}

/** The parent, if the category can have it; null if that would create a cycle or too many levels. */
async function soundParent(ctx: Context, title: string, parent: string | null): Promise<string | null> {
  if (parent === null || parent === title) return null;
  const [above] = await versionsOf(ctx.db, 'CATEGORY', parent);
  if (above === undefined) return null;
  const path = [parent, ...(await ancestorTitles(ctx.db, parent, above.parent))];
  if (path.includes(title)) return null;
  return path.length + (await levelsBelow(ctx.db, title)) >= mostLevels ? null : parent;
}

/** Categories sorted so that parents come first. */
export function parentsFirst(categories: readonly ArchivedCategory[]): ArchivedCategory[] {
  const titles = new Set(categories.map(({ facts }) => facts.title));
  const children = Map.groupBy(categories, ({ facts: { parent } }) =>
    parent !== null && titles.has(parent) ? parent : null,
  );
  const sorted = [...(children.get(null) ?? [])];
  for (const one of sorted) {
    sorted.push(...(children.get(one.facts.title) ?? []));
    children.delete(one.facts.title);
  }
  return [...sorted, ...categories.filter((one) => !sorted.includes(one))];
}
