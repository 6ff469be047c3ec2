/**
 * Draws the pictures of our own guides: `node sync-server/demo-content/draw.ts` writes `own/pictures`.
 * The same program always writes the same bytes; a test compares them with the files.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { beltPictures } from './drawing/pictures-belt.ts';
import { lockoutPictures } from './drawing/pictures-lockout.ts';
import { markupOf, pictureSvg } from './drawing/sheet.ts';

const folder = new URL('own/pictures/', import.meta.url);

/** Every file of `own/pictures`: its name and its text. */
export function pictureFiles(): Map<string, string> {
  const pictures = [...beltPictures(), ...lockoutPictures()];
  const markup = Object.fromEntries(pictures.map((picture) => [picture.guid, markupOf(picture)]));
  return new Map([
    ...pictures.map((picture): [string, string] => [`${picture.guid}.svg`, pictureSvg(picture)]),
    ['markup.json', `${JSON.stringify(markup, null, 2)}\n`],
  ]);
}

function write(): void {
  const files = pictureFiles();
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder));
  for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write();
