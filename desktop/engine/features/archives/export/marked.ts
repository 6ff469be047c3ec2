import type { WriteOptions } from '#shared/formats/omanual/content.ts';
import { markersSvg } from '#shared/rules/markers.ts';

/** Kinds that a canvas can write; a picture of another kind keeps its markers as data. */
const writable = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** Draws the markers of a picture into a copy of it, on a canvas. Undefined where there is none (outside of a page). */
export function markersOnCanvas(): WriteOptions['marked'] {
  if (typeof OffscreenCanvas === 'undefined' || typeof Image === 'undefined') return undefined;
  return async (image, bytes, mime) => {
    if (!writable.has(mime)) throw new TypeError(`A canvas does not write ${mime}`);
    const picture = await createImageBitmap(new Blob([bytes], { type: mime }));
    const { width, height } = picture;
    // What is on this device may be smaller than the original, in whose pixels markers are given.
    const size = image.width > 0 ? image : { width, height };
    const overlay = markersSvg(image.markup, size);
    if (overlay === null) return bytes;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) throw new TypeError('There is no canvas');
    context.drawImage(picture, 0, 0);
    context.drawImage(await loaded(overlay), 0, 0, width, height);
    picture.close();
    const drawn = await canvas.convertToBlob({ type: mime, quality: 0.92 });
    return new Uint8Array(await drawn.arrayBuffer());
  };
}

async function loaded(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}
