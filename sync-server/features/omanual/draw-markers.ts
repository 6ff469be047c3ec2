import sharp from 'sharp';

import type { ImageRef } from '#shared/model/image.ts';
import { maxPixels } from '#shared/model/upload-limits.ts';
import { markersSvg } from '#shared/rules/markers.ts';

/** A copy of a picture with its markers drawn into it, in the same file format. */
export async function drawMarkers(
  { markup }: ImageRef,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated' });
  const { width, height, format } = await picture.metadata();
  const overlay = markersSvg(markup, { width, height });
  if (overlay === null) return bytes;
  const drawn = picture
    .composite([{ input: Buffer.from(overlay), top: 0, left: 0, limitInputPixels: maxPixels }])
    .keepIccProfile();
  const encoded =
    format === 'jpeg'
      ? drawn.jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      : format === 'gif'
        ? drawn.gif()
        : drawn.png();
  return new Uint8Array(await encoded.toBuffer());
}
