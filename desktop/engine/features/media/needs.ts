import type { GuideFacts, VideoFacts } from '#shared/model/guide.ts';
import { type ImageRef, imageObjectOf, imageSizes, sizesOf } from '#shared/model/image.ts';
import type { MediaItemFacts } from '#shared/model/media.ts';
import { type GuideContent, isTemporaryId } from '#shared/rules/guide-content.ts';

import type { PictureSize } from '#desktop/engine/api/records.ts';
import { documentKey } from './documents.ts';

/** A file that must be on this device. */
export interface MediaNeed {
  /** Key in the media store. */
  key: string;
  /** Address; begins with `/` for files of the session's server. */
  url: string;
  /** Guid of the original file that it is; null for other sizes of pictures, and for videos. */
  original: string | null;
  /** Width times height of a picture as it is stored; 0 for other files, and where it is not known. */
  pixels: number;
}

/** What the media index says of an original file; `sha256` in lower-case hexadecimal. */
interface KnownFile {
  bytes: number;
  sha256: string;
}

/** Sizes and hashes of original files, by guid. */
export type KnownFiles = ReadonlyMap<string, KnownFile>;

/** Sizes and hashes of the files in the media index. */
export function knownFilesOf(items: readonly MediaItemFacts[]): KnownFiles {
  return new Map(
    items.map((item): [string, KnownFile] => {
      const guid = item.kind === 'image' ? item.image.guid : item.guid;
      return [guid, { bytes: item.size, sha256: item.sha256 }];
    }),
  );
}

/** What is known of a file. Looked up when it is used, so that the media index may change meanwhile. */
export function knownOf({ original }: MediaNeed, known: KnownFiles): KnownFile | undefined {
  return original === null ? undefined : known.get(original);
}

/** Key of a picture in one size. */
export function pictureKey(guid: string, size: PictureSize): string {
  return `picture:${guid}.${size}`;
}

/** The encoding of a video that this device plays; undefined if there is none. */
export function encodingOf({ encodings }: VideoFacts): VideoFacts['encodings'][number] | undefined {
  return encodings.find(({ mime }) => mime === 'video/mp4') ?? encodings[0];
}

/**
 * Key of a video in the media store.
 *
 * - CARRY-18 A file is named by what no other server has: pictures and documents by their guid, videos by the address in
 *   the guide. Another server on this device, an archive, or the same server after a restore may have another video
 *   with the same number.
 */
export function videoKey(url: string): string {
  return `video:${url}`;
}

/** Sizes that are taken if a picture is not on this device in the wanted one, the largest first. */
export const substitutes: PictureSize[] = ['huge', 'large', 'medium', 'standard', 'thumbnail'];

/** A picture in a size, or its original where that size does not exist. */
export function pictureNeed(image: ImageRef, size: PictureSize): MediaNeed {
  const urls = imageObjectOf(image, '');
  const actual = urls[size] === undefined ? 'original' : size;
  return {
    key: pictureKey(image.guid, actual),
    url: urls[actual] ?? urls.original,
    original: actual === 'original' ? image.guid : null,
    pixels: pixelsOf(image, actual),
  };
}

function pixelsOf({ width, height }: ImageRef, size: PictureSize): number {
  const box = size === 'original' ? { width, height } : imageSizes[size];
  const scale = Math.min(1, box.width / width, box.height / height);
  return width > 0 && height > 0 ? Math.round(width * height * scale * scale) : 0;
}

/** The size in which pictures are stored for offline use: large enough for a kiosk, much smaller than the original. */
function offlineSize(image: ImageRef): PictureSize {
  return sizesOf(image).includes('large') ? 'large' : 'original';
}

/**
 * The files that a guide shows: pictures, documents and own videos, each once. Files that wait for upload are left out,
 * because they are on this device already, and so are embedded pages of other sites, which cannot be stored.
 */
export function mediaNeeds(content: GuideContent, facts: GuideFacts | null): MediaNeed[] {
  const videos = [
    ...content.steps.flatMap(({ media }) => (media.type === 'video' ? [media.data] : [])),
    ...(facts === null || facts.intro_video === null ? [] : [facts.intro_video]),
  ];
  const images = [
    ...(content.image === null ? [] : [content.image]),
    ...content.steps.flatMap(({ media }) => (media.type === 'image' ? media.data : [])),
    ...videos.flatMap((video) => (video.image === null ? [] : [video.image.image])),
  ];
  const needs = [
    ...images
      .filter(({ guid }) => !isTemporaryId(guid))
      .map((image) => pictureNeed(image, offlineSize(image))),
    ...content.documents
      .filter(({ guid }) => !isTemporaryId(guid))
      .map(({ guid, download_url: url }) => ({ key: documentKey(guid), url, original: guid, pixels: 0 })),
    ...videos.flatMap((video) => videoNeed(video)),
  ];
  return [...new Map(needs.map((need) => [need.key, need])).values()];
}

function videoNeed(video: VideoFacts): MediaNeed[] {
  const encoding = encodingOf(video);
  return encoding === undefined
    ? []
    : [{ key: videoKey(encoding.url), url: encoding.url, original: null, pixels: 0 }];
}
