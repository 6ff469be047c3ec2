import type { GuideEdit } from '#shared/api/guides.ts';
import { invalid } from '#shared/api/problem.ts';
import type { DocumentRef, GuideFacts, MediaFacts, SupplyFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { GuideContent, Id } from '#shared/rules/guide-content.ts';
import { imageIdsOf, type BodyLookup } from '#shared/rules/guide-edit-body.ts';
import { itemPath } from '#shared/rules/urls.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import { filesIn } from '#server/storage/file-names.ts';
import { findStored } from '#server/storage/feed.ts';

import { documentPath, videoFactsOf } from '../media/files.ts';
import { isInManager, type MediaKind } from '../media/manager.ts';

/**
 * Resolves the ids in a patch before it is applied: images, documents, videos, and prerequisites that the caller may
 * see. Throws 422 with the field of an id that cannot be used.
 *
 * - GUIDE-LIMIT-15 A guide can show pictures, documents and videos from the author's media manager, and those that it
 *   or an earlier revision of it showed, whoever added them. So a removed step can be restored.
 */
export async function bodyLookup(ctx: Context, before: GuideFacts, edit: GuideEdit): Promise<BodyLookup> {
  const images = new Map<Id, ImageRef>();
  const documents = new Map<Id, DocumentRef>();
  const objects = new Map<Id, MediaFacts>();
  const own = ownMedia(before);
  const needImage = async (id: Id, field: string): Promise<void> => {
    if (own.images.has(id) || images.has(id)) return;
    images.set(id, await managedImage(ctx, id, field, before));
  };
  if (edit.image != null) await needImage(edit.image, 'image');
  for (const step of edit.steps ?? []) {
    const pictures = step.media?.type === 'image' ? imageIdsOf(step.media.data) : [];
    for (const id of pictures) await needImage(id, 'media');
    if (step.media?.type === 'object' && step.media.data !== null && !own.objects.has(step.media.data)) {
      const data = await managedVideo(ctx, step.media.data, 'media', before);
      objects.set(step.media.data, { type: 'video', data });
    }
  }
  for (const id of (edit.documents ?? []).map((one) => (typeof one === 'object' ? one.documentid : one))) {
    if (!own.documents.has(id)) documents.set(id, await managedDocument(ctx, id, before));
  }
  await requirePrerequisites(ctx, before, edit.prerequisites ?? []);
  return {
    image: (id) => images.get(id),
    document: (id) => documents.get(id),
    object: (id) => objects.get(id),
    newLineId: () => Buffer.from(ctx.services.randomBytes(9)).toString('base64url'),
  };
}

function ownMedia(facts: GuideFacts): { images: Set<Id>; documents: Set<Id>; objects: Set<Id> } {
  const pictures = facts.steps.flatMap((step) => (step.media.type === 'image' ? step.media.data : []));
  return {
    images: new Set([...pictures, ...(facts.image === null ? [] : [facts.image])].map((image) => image.id)),
    documents: new Set(facts.documents.map((document) => document.documentid)),
    objects: new Set(
      facts.steps.flatMap((step) => (step.media.type === 'image' ? [] : [step.media.data.objectid])),
    ),
  };
}

/** The guide for which a file is looked up. */
type OfGuide = Pick<GuideFacts, 'guideid'>;

/** An image of the caller's media manager, any image for administrators, or one of an earlier revision of `guide`. */
export async function managedImage(ctx: Context, id: Id, field: string, guide?: OfGuide): Promise<ImageRef> {
  const row =
    typeof id === 'number'
      ? await ctx.db
          .selectFrom('images')
          .select(['imageid', 'guid', 'width', 'height', 'markup'])
          .where('imageid', '=', id)
          .executeTakeFirst()
      : undefined;
  if (row === undefined || !(await mayUse(ctx, { kind: 'image', id: row.imageid, guid: row.guid }, guide)))
    throw invalid(field, `Image ${id} is not in your media manager`);
  return {
    id: row.imageid,
    guid: row.guid,
    width: row.width,
    height: row.height,
    ...(row.markup === null ? {} : { markup: row.markup }),
  };
}

/** A document with the same conditions as `managedImage`. */
export async function managedDocument(ctx: Context, id: Id, guide?: OfGuide): Promise<DocumentRef> {
  const row =
    typeof id === 'number'
      ? await ctx.db.selectFrom('document_files').selectAll().where('documentid', '=', id).executeTakeFirst()
      : undefined;
  if (
    row === undefined ||
    !(await mayUse(ctx, { kind: 'document', id: row.documentid, guid: row.guid }, guide))
  )
    throw invalid('documents', `Document ${id} is not in your media manager`);
  const url = documentPath(row);
  const extension = row.filename.includes('.') ? (row.filename.split('.').at(-1) ?? '').toLowerCase() : '';
  return {
    documentid: row.documentid,
    guid: row.guid,
    text: row.title,
    extension,
    icon: `/static/icons/${/^[a-z0-9]{1,4}$/.test(extension) ? extension : 'file'}.svg`,
    url,
    download_url: url,
  };
}

/** A video with the same conditions as `managedImage`. */
async function managedVideo(ctx: Context, id: Id, field: string, guide: OfGuide): Promise<VideoFacts> {
  const row =
    typeof id === 'number'
      ? await ctx.db.selectFrom('video_files').selectAll().where('videoid', '=', id).executeTakeFirst()
      : undefined;
  if (row === undefined || !(await mayUse(ctx, { kind: 'video', id: row.videoid, guid: row.guid }, guide)))
    throw invalid(field, `Video ${id} is not in your media manager`);
  return videoFactsOf(row);
}

/**
 * The intro video after an edit: undefined if the edit does not name it, null if the edit removes it. The guide's
 * current video is always accepted.
 *
 * - GUIDE-LIMIT-13 `objectid` is the number of a video in the author's media manager that introduces the guide; null
 *   removes it. `intro_video` returns the video, `intro_video_url` its file. Embedded pages cannot introduce a guide:
 *   they are not uploaded, and the manager has no previews of them because it would have to ask their provider.
 */
export async function introVideoAfter(
  ctx: Context,
  before: GuideFacts,
  { objectid }: Pick<GuideEdit, 'objectid'>,
): Promise<VideoFacts | null | undefined> {
  if (objectid == null) return objectid;
  const { intro_video: own } = before;
  return own?.objectid === objectid ? own : managedVideo(ctx, objectid, 'objectid', before);
}

interface StoredFile {
  kind: MediaKind;
  id: number;
  guid: string;
}

async function mayUse(ctx: Context, { kind, id, guid }: StoredFile, guide?: OfGuide): Promise<boolean> {
  if (can(ctx.viewer, 'media.useAny', null) || (await isInManager(ctx, kind, id))) return true;
  return guide !== undefined && (await wasShown(ctx, guide, guid));
}

/**
 * Whether an earlier revision of the guide showed the file. Slow; called only if the edit would be refused otherwise.
 */
async function wasShown(ctx: Context, { guideid }: OfGuide, guid: string): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', guideid)
    .where(contains(ctx.db, 'body', guid))
    .execute();
  return found.some(({ body }) => filesIn('guides', body).shown.has(guid));
}

