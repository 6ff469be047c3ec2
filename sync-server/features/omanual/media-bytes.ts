import type { Selectable } from 'kysely';

import { Problem } from '#shared/api/problem.ts';
import { imageSizes, type ImageSize } from '#shared/model/image.ts';
import type { MediaBytes, MediaRef } from '#shared/formats/omanual/content.ts';
import type { Services } from '#server/core/services.ts';
import { drawPicture, drawing } from '#server/demo-content/drawings.ts';
import { documentType } from '#server/media/file-types.ts';
import { imageTypes, resizeImage, type ImageFormat, drawnPicture } from '#server/media/images.ts';
import type { StoredFile } from '#server/media/stored-file.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

/** The services to read media, and the caller for whom pictures are resized (`callerOf`). */
interface MediaReader {
  services: Services;
  caller: string;
}

/** The bytes of a stored picture (in a size, or null for the original), video or document; null if they are missing. */
export async function mediaBytes(
  { services, caller }: MediaReader,
  ref: MediaRef,
  size: ImageSize | null = null,
): Promise<MediaBytes | null> {
  switch (ref.kind) {
    case 'image':
      return imageBytes({ services, caller }, ref.image.guid, size);
    case 'video':
      return videoBytes(services, ref.encoding.url);
    case 'document':
      return documentBytes(services, ref.document.guid);
  }
}

async function imageBytes(
  { services, caller }: MediaReader,
  guid: string,
  size: ImageSize | null,
): Promise<MediaBytes | null> {
  const [row] = await imageNamed(services.storage.reader, { guid });
  if (row === undefined) return null;
  if (row.sha256 !== null && size !== null)
    return sizedBytes({ services, caller }, row.sha256, row.format as ImageFormat, size);
  if (row.sha256 !== null)
    return blobBytes(services, row.sha256, imageTypes[row.format as ImageFormat], row.size);
  if (row.drawing === null) return null;
  const what = drawing.parse(JSON.parse(row.drawing));
  const box = size === null ? { width: row.width, height: row.height } : imageSizes[size];
  const draw = (): Promise<string> => drawPicture(what);
  const picture = await drawnPicture(caller, services.blobs, row.drawing, draw, box, size ?? 'full');
  return fileBytes(picture, imageTypes.jpeg);
}

type ImageRow = Pick<
  Selectable<Tables['images']>,
  'sha256' | 'format' | 'drawing' | 'width' | 'height' | 'size'
>;

const imageNamed = prepared<{ guid: string }, ImageRow>((db, value) =>
  db
    .selectFrom('images')
    .select(['sha256', 'format', 'drawing', 'width', 'height', 'size'])
    .where('guid', '=', value('guid')),
);

async function sizedBytes(
  { services: { blobs }, caller }: MediaReader,
  sha256: string,
  format: ImageFormat,
  size: ImageSize,
): Promise<MediaBytes | null> {
  return unlessGone(async () => {
    const make = (): Promise<Uint8Array> => resizeImage(caller, () => blobs.read(sha256), format, size);
    return fileBytes(await blobs.derived(sha256, size, make), imageTypes[format]);
  });
}

async function videoBytes(services: Services, url: string): Promise<MediaBytes | null> {
  const guid = /^\/igo\/([A-Za-z0-9]+)$/.exec(url)?.[1];
  if (guid === undefined) return null;
  const row = await services.storage.reader
    .selectFrom('video_files')
    .select(['sha256', 'mime', 'size'])
    .where('guid', '=', guid)
    .executeTakeFirst();
  return row === undefined ? null : blobBytes(services, row.sha256, row.mime, row.size);
}

async function documentBytes(services: Services, guid: string): Promise<MediaBytes | null> {
  const row = await services.storage.reader
    .selectFrom('document_files')
    .select(['sha256', 'filename', 'size'])
    .where('guid', '=', guid)
    .executeTakeFirst();
  if (row === undefined || row.sha256 === null) return null;
  const [mime = ''] = documentType(row.filename).split(';', 1);
  return blobBytes(services, row.sha256, mime, row.size);
}

/** Largest file that is read as a whole, bytes; larger ones are read in pieces. */
const mostHeld = 1024 * 1024;

async function blobBytes(
  { blobs }: Services,
  sha256: string,
  mime: string,
  size: number,
): Promise<MediaBytes | null> {
  return unlessGone(async () =>
    fileBytes(await (size <= mostHeld ? blobs.open(sha256, size) : blobs.open(sha256)), mime),
  );
}

async function fileBytes(file: StoredFile, mime: string): Promise<MediaBytes> {
  if (file.size <= mostHeld) {
    const { buffer, byteOffset, length } = await file.bytes();
    return { mime, size: length, open: async () => [new Uint8Array(buffer, byteOffset, length)] };
  }
  return {
    mime,
    size: file.size,
    open: async () => (await file.stream(0, file.size - 1)) as AsyncIterable<Uint8Array<ArrayBuffer>>,
  };
}

/** Returns null for a missing file or an unreadable picture, so that the rest of the archive can be made. */
async function unlessGone(read: () => Promise<MediaBytes | null>): Promise<MediaBytes | null> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof Problem && error.kind === 'not-found') return null;
    throw error;
  }
}
