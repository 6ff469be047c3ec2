import { createHash } from 'node:crypto';

import { pngFile } from '../png.ts';
import type { Acting } from './acting.ts';

/** A unique picture; one in four is larger than a megabyte. */
export function pictureFile(acting: Acting): { file: Blob; sha256: string } {
  const size = acting.pick(3) % 4 === 0 ? 1100 : 12;
  const { id } = acting.doing;
  const bytes = pngFile(size, size, (x, y) => (id * 7919 + x * 31 + y * y * 17) % 256);
  return {
    file: new Blob([bytes], { type: 'image/png' }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
