/**
 * Pictures of the media manager.
 *
 * - MEDIA-10 A picture with markers states which picture they are drawn on: the one that it was made from, or itself.
 */
import type { Selectable } from 'kysely';

import type { ImageFilter } from '#shared/api/media.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import { imageObjectOf, type ImageRef, type ImageWithMetadata } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import type { Exif } from '#server/media/exif.ts';
import { newGuid } from '#server/platform/random.ts';
import { ratioOf, type ImageFormat } from '#server/media/images.ts';
import type { Drawing } from '#server/demo-content/drawings.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { addToManager, isInManager } from './manager.ts';
import { mayReadFile } from './policy.ts';

type ImageRow = Selectable<Tables['images']>;

function imageRefOf(row: ImageRow): ImageRef {
  return {
    id: row.imageid,
    guid: row.guid,
    width: row.width,
    height: row.height,
    ...(row.markup === null ? {} : { markup: row.markup }),
  };
}

/** The reference to an image that guides and work log entries store. */
export async function findImageRef(db: Db, imageid: number): Promise<ImageRef | undefined> {
  const row = await db.selectFrom('images').selectAll().where('imageid', '=', imageid).executeTakeFirst();
  return row === undefined ? undefined : imageRefOf(row);
}

/** The guid of the file with this id; undefined if it does not exist. */
export async function fileGuid(db: Db, kind: 'image' | 'document', id: number): Promise<string | undefined> {
  const row = await (
    kind === 'image'
      ? db.selectFrom('images').select('guid').where('imageid', '=', id)
      : db.selectFrom('document_files').select('guid').where('documentid', '=', id)
  ).executeTakeFirst();
  return row?.guid;
}

/** A picture to be stored: its bytes are in the blob store, or it is a drawing that is made at its first request. */
export interface AddedImage {
  filename: string;
  width: number;
  height: number;
  size: number;
  sha256: string | null;
  format: string;
  exif?: Exif;
  markup?: string | null;
  srcid?: number | null;
  drawing?: Drawing | null;
  /** Id and guid; set by imports. */
  imageid?: number;
  guid?: string;
  userid?: number;
  /** In no media manager, because it was imported with a guide. */
  unmanaged?: boolean;
}

