import { wikiFieldsOf } from '#shared/model/wiki.ts';
import type { Context } from '#server/core/context.ts';
import type { DocumentAnswer } from '#server/features/guides/import/answer.ts';
import { idsNamedIn, linkTargets } from '#server/features/guides/import/facts-here.ts';
import { storeImage } from '#server/features/guides/import/files.ts';
import { reserveSteps, type ImportedIds } from '#server/features/guides/import/ids.ts';
import { imageRefOf, isServerAvatar, type ImportedImage } from '#server/features/guides/import/images.ts';
import { relinked } from '#server/features/guides/import/wiki-links.ts';
import type { WikiContent } from '#server/features/wikis/store.ts';

import type { WikiAnswer } from './answers.ts';
import { findMirrored } from './mirrored.ts';
import { copyAuthors } from './people.ts';
import type { Run } from './run.ts';

/** The pictures of a page and of its text, with their bytes. */
export async function picturesOfPage(
  run: Run,
  answer: WikiAnswer,
): Promise<{ images: ImportedImage[]; isComplete: boolean }> {
  const title = answer.display_title || answer.title;
  const ref = answer.image === null ? null : imageRefOf(answer.image);
  const own =
    ref === null || isServerAvatar(ref)
      ? []
      : [{ ref, drawing: { placeholder: { guid: ref.guid, guideTitle: title } } }];
  const { images, isComplete } = await run.media.pictures(own, answer, title);
  const named = await run.media.named(idsNamedIn([answer.contents_raw]).image, title);
  return { images: [...images, ...named], isComplete };
}

/**
 * The content of a page with the ids of this site; null if it is the page of a person or team that did not come along, or of a
 * person who was here before.
 * `parent`: the category above; undefined if it is not known.
 */
export async function contentHere(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  page: { answer: WikiAnswer; images: readonly ImportedImage[]; parent: string | null | undefined },
): Promise<WikiContent | null> {
  const { answer, images, parent } = page;
  const title = await titleHere(ctx, ids, run, answer);
  if (title === null) return null;
  const userid = await authorHere(ctx, ids, run, answer);
  const stored = new Map<number, Awaited<ReturnType<typeof storeImage>>>();
  for (const image of images) stored.set(image.ref.id, await storeImage(ctx, ids, image, userid, run.ids));
  await reserveSteps(ctx, ids, idsNamedIn([answer.contents_raw]).step, run.ids);
  const targets = await linkTargets(ids, [answer.contents_raw], { origin: run.source.base, choice: run.ids });
  const own = answer.image === null ? null : imageRefOf(answer.image);
  const fields = wikiFieldsOf(answer.namespace);
  return {
    namespace: answer.namespace,
    title,
    display_title: answer.display_title || answer.title,
    ...(answer.page_title === '' ? {} : { page_title: answer.page_title }),
    langid: answer.langid ?? ctx.services.site.langid,
    parent: answer.namespace === 'CATEGORY' ? await parentHere(ctx, answer, parent) : null,
    description: answer.description,
    contents_raw: relinked(answer.contents_raw, targets),
    image: own === null ? null : (stored.get(own.id) ?? own),
    flags: answer.flags,
    table_of_contents: answer.table_of_contents ?? false,
    ...(answer.documents.length === 0 ? {} : { documents: answer.documents.map((one) => linked(run, one)) }),
    ...(fields.has('info') && answer.info.length > 0 ? { info: answer.info } : {}),
    ...(fields.has('repairability_score') && answer.repairability_score !== null
      ? { repairability_score: answer.repairability_score }
      : {}),
    ...(fields.has('suppliers') && answer.suppliers.length > 0 ? { suppliers: answer.suppliers } : {}),
    source_revisionid: null,
    userid,
  };
}

/** Pages of people and teams have their ids as titles. People who were here before keep the pages that they have. */
async function titleHere(
  ctx: Context,
  ids: ImportedIds,
  { site }: Run,
  { namespace, title }: WikiAnswer,
): Promise<string | null> {
  if (namespace !== 'USER' && namespace !== 'TEAM') return title;
  if (namespace === 'USER' && (await findMirrored(ctx.db, site, 'user', title))?.ours === '') return null;
  const id = await ids.find(namespace === 'USER' ? 'user' : 'team', Number(title));
  return id === undefined ? null : String(id);
}

/** The first author, if the answer says who that is; else the site itself. */
async function authorHere(ctx: Context, ids: ImportedIds, run: Run, answer: WikiAnswer): Promise<number> {
  const known = await ids.find('user', answer.author);
  if (known !== undefined) return known;
  const author = answer.authors.find(({ userid }) => userid === answer.author);
  if (author === undefined) return 0;
  const image = author.image === null ? null : imageRefOf(author.image);
  await copyAuthors(ctx, ids, run, [{ ...author, image, enabled: author.enabled ?? true }]);
  return (await ids.find('user', author.userid)) ?? 0;
}

/** The parent of a category; if the site does not tell its tree, the one that it has here. */
async function parentHere(
  ctx: Context,
  { title }: WikiAnswer,
  parent: string | null | undefined,
): Promise<string | null> {
  if (parent !== undefined) return parent;
  const row = await ctx.db
    .selectFrom('wikis')
    .select('parent')
    .where('namespace', '=', 'CATEGORY')
    .where('title', '=', title)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  return row?.parent ?? null;
}

/** A document of a page stays on the other site. */
function linked(run: Run, document: DocumentAnswer) {
  const url = run.source.absolute(document.url);
  const guid = /\/Document\/(\w+)/i.exec(url)?.[1] ?? `document${document.documentid}`;
  return { ...document, guid, url, download_url: run.source.absolute(document.download_url || document.url) };
}
