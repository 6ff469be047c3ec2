import type { Selectable } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import type { VideoFacts } from '#shared/model/guide.ts';
import { imageRef, type ImageRef } from '#shared/model/image.ts';
import type { DocumentRecord, VideoRecord } from '#shared/model/media-record.ts';
import { videoRecord } from '#shared/rules/guide-record.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { documentType, extensionOf } from '#server/media/file-types.ts';
import { newGuid } from '#server/platform/random.ts';
import { ratioOf } from '#server/media/images.ts';
import type { VideoMeasures } from '#server/media/video-measures.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Tables } from '#server/storage/tables.ts';

import { addToManager, isInManager } from './manager.ts';
import { mayReadFile } from './policy.ts';
import { addImage } from './store.ts';

type DocumentRow = Selectable<Tables['document_files']>;
type VideoRow = Selectable<Tables['video_files']>;

/** A document or video to be stored; its bytes are in the blob store. */
export interface AddedFile {
  filename: string;
  size: number;
  sha256: string;
  /** Id and guid; set by imports. */
  id?: number;
  guid?: string;
  userid?: number;
  title?: string;
}

/** Stores a document in the media manager; returns its id. */
export async function addDocument(ctx: Context, file: AddedFile): Promise<number> {
  const userid = file.userid ?? mustUserid(ctx);
  const { filename, size, sha256 } = file;
  const guid = file.guid ?? newGuid(ctx.services.randomBytes);
  const title = file.title ?? filename.replace(/\.[^.]+$/, '');
  const { documentid } = await ctx.db
    .insertInto('document_files')
    .values({
      ...(file.id === undefined ? {} : { documentid: file.id }),
      guid,
      userid,
      filename,
      title,
      size,
      sha256,
      created_date: ctx.seconds,
    })
    .returning('documentid')
    .executeTakeFirstOrThrow();
  await addToManager(ctx, 'document', documentid, userid);
  const key = ctx.key === null ? {} : { key: ctx.key };
  ctx.changes.put(
    'media',
    `document:${documentid}`,
    { kind: 'document', documentid, guid, userid, filename, size, sha256, ...key },
    [`user:${userid}`],
  );
  return documentid;
}

/** Stores a video in the media manager; returns its id. */
export async function addVideo(
  ctx: Context,
  file: AddedFile & VideoMeasures & { mime: string },
): Promise<number> {
  const userid = file.userid ?? mustUserid(ctx);
  const { filename, size, sha256, mime, duration, width, height } = file;
  const guid = file.guid ?? newGuid(ctx.services.randomBytes);
  const { videoid } = await ctx.db
    .insertInto('video_files')
    .values({
      ...(file.id === undefined ? {} : { videoid: file.id }),
      guid,
      userid,
      filename,
      size,
      sha256,
      mime,
      created_date: ctx.seconds,
      duration,
      width,
      height,
      poster: JSON.stringify(await addPoster(ctx, userid)),
    })
    .returning('videoid')
    .executeTakeFirstOrThrow();
  await addToManager(ctx, 'video', videoid, userid);
  const key = ctx.key === null ? {} : { key: ctx.key };
  ctx.changes.put(
    'media',
    `video:${videoid}`,
    { kind: 'video', videoid, guid, userid, filename, size, sha256, ...key },
    [`user:${userid}`],
  );
  return videoid;
}

/** The poster of a video: the same drawing for all videos, because the server does not decode videos. */
async function addPoster(ctx: Context, userid: number): Promise<ImageRef> {
  const size = { width: 1280, height: 720 };
  const guid = newGuid(ctx.services.randomBytes);
  const id = await addImage(ctx, {
    guid,
    userid,
    filename: 'film.jpg',
    ...size,
    size: 0,
    sha256: null,
    format: 'jpeg',
    drawing: { film: true },
    unmanaged: true,
  });
  return { id, guid, ...size };
}

/** Site-relative address of a document. */
export function documentPath(row: { guid: string; filename: string }): string {
  return `/Document/${row.guid}/${encodeURIComponent(row.filename)}`;
}

function documentRecordOf(row: DocumentRow, baseUrl: string): DocumentRecord {
  const url = baseUrl + documentPath(row);
  return {
    documentid: row.documentid,
    guid: row.guid,
    filename: row.filename,
    title: row.title,
    size: row.size,
    document_type: documentType(row.filename),
    document_extension: extensionOf(row.filename),
    thumbnailid: null,
    imageid: null,
    view_url: url,
    download_url: url,
    date: row.created_date,
    summary: null,
    type: 'Document',
  };
}

