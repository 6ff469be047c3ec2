import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import sharp from 'sharp';
import { expect, test } from 'vitest';

import { loadOwnContent } from '#server/demo-content/load.ts';
import { guideFromAnswer } from '#server/features/guides/import/guide-from-answer.ts';
import { must } from '#shared/must.ts';
import { writeGuidePage } from '#shared/formats/print/page.ts';
import { englishWords } from '#shared/formats/print/words.ts';
import { base, flags, guidesToWrite, mediaBytes } from '#test/shared/formats/omanual/archives.ts';
import { sharedBrowser } from '#test/support/browser.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** The page of the demo's belt guide, with its drawings. */
async function beltPage(): Promise<Buffer> {
  const own = loadOwnContent();
  const pictures = new Map(own.pictures.map((picture) => [picture.guid, picture]));
  const guides = guidesToWrite(own.guides.map((answer) => guideFromAnswer(answer).facts));
  const chunks: Uint8Array[] = [];
  const media = async (guid: string) => {
    const file = must(pictures.get(guid), 'the picture').file;
    return mediaBytes(
      Uint8Array.from(await sharp(readFileSync(file)).resize(400).jpeg().toBuffer()),
      'image/jpeg',
    );
  };
  await writeGuidePage(
    must(guides[0], 'the guide'),
    {
      base,
      flags,
      title: 'Workshop',
      words: englishWords,
      printed: 1_767_230_000,
      media: (ref) => (ref.kind === 'image' ? media(ref.image.guid) : Promise.resolve(null)),
    },
    { write: async (bytes) => void chunks.push(bytes) },
  );
  return Buffer.concat(chunks);
}

test('PRINT-1 PRINT-5 a saved page opens from a disk with its style and pictures, makes no request, and prints on A4 and Letter', async () => {
  await using folder = await temporaryFolder('page');
  const file = join(folder.path, 'page.html');
  await writeFile(file, await beltPage());
  await using page = await (await sharedBrowser()).newPage({ viewport: { width: 1100, height: 1400 } });
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href]);
  expect(complaints).toEqual([]);
  const shown = await page.evaluate(() => ({
    pictures: Array.from(document.images, (image) => image.naturalWidth),
    background: getComputedStyle(document.documentElement).backgroundColor,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  expect(shown.pictures.length).toBeGreaterThan(15);
  expect(shown.pictures.every((width) => width === 400)).toBe(true);
  expect(shown).toMatchObject({ background: 'oklch(0.975 0.006 95)', overflow: 0 });
  for (const format of ['A4', 'Letter']) {
    const sheets = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
    expect(sheets, format).toBeGreaterThan(4);
    expect(sheets, format).toBeLessThan(11);
  }
});
