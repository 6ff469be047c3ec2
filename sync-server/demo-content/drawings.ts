import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { placeholderSvg } from './placeholder.ts';

/**
 * A description from which a picture is drawn (column `images.drawing`): one of our own drawings, a placeholder for a
 * picture of a guide, or the preview of a video. The picture is drawn at its first request.
 */
export const drawing = z.union([
  z.strictObject({ film: z.literal(true) }),
  z.strictObject({ picture: z.string().regex(/^\w+$/) }),
  z.strictObject({
    placeholder: z.strictObject({
      guid: z.string(),
      guideTitle: z.string(),
      stepTitle: z.string().optional(),
      stepNumber: z.int().optional(),
      pictureNumber: z.int().optional(),
    }),
  }),
]);
export type Drawing = z.infer<typeof drawing>;

/** Draws a picture as SVG. */
export type Draw = (what: Drawing) => Promise<string>;

const ownPictures = new URL('./own/pictures/', import.meta.url);

/** Draws previews of videos, and the pictures of the demo content. */
export async function drawPicture(what: Drawing): Promise<string> {
  if ('film' in what) return neutralPictures.film;
  if ('placeholder' in what) return placeholderSvg(what.placeholder);
  return readFile(new URL(`${what.picture}.svg`, ownPictures), 'utf8');
}

/** Pictures for people, videos and guides without one. */
export const neutralPictures = {
  avatar:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" width="800" height="800"><rect width="800" height="800" fill="#d5dde3"/><circle cx="400" cy="310" r="150" fill="#8b9aa6"/><path d="M110 800c0-190 120-300 290-300s290 110 290 300z" fill="#8b9aa6"/></svg>',
  film: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720"><rect width="1280" height="720" fill="#2b353d"/><circle cx="640" cy="360" r="110" fill="#e4e9ed"/><path d="M605 295v130l110-65z" fill="#2b353d"/></svg>',
  image:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600"><rect width="800" height="600" fill="#e4e9ed"/><path d="M180 450l130-170 90 110 90-150 130 210z" fill="#b3bfc8"/><circle cx="270" cy="190" r="45" fill="#b3bfc8"/></svg>',
};
