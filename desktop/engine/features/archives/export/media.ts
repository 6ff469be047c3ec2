import type { ImageRef } from '#shared/model/image.ts';
import type { ArchiveContent, MediaBytes } from '#shared/formats/omanual/content.ts';
import { recognisedType } from '#shared/formats/omanual/media-kinds.ts';
import { isTemporaryId } from '#shared/rules/guide-content.ts';

import { documentKey } from '#desktop/engine/features/media/documents.ts';
import { pictureKey, videoKey } from '#desktop/engine/features/media/needs.ts';
import type { Services } from '#desktop/engine/features/services.ts';
import type { PictureSize } from '#desktop/engine/api/records.ts';

/** Sizes of pictures, best first. */
const sizes: PictureSize[] = ['original', 'huge', 'large', 'medium', 'standard'];

/** The bytes of pictures, documents and videos that are on this device; null for the others. */
export function mediaOnDevice(services: Services): ArchiveContent['media'] {
  const { media } = services;
  return async (ref) => {
    switch (ref.kind) {
      case 'image':
        return bytesOf(await pictureOf(services, ref.image));
      case 'document':
        return bytesOf(await fileOf(services, ref.document.guid, documentKey(ref.document.guid)));
      case 'video':
        return bytesOf(await media.cache.read(videoKey(ref.encoding.url)));
      default:
        return ref satisfies never;
    }
  };
}

async function pictureOf(services: Services, { guid }: ImageRef): Promise<Blob | undefined> {
  const { cache } = services.media;
  await cache.open();
  const key = sizes.map((size) => pictureKey(guid, size)).find((one) => cache.has(one));
  return fileOf(services, guid, key ?? pictureKey(guid, 'original'));
}

/** A file of the cache, or one that waits for upload. */
async function fileOf({ media, sources }: Services, guid: string, key: string): Promise<Blob | undefined> {
  if (!isTemporaryId(guid)) return media.cache.read(key);
  const waiting = await sources.core.journal.readFile(guid.slice('tmp:'.length)).catch(() => null);
  return waiting === null ? undefined : new Blob([new Uint8Array(waiting.bytes)], { type: waiting.type });
}

async function bytesOf(blob: Blob | undefined): Promise<MediaBytes | null> {
  if (blob === undefined) return null;
  const head = new Uint8Array(await blob.slice(0, 64).arrayBuffer());
  const mime = recognisedType(head)?.mime ?? (blob.type || 'application/octet-stream');
  return { mime, size: blob.size, open: async () => piecesOf(blob) };
}

const pieceBytes = 1024 * 1024;

async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < blob.size; at += pieceBytes)
    yield new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer());
}
