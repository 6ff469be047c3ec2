import { archivedUrl } from '#shared/omanual/archive.ts';
import type { Context } from '#server/http/context.ts';
import { newGuid } from '#server/media/guid.ts';
import { documentPath } from '#server/resources/media/files.ts';

import { takeVideoId, type IdChoice } from '../import/ids.ts';
import type { ReadyMedia } from './ready-media.ts';

/** What became of the media of one record: references to use, by the guid that the archive calls them by. */
export interface StoredMedia {
  images: Map<string, { id: number; guid: string; width: number; height: number }>;
  documents: Map<string, { documentid: number; guid: string; url: string; filename: string }>;
  /** By the address in the facts. */
  videos: Map<string, { videoid: number; url: string }>;
  /** Numbers that texts call pictures by → ours. */
  imageids: Map<number, number>;
  /** Small pictures of tools and parts, by the address that facts of the archive call them by. */
  thumbnails: Map<string, string>;
  /** What was made, for the undo. */
  made: { kind: 'image' | 'video' | 'document'; id: number }[];
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
    thumbnails: new Map(),
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
  stored.thumbnails.set(from.url ?? archivedUrl(from.guid), `/igi/${guid}.thumbnail`);
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
