import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

import type { Selectable } from 'kysely';

import { Problem } from '#shared/api/problem.ts';
import { imageSizes, type ImageSize } from '#shared/model/image.ts';
import type { MediaBytes, MediaRef } from '#shared/formats/omanual/content.ts';
import type { Services } from '#server/core/services.ts';
import { drawPicture, drawing } from '#server/demo-content/drawings.ts';
import { documentType } from '#server/media/file-types.ts';
import { imageTypes, resizeImage, type ImageFormat, drawnPicture } from '#server/media/images.ts';
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
    return fileBytes(services.blobs.path(row.sha256), imageTypes[row.format as ImageFormat], row.size);
  if (row.drawing === null) return null;
  const what = drawing.parse(JSON.parse(row.drawing));
  const box = size === null ? { width: row.width, height: row.height } : imageSizes[size];
  const draw = (): Promise<string> => drawPicture(what);
  const path = await drawnPicture(caller, services.blobs, row.drawing, draw, box, size ?? 'full');
  return fileBytes(path, imageTypes.jpeg, (await stat(path)).size);
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
    const path = await blobs.derived(sha256, size, make);
    return fileBytes(path, imageTypes[format], (await stat(path)).size);
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
  return row === undefined ? null : fileBytes(services.blobs.path(row.sha256), row.mime, row.size);
}

async function documentBytes(services: Services, guid: string): Promise<MediaBytes | null> {
  const row = await services.storage.reader
    .selectFrom('document_files')
    .select(['sha256', 'filename', 'size'])
    .where('guid', '=', guid)
    .executeTakeFirst();
  if (row === undefined || row.sha256 === null) return null;
  const [mime = ''] = documentType(row.filename).split(';', 1);
  return fileBytes(services.blobs.path(row.sha256), mime, row.size);
}

/** Largest file that is read as a whole, bytes; larger ones are read in pieces. */
const mostHeld = 1024 * 1024;

async function fileBytes(path: string, mime: string, size: number): Promise<MediaBytes | null> {
  return unlessGone(async () => {
    if (size <= mostHeld) {
      const bytes = await readWhole(path, size);
      return { mime, size: bytes.length, open: async () => [bytes] };
    }
    const found = await stat(path);
    return {
      mime,
      size: found.size,
      open: async () => createReadStream(path) as AsyncIterable<Uint8Array<ArrayBuffer>>,
    };
  });
}

/** Reads a file of known size, which saves a system call. A file with another size is read completely. */
async function readWhole(path: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path, 'r');
  try {
    // One more byte, to detect a longer file.
    const bytes = new Uint8Array(size + 1);
    const { bytesRead } = await file.read(bytes, 0, size + 1, 0);
    return bytesRead === size ? bytes.subarray(0, size) : await readFile(path);
  } finally {
    await file.close();
  }
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
