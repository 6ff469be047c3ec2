import type { WikiEdit } from '#shared/api/wikis.ts';
import { invalid, Problem } from '#shared/api/problem.ts';
import { wikiFieldsOf, type WikiNamespace, type WikiVersion } from '#shared/model/wiki.ts';
import type { Context } from '#server/core/context.ts';

import { refusedFlag } from '../guides/flags.ts';
import { managedDocument, managedImage } from '../guides/lookup.ts';
import { mustShow } from '../guides/showable.ts';
import type { WikiContent } from './store.ts';

/**
 * Throws 422 for fields that wikis of this namespace do not have.
 *
 * - WIKI-2 A field that the pages of a namespace do not have is 422 for everyone who edits them, even where only
 *   administrators may write it in other namespaces. The same applies to another name for the page of a person or team.
 * - WIKI-3 A supplier needs at least one known field.
 */
export function requireFields(namespace: WikiNamespace, body: WikiEdit): void {
  const known: ReadonlySet<string> = wikiFieldsOf(namespace);
  const errors = Object.entries(body)
    .filter(([field, value]) => value !== undefined && !known.has(field))
    .map(([field]) => ({ field, message: `Wikis of ${namespace} have no ${field}` }));
  if (errors.length > 0) throw new Problem('invalid', 'Validation failed', { errors });
}

/**
 * The content of a wiki after an edit. Throws 422 for pictures and documents of others, forbidden flags, and texts that
 * are too long to be rendered.
 */
export async function contentAfter(ctx: Context, before: WikiContent, edit: WikiEdit): Promise<WikiContent> {
  const { contents, display_title: shown, image, flags, documents, ...plain } = edit;
  if (contents !== before.contents_raw) await mustShow(ctx, { contents }, before.langid);
  const title = edit.title ?? before.title;
  const follows = shown === undefined && before.display_title === before.title;
  return {
    ...before,
    ...withValues(plain),
    ...withValues({ contents_raw: contents }),
    display_title: follows || shown === '' ? title : (shown ?? before.display_title),
    ...(image === undefined ? {} : { image: await imageAfter(ctx, before, image) }),
    ...(flags === undefined ? {} : { flags: flagsAfter(ctx, before, flags) }),
    ...(documents === undefined ? {} : { documents: await documentsAfter(ctx, before, documents) }),
  };
}

type WithValues<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields with a value. */
function withValues<T extends object>(fields: T): WithValues<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithValues<T>;
}

async function imageAfter(
  ctx: Context,
  before: WikiContent,
  imageid: number | null,
): Promise<WikiVersion['image']> {
  if (imageid === null || before.image?.id === imageid) return imageid === null ? null : before.image;
  return managedImage(ctx, imageid, 'image');
}

async function documentsAfter(
  ctx: Context,
  before: WikiContent,
  documents: NonNullable<WikiEdit['documents']>,
): Promise<NonNullable<WikiVersion['documents']>> {
  const ids = documents.map((one) => (typeof one === 'number' ? one : one.documentid));
  const kept = new Map((before.documents ?? []).map((one) => [one.documentid, one]));
  const after: NonNullable<WikiVersion['documents']> = [];
  for (const documentid of new Set(ids))
    after.push(kept.get(documentid) ?? (await managedDocument(ctx, documentid)));
  return after;
}

/** The flags after an edit. Throws 422 for flags that the caller may not set or unset, and for new unknown ones. */
function flagsAfter(ctx: Context, before: WikiContent, wanted: string[]): string[] {
  const after = [...new Set(wanted)];
  const refused = refusedFlag(ctx.viewer, before.flags, after, 'wiki');
  if (refused !== undefined) throw invalid('flags', `You may not set or unset the flag ${refused}`);
  return after;
}
