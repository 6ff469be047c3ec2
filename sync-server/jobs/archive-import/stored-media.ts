import { buffer } from 'node:stream/consumers';

import { Problem } from '#shared/api/problem.ts';
import type { DocumentRef, MediaFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import type { Archive, ArchivedMedia } from '#shared/omanual/archive.ts';
import type { Context, Services } from '#server/http/context.ts';
import { bodyLimits } from '#server/http/mount.ts';
import { extensionOf, recogniseDocument, recogniseVideo } from '#server/media/file-types.ts';
import { newGuid } from '#server/media/guid.ts';
import { prepareImage, type ImageFormat } from '#server/media/images.ts';
import { withoutPlace } from '#server/media/video-place.ts';
import { documentPath } from '#server/resources/media/files.ts';

import { takeVideoId, type IdChoice } from '../import/ids.ts';
import type { ImportNotes } from './notes.ts';

/** Bytes of a medium that are in the blob store, and what was found in them. */
export type ReadyMedia = { from: ArchivedMedia; sha256: string; size: number } & (
  | { kind: 'image'; format: ImageFormat; width: number; height: number }
  | { kind: 'video' | 'document'; mime: string; filename: string }
);

/** What became of the media of one record: references to use, by the guid that the archive calls them by. */
export interface StoredMedia {
  images: Map<string, { id: number; guid: string; width: number; height: number }>;
  documents: Map<string, { documentid: number; guid: string; url: string; filename: string }>;
  /** By the address in the facts. */
  videos: Map<string, { videoid: number; url: string }>;
  /** Numbers that texts call pictures by → ours. */
  imageids: Map<number, number>;
  /** What was made, for the undo. */
  made: { kind: 'image' | 'video' | 'document'; id: number }[];
}

/** Media with documents called as their record calls them: members of archives have names of their own. */
export function withNames(
  media: readonly ArchivedMedia[],
  documents: readonly DocumentRef[],
): ArchivedMedia[] {
  return media.map((one) => {
    const named = one.kind === 'document' ? documents.find(({ guid }) => guid === one.guid) : undefined;
    if (named === undefined) return one;
    const original = /^\/Document\/[^/]+\/([^/?]+)$/.exec(named.url)?.[1];
    return {
      ...one,
      filename: original === undefined ? `${named.text}.${named.extension}` : decodeURIComponent(original),
    };
  });
}

/**
 * Puts the media of a record into the blob store, before the transaction that stores the record. What is only linked,
 * too large or not what it should be stays outside and is noted.
 */
export async function readMedia(
  services: Services,
  archive: Archive,
  media: readonly ArchivedMedia[],
  notes: ImportNotes,
): Promise<ReadyMedia[]> {
  const ready: ReadyMedia[] = [];
  for (const some of inBatches(media.filter((one) => isTaken(one, notes)))) {
    const tried = await Promise.allSettled(some.map((one) => readOne(services, archive, one)));
    for (const [index, one] of tried.entries()) {
      if (one.status === 'fulfilled') ready.push(one.value);
      else noteUnreadable(one.reason, some[index]?.member ?? '', notes);
    }
  }
  return ready;
}

/** Files that are read, decoded and brought to disk at the same time: their waits for the disk are one. */
const mostTogether = 12;
const mostBytesTogether = 32 * 1024 * 1024;

/** In order; a batch has one file at least, however large. */
function inBatches(media: readonly ArchivedMedia[]): ArchivedMedia[][] {
  const batches: ArchivedMedia[][] = [];
  let bytes = 0;
  for (const one of media) {
    const last = batches.at(-1);
    bytes += one.size;
    if (last !== undefined && last.length < mostTogether && bytes <= mostBytesTogether) last.push(one);
    else {
      batches.push([one]);
      bytes = one.size;
    }
  }
  return batches;
}

function isTaken({ member, url, size }: ArchivedMedia, notes: ImportNotes): boolean {
  if (member === null)
    notes.add('dropped', 'media-linked', url ?? '', 'A file is only linked, so that it does not come along');
  else if (size > bodyLimits.file)
    notes.add('dropped', 'media-too-large', member, 'A file is too large for this site');
  else return true;
  return false;
}

function noteUnreadable(error: unknown, member: string, notes: ImportNotes): void {
  if (!(error instanceof Problem)) throw error;
  const [first] = error.details.errors ?? [];
  notes.add('dropped', 'media-unreadable', member, first?.message ?? error.message);
}

async function readOne({ blobs }: Services, archive: Archive, from: ArchivedMedia): Promise<ReadyMedia> {
  const bytes = await buffer(await archive.media(must(from.member, 'the member of a file inside')));
  if (from.kind === 'image') {
    const { bytes: clean, format, width, height } = await prepareImage(bytes, 'VARIABLE');
    return { from, kind: 'image', format, width, height, ...(await blobs.put(clean)) };
  }
  if (from.kind === 'video') {
    const { mime, filename } = recogniseVideo(bytes, from.filename);
    return { from, kind: 'video', mime, filename, ...(await blobs.put(withoutPlace(bytes))) };
  }
  const { mime, filename } = recogniseDocument(bytes, from.filename);
  return { from, kind: 'document', mime, filename, ...(await blobs.put(bytes)) };
}

/** Makes rows of what was read; a file that is here under the same guid with the same bytes is that file. */
export async function storeMedia(
  ctx: Context,
  media: readonly ReadyMedia[],
  userid: number,
  choice: IdChoice,
): Promise<StoredMedia> {
  const stored: StoredMedia = {
    images: new Map(),
    documents: new Map(),
    videos: new Map(),
    imageids: new Map(),
    made: [],
  };
  for (const one of media) {
    if (one.kind === 'image') await storeImage(ctx, one, { userid, choice, stored });
    else await storeFile(ctx, one, { userid, choice, stored });
  }
  return stored;
}

interface Storing {
  userid: number;
  choice: IdChoice;
  stored: StoredMedia;
}

async function storeImage(
  ctx: Context,
  { from, sha256, size, format, width, height }: Extract<ReadyMedia, { kind: 'image' }>,
  { userid, choice, stored }: Storing,
): Promise<void> {
  const known = await ctx.db
    .selectFrom('images')
    .select(['imageid', 'sha256', 'width', 'height'])
    .where('guid', '=', from.guid)
    .executeTakeFirst();
  const isSame = known?.sha256 === sha256;
  const guid = known === undefined || isSame ? soundGuid(ctx, from.guid) : newGuid(ctx.services.randomBytes);
  let imageid = isSame ? known.imageid : undefined;
  if (imageid === undefined) {
    const isFree = choice === 'keep' && from.id > 0 && (await isFreeImage(ctx, from.id));
    const row = await ctx.db
      .insertInto('images')
      .values({
        ...(isFree ? { imageid: from.id } : {}),
        guid,
        userid,
        filename: from.filename,
        width,
        height,
        size,
        sha256,
        format,
        markup: null,
        srcid: null,
        exif: '{}',
        drawing: null,
        created_date: ctx.seconds,
      })
      .returning('imageid')
      .executeTakeFirstOrThrow();
    imageid = row.imageid;
    stored.made.push({ kind: 'image', id: imageid });
  }
  stored.images.set(from.guid, { id: imageid, guid, width, height });
  stored.imageids.set(from.id, imageid);
}

async function isFreeImage(ctx: Context, imageid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('images')
    .select('imageid')
    .where('imageid', '=', imageid)
    .executeTakeFirst();
  return row === undefined;
}

/** A guid of ours opens a picture, so that one from outside is kept only if it could be one. */
function soundGuid(ctx: Context, guid: string): string {
  return /^[A-Za-z0-9]{12,64}$/.test(guid) ? guid : newGuid(ctx.services.randomBytes);
}

async function storeFile(
  ctx: Context,
  { from, kind, sha256, size, mime, filename }: Extract<ReadyMedia, { kind: 'video' | 'document' }>,
  { userid, choice, stored }: Storing,
): Promise<void> {
  const table = kind === 'video' ? 'video_files' : 'document_files';
  const known = await ctx.db
    .selectFrom(table)
    .select(['guid', 'sha256'])
    .where('guid', '=', from.guid)
    .executeTakeFirst();
  const guid = known === undefined ? soundGuid(ctx, from.guid) : newGuid(ctx.services.randomBytes);
  const common = { guid, userid, filename, size, sha256, created_date: ctx.seconds };
  if (kind === 'video') {
    const videoid = await takeVideoId(ctx, undefined);
    await ctx.db
      .insertInto('video_files')
      .values({ ...common, videoid, mime })
      .execute();
    stored.videos.set(from.encoding ?? '', { videoid, url: `/igo/${guid}` });
    stored.made.push({ kind, id: videoid });
    return;
  }
  const isFree = choice === 'keep' && from.id > 0 && (await isFreeDocument(ctx, from.id));
  const { documentid } = await ctx.db
    .insertInto('document_files')
    .values({
      ...common,
      ...(isFree ? { documentid: from.id } : {}),
      title: filename.replace(/\.[^.]+$/, ''),
    })
    .returning('documentid')
    .executeTakeFirstOrThrow();
  stored.documents.set(from.guid, { documentid, guid, url: documentPath({ guid, filename }), filename });
  stored.made.push({ kind, id: documentid });
}

async function isFreeDocument(ctx: Context, documentid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('document_files')
    .select('documentid')
    .where('documentid', '=', documentid)
    .executeTakeFirst();
  return row === undefined;
}

/** The picture as a record here refers to it; null when it did not come along. */
export function imageIn(stored: StoredMedia, image: ImageRef | null): ImageRef | null {
  const found = image === null ? undefined : stored.images.get(image.guid);
  if (image === null || found === undefined) return null;
  const { sizes: _sizes, path: _path, ...ref } = image;
  return { ...ref, ...found };
}

/** Documents that came along. */
export function documentsIn(stored: StoredMedia, documents: readonly DocumentRef[]): DocumentRef[] {
  return documents.flatMap((document) => {
    const found = stored.documents.get(document.guid);
    if (found === undefined) return [];
    const { filename, ...ref } = found;
    const extension = extensionOf(filename);
    const icon = `/static/icons/${/^[a-z0-9]{1,4}$/.test(extension) ? extension : 'file'}.svg`;
    return [{ text: document.text, extension, icon, ...ref, download_url: ref.url }];
  });
}

/** A video with its files here; addresses elsewhere stay. null: nothing of it is left. */
export function videoIn(stored: StoredMedia, video: VideoFacts | null): VideoFacts | null {
  if (video === null) return null;
  const own = video.encodings.map((one) => stored.videos.get(one.url)).find((one) => one !== undefined);
  const encodings = video.encodings.flatMap((one) => {
    const found = stored.videos.get(one.url);
    if (found !== undefined) return [{ ...one, url: found.url }];
    return /^https?:\/\//i.test(one.url) ? [one] : [];
  });
  if (encodings.length === 0) return null;
  const videoid = own?.videoid ?? 0;
  const poster = imageIn(stored, video.image?.image ?? null);
  return {
    ...video,
    videoid,
    objectid: videoid,
    image: video.image === null || poster === null ? null : { ...video.image, image: poster },
    encodings,
  };
}

/** Media of a step with what came along; pictures when nothing else is left. */
export async function mediaIn(ctx: Context, stored: StoredMedia, media: MediaFacts): Promise<MediaFacts> {
  switch (media.type) {
    case 'image':
      return {
        type: 'image',
        data: media.data.flatMap((image) => imageIn(stored, image) ?? []),
      };
    case 'video': {
      const video = videoIn(stored, media.data);
      if (video === null) return { type: 'image', data: [] };
      if (video.videoid !== 0) return { type: 'video', data: video };
      const videoid = await takeVideoId(ctx, undefined);
      return { type: 'video', data: { ...video, videoid, objectid: videoid } };
    }
    case 'embed':
      return {
        type: 'embed',
        data: { ...media.data, objectid: await takeVideoId(ctx, undefined) },
      };
  }
}
