import type { DocumentRef, MediaFacts, SupplyFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { archivedUrl } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import { extensionOf } from '#server/media/file-types.ts';

import { takeVideoId } from '../../guides/import/ids.ts';
import type { StoredMedia } from './stored-media.ts';

/** The reference to an imported picture; null if it was not imported. */
export function imageIn(stored: StoredMedia, image: ImageRef | null): ImageRef | null {
  const found = image === null ? undefined : stored.images.get(image.guid);
  if (image === null || found === undefined) return null;
  const { sizes: _sizes, path: _path, ...ref } = image;
  return { ...ref, ...found };
}

/** References to the imported documents; others are left out. */
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

/** A video with its imported files; other addresses stay. Null if nothing of it can be shown. */
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

/**
 * Tools or parts with imported thumbnails; thumbnails that were not imported keep an external address or are removed.
 */
export function suppliesIn(stored: StoredMedia, supplies: readonly SupplyFacts[]): SupplyFacts[] {
  return supplies.map((supply) => {
    const { thumbnail } = supply;
    if (thumbnail === null) return supply;
    const isInside = thumbnail.startsWith(archivedUrl(''));
    return { ...supply, thumbnail: stored.thumbnails.get(thumbnail) ?? (isInside ? null : thumbnail) };
  });
}

/** Media of a step with the imported files; if nothing else can be shown, an empty list of pictures. */
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
