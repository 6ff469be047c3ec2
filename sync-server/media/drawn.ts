import { createHash } from 'node:crypto';

import type { Blobs } from './blobs.ts';
import { rasterize } from './images.ts';

/** Path of a drawing as a JPEG, made in the turn of `caller`; `identity` says what is drawn, `name` and `box` in which size. */
export function drawnPicture(
  caller: string,
  blobs: Blobs,
  identity: string,
  svg: () => Promise<string>,
  box: { width: number; height: number },
  name = 'full',
): Promise<string> {
  return blobs.derived(drawnHash(identity), `drawn-${name}`, () => rasterize(caller, svg, box));
}

/** Names a drawing by what it shows. */
export function drawnHash(identity: string): string {
  return createHash('sha256').update(identity).digest('hex');
}