/** Stores a picture; returns its id. */
export async function addImage(ctx: Context, image: AddedImage): Promise<number> {
  const userid = image.userid ?? mustUserid(ctx);
  const row = await ctx.db
    .insertInto('images')
    .values({
      ...(image.imageid === undefined ? {} : { imageid: image.imageid }),
      guid: image.guid ?? newGuid(ctx.services.randomBytes),
      userid,
      filename: image.filename,
      width: image.width,
      height: image.height,
      size: image.size,
      sha256: image.sha256,
      format: image.format,
      markup: image.markup ?? null,
      srcid: image.srcid ?? null,
      exif: JSON.stringify(image.exif ?? {}),
      drawing: image.drawing == null ? null : JSON.stringify(image.drawing),
      created_date: ctx.seconds,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (image.unmanaged === true) return row.imageid;
  await addToManager(ctx, 'image', row.imageid, userid);
  ctx.changes.put(
    'media',
    `image:${row.imageid}`,
    {
      kind: 'image',
      image: imageRefOf(row),
      userid,
      filename: row.filename,
      size: row.size,
      sha256: row.sha256 ?? '',
      ...(ctx.key === null ? {} : { key: ctx.key }),
    },
    [`user:${userid}`],
  );
  return row.imageid;
}

/** Pictures as records. Markers are not part of the bytes, so a picture is its own source unless it names another. */
async function imageRecords(ctx: Context, rows: ImageRow[]): Promise<ImageWithMetadata[]> {
  const ids = rows.flatMap(({ markup, srcid }) => (markup === null || srcid === null ? [] : [srcid]));
  const found =
    ids.length === 0
      ? []
      : await ctx.db.selectFrom('images').selectAll().where('imageid', 'in', ids).execute();
  const sources = new Map(found.map((row) => [row.imageid, row]));
  return rows.map((row) => imageRecord(row, sources.get(row.srcid ?? 0) ?? row, ctx.baseUrl));
}

async function recordOf(ctx: Context, row: ImageRow): Promise<ImageWithMetadata> {
  return must((await imageRecords(ctx, [row]))[0], 'the picture');
}

function imageRecord(row: ImageRow, source: ImageRow, baseUrl: string): ImageWithMetadata {
  const exif = JSON.parse(row.exif) as Exif;
  const { width, height } = source;
  const original = { width, height, image: imageObjectOf(imageRefOf(source), baseUrl) };
  return {
    image: imageObjectOf(imageRefOf(row), baseUrl),
    srcid: row.srcid,
    width: row.width,
    height: row.height,
    ratio: ratioOf(row),
    markup: row.markup,
    exif: Object.keys(exif).length === 0 ? [] : exif,
    ...(row.markup === null ? {} : { srcImageInfo: original }),
  };
}

/** A picture as a record of the media manager; throws 404 unless it is in there or the caller uploaded it. */
export async function representImage(ctx: Context, imageid: number): Promise<ImageWithMetadata> {
  const row = await ctx.db.selectFrom('images').selectAll().where('imageid', '=', imageid).executeTakeFirst();
  if (row === undefined || (row.userid !== ctx.viewer.userid && !(await isInManager(ctx, 'image', imageid))))
    throw notFound('Image');
  return recordOf(ctx, row);
}

/** The caller's pictures, ordered by id. */
export async function listImages(ctx: Context, filter: ImageFilter): Promise<ImageWithMetadata[]> {
  const rows = await ctx.db
    .selectFrom('media_manager')
    .innerJoin('images', 'images.imageid', 'media_manager.id')
    .selectAll('images')
    .where('media_manager.userid', '=', mustUserid(ctx))
    .where('media_manager.kind', '=', 'image')
    .where('width', '>=', filter.minWidth)
    .where('height', '>=', filter.minHeight)
    .orderBy('imageid', filter.order === 'ASC' ? 'asc' : 'desc')
    .execute();
  const wanted = rows.filter((row) => filter.ratio === 'ALL' || ratioOf(row) === filter.ratio);
  ctx.total(wanted.length);
  return imageRecords(ctx, wanted.slice(filter.offset, filter.offset + filter.limit));
}

/** Removes pictures from the caller's media manager; other ids are ignored. Records that use the pictures keep them. */
export async function removeImages(ctx: Context, imageids: number[]): Promise<void> {
  if (imageids.length === 0) return;
  const rows = await ctx.db
    .deleteFrom('media_manager')
    .where('userid', '=', mustUserid(ctx))
    .where('kind', '=', 'image')
    .where('id', 'in', imageids)
    .returning('id')
    .execute();
  for (const row of rows) ctx.changes.remove('media', `image:${row.id}`);
}

/**
 * The picture by its guid, which grants access, or by its id if it is the viewer's or in a record that the viewer may
 * see. Throws 404 otherwise.
 */
async function mustKnowImage(ctx: Context, image: number | string): Promise<ImageRow> {
  const column = typeof image === 'number' ? 'imageid' : 'guid';
  const row = await ctx.db.selectFrom('images').selectAll().where(column, '=', image).executeTakeFirst();
  if (row === undefined) throw notFound('Image');
  if (column === 'guid') return row;
  const file = { kind: 'Image', id: row.imageid, guid: row.guid, userid: row.userid } as const;
  if (!(await mayReadFile(ctx.db, ctx.viewer, file))) throw notFound('Image');
  return row;
}

/** A picture as a record (API facts 6); throws 404 as `mustKnowImage`. */
export async function readImage(ctx: Context, image: number | string): Promise<ImageWithMetadata> {
  return recordOf(ctx, await mustKnowImage(ctx, image));
}

/** Copies a picture into the caller's media manager under an id of its own. */
export async function copyImage(ctx: Context, image: number | string): Promise<number> {
  const row = await mustKnowImage(ctx, image);
  const { imageid, guid: _guid, userid: _userid, created_date: _date, exif, drawing, ...same } = row;
  return addImage(ctx, {
    ...same,
    srcid: imageid,
    exif: JSON.parse(exif) as Exif,
    drawing: drawing === null ? null : (JSON.parse(drawing) as Drawing),
  });
}

/** The picture; throws 404 unless it is in the caller's media manager. */
export async function mustOwnImage(ctx: Context, imageid: number): Promise<ImageRow> {
  const row = await ctx.db.selectFrom('images').selectAll().where('imageid', '=', imageid).executeTakeFirst();
  if (row === undefined || !(await isInManager(ctx, 'image', imageid))) throw notFound('Image');
  return row;
}

/** The bytes of the caller's own picture; throws 404 as above, 422 for a drawing made by the server. */
export async function readOwnBytes(
  ctx: Context,
  imageid: number,
): Promise<{ bytes: Buffer; format: ImageFormat; filename: string }> {
  const row = await mustOwnImage(ctx, imageid);
  if (row.sha256 === null) throw invalid('image', 'This picture is a drawing; it cannot be turned');
  return {
    bytes: await ctx.services.blobs.read(row.sha256),
    format: row.format as ImageFormat,
    filename: row.filename,
  };
}

/**
 * The picture that was created by a rotation, of `imageid` if that is given; throws 404 if there is none.
 */
export async function readTurned(ctx: Context, turned: number, imageid?: number): Promise<ImageWithMetadata> {
  const row = await ctx.db
    .selectFrom('images')
    .selectAll()
    .where('imageid', '=', turned)
    .where('srcid', imageid === undefined ? 'is not' : '=', imageid ?? null)
    .where('userid', '=', mustUserid(ctx))
    .executeTakeFirst();
  if (row === undefined) throw notFound('Job');
  return recordOf(ctx, row);
}
