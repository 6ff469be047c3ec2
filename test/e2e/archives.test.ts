import { readFile } from 'node:fs/promises';

import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { archiveBytes, contentOf, guidesToWrite, mediaBytes } from '#test/shared/formats/omanual/archives.ts';
import { plainGuide, plainLine, plainStep } from '#test/shared/formats/omanual/plain-guides.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

const picture = { id: 3, guid: 'Cover', width: 64, height: 48 };

async function archiveWithPicture(): Promise<Uint8Array<ArrayBuffer>> {
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#2a6' } })
    .png()
    .toBuffer();
  const step = plainStep({
    title: 'Open it',
    lines: [plainLine('Loosen the tensioner.')],
    media: { type: 'image', data: [picture] },
  });
  const guides = guidesToWrite([plainGuide(7, { title: 'Change the drive belt', steps: [step] })]);
  const media = async () => mediaBytes(Uint8Array.from(photo), 'image/png');
  return (await archiveBytes(contentOf(guides, { media }))).bytes;
}

/** Presses a button that exports a file, and reads the file. */
async function given(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('ARCHIVE-1 ARCHIVE-2 an archive opened without an account survives an offline reload and is exported unchanged', async () => {
  await using resources = new AsyncDisposableStack();
  const device = await (await startWholeApp(resources)).openDevice();
  const page = await device.context.newPage();
  await page.goto(`${device.wire.url}/archives`);
  await keptOffline(page);
  await device.goOffline();
  const bytes = await archiveWithPicture();
  const buffer = Buffer.from(bytes);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'belts.omanual', mimeType: 'application/zip', buffer });
  await page.getByRole('link', { name: 'Change the drive belt' }).waitFor();
  const address = page.url();

  await page.reload();
  expect(page.url()).toBe(address);
  await page.getByRole('link', { name: 'Change the drive belt' }).click();
  await page.getByRole('button', { name: 'First step' }).click();
  await page.getByText('Loosen the tensioner.').waitFor();
  const shown = page.locator('main img').first();
  await expect.poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(64);

  await page.goto(address);
  const copy = await given(page, () => page.getByRole('button', { name: 'Save a copy' }).click());
  expect(copy.name).toBe('belts.omanual');
  expect(copy.bytes.equals(buffer)).toBe(true);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'No archives on this device yet' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'No archives on this device yet' }).waitFor();
});

test('ARCHIVE-12 a guide is exported offline, with its markers drawn into the picture', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  const guide = await makeGuide(ada);
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const uploaded = await fetch(`${server.url}/api/2.0/user/media/images?file=belt.png`, {
    method: 'POST',
    headers: { Authorization: `api ${ada.token}` },
    body: new Blob([new Uint8Array(photo)]),
  });
  const { image } = (await uploaded.json()) as { image: { id: number } };
  const { stepid, revisionid } = must(guide.steps[0], 'a step');
  const changed = await ada.call(
    'PATCH',
    `/guides/${guide.guideid}/steps/${stepid}?revisionid=${revisionid}`,
    { media: { type: 'image', data: [{ imageid: image.id, markup: ';circle,200x150,60,red;' }] } },
  );
  expect(changed.status).toBe(200);

  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await page.goto(`${device.wire.url}/guides/${guide.guideid}`);
  await page.getByText('Ready offline').first().waitFor();
  await keptOffline(page);
  await device.goOffline();
  await status(page, /^Offline/);
  await page.getByRole('button', { name: 'Export' }).click();
  const archive = await given(page, () => page.getByRole('menuitem', { name: 'As an archive' }).click());
  const members = unzipSync(archive.bytes);
  const marked = must(
    Object.keys(members).find((name) => name.includes('-marked')),
    'a marked picture',
  );
  const { data, info } = await sharp(members[marked]).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
  ];
  expect(at(5, 5)).toEqual([255, 255, 255]);
  const [red = 0, green = 0] = at(200, 90);
  expect(red).toBeGreaterThan(green + 60);

  await page.getByRole('button', { name: 'Export' }).click();
  const html = await given(page, () => page.getByRole('menuitem', { name: 'As one page' }).click());
  expect(strFromU8(html.bytes)).toMatch(/src="data:image\/png;base64,/);
});
