import { sizesOf, type ImageRef, type ImageSize } from '#shared/model/image.ts';
import type { Drawing } from '#server/demo-content/drawings.ts';
import type { ImageFormat } from '#server/media/images.ts';

import type { ImageAnswer } from './answer.ts';

/**
 * A picture of an answer: the reference to it, the drawing to show while its bytes are missing, and its bytes in the blob
 * store, if they came along.
 */
export interface ImportedImage {
  ref: ImageRef;
  drawing: Drawing;
  file?: ImportedPicture | undefined;
}

/** The stored bytes of a picture. `markup`: its markers, which are no part of the bytes. */
export interface ImportedPicture {
  sha256: string;
  size: number;
  format: ImageFormat;
  width: number;
  height: number;
  markup: string | null;
}

/** The reference with the true measures of a picture. The sizes that its site offers stay. */
export function measuredRef(ref: ImageRef, { width, height }: Pick<ImageRef, 'width' | 'height'>): ImageRef {
  const { sizes: _sizes, ...rest } = ref;
  const measured = { ...rest, width, height };
  const offered = sizesOf(ref);
  return sizesOf(measured).join() === offered.join() ? measured : { ...measured, sizes: offered };
}

/** Width and height of the original, inferred from the largest size that its server offers. */
const measures: [largest: ImageSize, width: number, height: number][] = [
  ['huge', 1600, 1200],
  ['large', 1200, 900],
  ['medium', 592, 444],
  ['440x330', 440, 330],
  ['standard', 300, 225],
  ['200x150', 200, 150],
  ['140x105', 140, 105],
];

/**
 * The picture of an answer as facts. Avatars among a server's static files keep their path; all other pictures become
 * pictures of this site, under `/igi`.
 */
export function imageRefOf(image: ImageAnswer): ImageRef {
  const { id, guid, original, ...urls } = image;
  const present = Object.keys(urls).filter((key) => urls[key as ImageSize] !== undefined);
  const [, width, height] = measures.find(([size]) => present.includes(size)) ?? ['thumbnail', 96, 72];
  const path = /^(?:https?:\/\/[^/]+)?(\/static\/images\/avatars\/[\w./-]+)$/.exec(original ?? '')?.[1];
  const ref: ImageRef = { id, guid, width, height, ...(path === undefined ? {} : { path }) };
  const isUsual = sizesOf(ref).toSorted().join() === present.toSorted().join();
  return present.length === 0 || isUsual ? ref : { ...ref, sizes: present };
}

/** Whether the picture is an avatar among the server's static files, without an owner. */
export function isServerAvatar(ref: ImageRef): boolean {
  return ref.path !== undefined || ref.id <= 0;
}
