/**
 * Draws the pictures of our own guides: `node sync-server/demo-content/draw.ts` writes `own/pictures` and
 * `own/documents`. The output is deterministic; a test compares it with the files.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { beltPictures } from './drawing/pictures-belt.ts';
import { lockoutPictures } from './drawing/pictures-lockout.ts';
import { markupOf, pictureSvg } from './drawing/sheet.ts';
import { torqueTablePdf } from './drawing/torque-table.ts';

const folder = new URL('own/', import.meta.url);

/** All generated files: path in `own`, and text. */
export function drawnFiles(): Map<string, string> {
  const pictures = [...beltPictures(), ...lockoutPictures()];
  const markup = Object.fromEntries(pictures.map((picture) => [picture.guid, markupOf(picture)]));
  return new Map([
    ...pictures.map((picture): [string, string] => [`pictures/${picture.guid}.svg`, pictureSvg(picture)]),
    ['pictures/markup.json', `${JSON.stringify(markup, null, 2)}\n`],
    ['documents/bench-grinder-torque-table.pdf', torqueTablePdf()],
  ]);
}

function write(): void {
  const files = drawnFiles();
  for (const name of readdirSync(new URL('pictures/', folder)))
    if (!files.has(`pictures/${name}`)) rmSync(new URL(`pictures/${name}`, folder));
  for (const [path, text] of files) writeFileSync(new URL(path, folder), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write();
