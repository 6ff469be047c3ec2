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
  /** Size in bytes and SHA-256 (lower-case hexadecimal), where known. */
  bytes: number | null;
  sha256: string | null;
  /** Width times height of a picture as it is stored; 0 for other files, and where it is not known. */
  pixels: number;
}

/** Sizes and hashes of original files, by guid. */
export type KnownFiles = ReadonlyMap<string, { bytes: number; sha256: string }>;

/** Sizes and hashes of the files in the media index. */
export function knownFilesOf(items: readonly MediaItemFacts[]): KnownFiles {
  return new Map(
    items.map((item): [string, { bytes: number; sha256: string }] => {
      const guid = item.kind === 'image' ? item.image.guid : item.guid;
      return [guid, { bytes: item.size, sha256: item.sha256 }];
    }),
  );
}

/** Key of a picture in one size. */
export function pictureKey(guid: string, size: PictureSize): string {
  return `picture:${guid}.${size}`;
}

/** Key of a video in the media store. */
export function videoKey(videoid: number): string {
  return `video:${videoid}`;
}

export function isVideoKey(key: string): boolean {
  return key.startsWith('video:');
}

/** A picture in a size, or its original where that size does not exist. */
function pictureNeed(image: ImageRef, size: PictureSize, known: KnownFiles): MediaNeed {
  const urls = imageObjectOf(image, '');
  const actual = urls[size] === undefined ? 'original' : size;
  const file = actual === 'original' ? known.get(image.guid) : undefined;
  return {
    key: pictureKey(image.guid, actual),
    url: urls[actual] ?? urls.original,
    bytes: file?.bytes ?? null,
    sha256: file?.sha256 ?? null,
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
export function mediaNeeds(content: GuideContent, facts: GuideFacts | null, known: KnownFiles): MediaNeed[] {
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
      .map((image) => pictureNeed(image, offlineSize(image), known)),
    ...content.documents
      .filter(({ guid }) => !isTemporaryId(guid))
      .map(({ guid, download_url: url }) => fileNeed(documentKey(guid), url, known.get(guid))),
    ...videos.flatMap((video) => videoNeed(video)),
  ];
  return [...new Map(needs.map((need) => [need.key, need])).values()];
}

function fileNeed(key: string, url: string, file: { bytes: number; sha256: string } | undefined): MediaNeed {
  return { key, url, bytes: file?.bytes ?? null, sha256: file?.sha256 ?? null, pixels: 0 };
}

function videoNeed(video: VideoFacts): MediaNeed[] {
  const encoding = video.encodings.find(({ mime }) => mime === 'video/mp4') ?? video.encodings[0];
  return encoding === undefined
    ? []
    : [{ key: videoKey(video.videoid), url: encoding.url, bytes: null, sha256: null, pixels: 0 }];
}
