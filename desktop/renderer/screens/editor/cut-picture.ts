import { must } from '#shared/must.ts';
import { recognisedType } from '#shared/formats/omanual/media-kinds.ts';
import type { Size } from '#shared/formats/wikitext/markup.ts';
import { type Cut, type Turn, turnedSize } from '#shared/rules/picture-cut.ts';

/** Kinds of pictures that become PNG, because JPEG would blur what they show, or has no transparency. */
const lossless = new Set(['image/png', 'image/gif', 'image/bmp', 'image/tiff']);
/** As when pictures are exported, and on the server. */
const quality = 0.92;

/** What a canvas can draw, with its size. */
export type Drawable = CanvasImageSource & Size;

/** The type of a picture by its first bytes; else the one that its file states. */
export async function typeOfPicture(file: Blob): Promise<string> {
  return recognisedType(new Uint8Array(await file.slice(0, 64).arrayBuffer()))?.mime ?? file.type;
}

/** Draws a turned picture, with the upper left corner of `from` at the upper left corner of the canvas. */
export function drawTurned(
  context: Pick<CanvasRenderingContext2D, 'setTransform' | 'drawImage'>,
  picture: Drawable,
  turn: Turn,
  from: { x: number; y: number },
  scale = 1,
): void {
  const { width, height } = turnedSize(picture, turn);
  const [x, y] = [-from.x * scale, -from.y * scale];
  const matrices: Record<Turn, [number, number, number, number, number, number]> = {
    0: [scale, 0, 0, scale, x, y],
    90: [0, scale, -scale, 0, x + width * scale, y],
    180: [-scale, 0, 0, -scale, x + width * scale, y + height * scale],
    270: [0, -scale, scale, 0, x, y + height * scale],
  };
  context.setTransform(...matrices[turn]);
  context.drawImage(picture, 0, 0);
}

/** What a cut leaves of a picture, as a file. `type`: of the picture's own file. */
export async function cutPicture(picture: Drawable, { turn, area }: Cut, type: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(area.width, area.height);
  const context = must(canvas.getContext('2d'), 'a drawing surface');
  const isLossless = lossless.has(type);
  if (!isLossless) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, area.width, area.height);
  }
  drawTurned(context, picture, turn, area);
  return canvas.convertToBlob(isLossless ? { type: 'image/png' } : { type: 'image/jpeg', quality });
}

/** The name of a file that was made from another one. */
export function nameOfCut(filename: string, type: string): string {
  return `${filename.replace(/\.[^./\\]*$/, '')}.${lossless.has(type) ? 'png' : 'jpg'}`;
}