/**
 * New prerequisites must be guides that the caller sees, and not the guide itself.
 *
 * - GUIDE-LIMIT-4 Prerequisites never form a cycle.
 */
async function requirePrerequisites(
  ctx: Context,
  before: GuideFacts,
  prerequisites: readonly Id[],
): Promise<void> {
  for (const id of prerequisites) {
    if (typeof id !== 'number') throw invalid('prerequisites', `Unknown guide ${id}`);
    if (before.prerequisites.includes(id)) continue;
    const facts = await findStored(ctx, 'guides', id);
    if (facts === undefined || !can(ctx.viewer, 'guide.see', facts))
      throw invalid('prerequisites', `There is no guide ${id}`);
    if (await leadsTo(ctx, id, before.guideid))
      throw invalid('prerequisites', `Guide ${id} already depends on this guide`);
  }
}

async function leadsTo(ctx: Context, from: number, target: number): Promise<boolean> {
  const seen = new Set<number>();
  const open = [from];
  for (let guideid = open.pop(); guideid !== undefined; guideid = open.pop()) {
    if (guideid === target) return true;
    if (seen.has(guideid)) continue;
    seen.add(guideid);
    const rows = await ctx.db
      .selectFrom('guide_prerequisites')
      .select('prerequisiteid')
      .where('guideid', '=', guideid)
      .execute();
    open.push(...rows.map((row) => row.prerequisiteid));
  }
  return false;
}

/** Gives new parts and tools the address of their item page. */
export function withItems(content: GuideContent): GuideContent {
  const withUrl = (supply: SupplyFacts): SupplyFacts =>
    supply.url === '' ? { ...supply, url: itemPath(supply.text) } : supply;
  return { ...content, parts: content.parts.map(withUrl), tools: content.tools.map(withUrl) };
}