/** A video as facts of a guide; its address is site-relative. */
export function videoFactsOf(row: VideoRow): VideoFacts {
  const format = row.mime === 'video/quicktime' ? 'mov' : (row.mime.split('/')[1] ?? '');
  const column = { mp4: 'MP4_720', webm: 'WEBM', ogg: 'OGG' }[format] ?? 'ORIGINAL';
  const { width, height } = row;
  const poster = row.poster === null ? null : imageRef.parse(JSON.parse(row.poster));
  return {
    videoid: row.videoid,
    objectid: row.videoid,
    srcid: null,
    filename: row.filename,
    duration: row.duration,
    width,
    height,
    image: poster && {
      image: poster,
      srcid: null,
      width: poster.width,
      height: poster.height,
      ratio: ratioOf(poster),
      markup: null,
    },
    meta: null,
    encodings: [
      {
        column,
        label: 'Original',
        width,
        height,
        codecs: '',
        mime: row.mime,
        always_generate: true,
        format,
        url: `/igo/${row.guid}`,
      },
    ],
  };
}

function videoRecordOf(row: VideoRow, baseUrl: string): VideoRecord {
  return videoRecord(videoFactsOf(row), baseUrl);
}

/** A document as a record of the media manager; throws 404 if it does not exist. */
export async function representDocument(ctx: Context, documentid: number): Promise<DocumentRecord> {
  const row = await ctx.db
    .selectFrom('document_files')
    .selectAll()
    .where('documentid', '=', documentid)
    .executeTakeFirst();
  if (row === undefined || !(await isInManager(ctx, 'document', documentid))) throw notFound('Document');
  return documentRecordOf(row, ctx.baseUrl);
}

/** A video as a record of the media manager; throws 404 if it does not exist. */
export async function representVideo(ctx: Context, videoid: number): Promise<VideoRecord> {
  const row = await ctx.db
    .selectFrom('video_files')
    .selectAll()
    .where('videoid', '=', videoid)
    .executeTakeFirst();
  if (row === undefined || !(await isInManager(ctx, 'video', videoid))) throw notFound('Video');
  return videoRecordOf(row, ctx.baseUrl);
}

/** A document by its id or guid (API facts 6). Throws 404 unless the viewer owns it or sees a record that uses it. */
export async function readDocument(ctx: Context, name: number | string): Promise<DocumentRecord> {
  const row = await ctx.db
    .selectFrom('document_files')
    .selectAll()
    .where(typeof name === 'number' ? 'documentid' : 'guid', '=', name)
    .executeTakeFirst();
  if (
    row === undefined ||
    !(await mayReadFile(ctx.db, ctx.viewer, { kind: 'Document', id: row.documentid, ...row }))
  )
    throw notFound('Document');
  return documentRecordOf(row, ctx.baseUrl);
}

/** A video by its id or guid, with the same condition. */
export async function readVideo(ctx: Context, name: number | string): Promise<VideoRecord> {
  const row = await ctx.db
    .selectFrom('video_files')
    .selectAll()
    .where(typeof name === 'number' ? 'videoid' : 'guid', '=', name)
    .executeTakeFirst();
  if (
    row === undefined ||
    !(await mayReadFile(ctx.db, ctx.viewer, { kind: 'Video', id: row.videoid, ...row }))
  )
    throw notFound('Video');
  return videoRecordOf(row, ctx.baseUrl);
}

interface Page {
  order: 'ASC' | 'DESC';
  offset: number;
  limit: number;
}

/** The caller's documents, ordered by id. */
export async function listDocuments(ctx: Context, page: Page): Promise<DocumentRecord[]> {
  const select = ctx.db
    .selectFrom('media_manager')
    .innerJoin('document_files', 'documentid', 'media_manager.id')
    .selectAll('document_files')
    .where('media_manager.userid', '=', mustUserid(ctx))
    .where('media_manager.kind', '=', 'document')
    .orderBy('documentid', page.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, select, page);
  return rows.map((row) => documentRecordOf(row, ctx.baseUrl));
}

/** The caller's videos, ordered by id. */
export async function listVideos(ctx: Context, page: Page): Promise<VideoRecord[]> {
  const select = ctx.db
    .selectFrom('media_manager')
    .innerJoin('video_files', 'videoid', 'media_manager.id')
    .selectAll('video_files')
    .where('media_manager.userid', '=', mustUserid(ctx))
    .where('media_manager.kind', '=', 'video')
    .orderBy('videoid', page.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, select, page);
  return rows.map((row) => videoRecordOf(row, ctx.baseUrl));
}

/** Addresses of documents by id. Documents of private guides can be opened with a token only. */
export async function documentUrls(ctx: Context, documentids: number[]): Promise<Map<number, string>> {
  if (documentids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('document_files')
    .selectAll()
    .where('documentid', 'in', documentids)
    .execute();
  return new Map(rows.map((row) => [row.documentid, ctx.baseUrl + documentPath(row)]));
}
