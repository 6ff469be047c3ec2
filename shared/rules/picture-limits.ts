import type { Size } from '#shared/formats/wikitext/markup.ts';
import { maxPixels, mostUploadMegabytes } from '#shared/model/upload-limits.ts';

/** Why the server would refuse a picture, whatever its settings; null if it would not. */
export function pictureRefusal({ width, height }: Size, bytes = 0): 'pixels' | 'bytes' | null {
  if (width * height > maxPixels) return 'pixels';
  return bytes > mostUploadMegabytes * 1024 * 1024 ? 'bytes' : null;
}
