import sharp from 'sharp';
import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { savedDraft } from '#test/support/saved-draft.ts';

import { go, keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

test('UNDO-1 PICTURE-2 offline, a picture is turned and a title typed; after a reload undo goes over both, and the server gets the result', async () => {
  await using resources = new AsyncDisposableStack();
  const { ada, openDevice } = await startWholeApp(resources);
  const { guideid } = await makeGuide(ada);
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);
  await go(page, `/guides/${guideid}/edit#s1`);
  const parts = page.getByRole('navigation', { name: 'Parts of the guide' });
  await parts.getByText('Open').first().click();
  await page.getByLabel('Step title').waitFor();
  await device.goOffline();

  const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add picture' }).click();
  await (await chooser).setFiles({ name: 'belt.jpg', mimeType: 'image/jpeg', buffer: photo });
  await page.getByRole('button', { name: 'Crop and rotate' }).click();
  await page.getByRole('button', { name: 'Rotate right' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const title = page.getByLabel('Step title');
  await title.fill('Open the cover');
  await parts.getByText('Open the cover').waitFor();
  await savedDraft(page);

  await page.reload();
  await title.waitFor();
  const ratio = () =>
    page
      .locator('main section[aria-label="Pictures of this step"] img')
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight);
  expect(await title.inputValue()).toBe('Open the cover');
  await expect.poll(ratio).toBe(0.75);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect.poll(() => title.inputValue()).not.toBe('Open the cover');
  await undo.click();
  await expect.poll(ratio).toBeCloseTo(4 / 3);
  const redo = page.getByRole('button', { name: 'Redo' });
  await redo.click();
  await expect.poll(ratio).toBe(0.75);
  await redo.click();
  await expect.poll(() => title.inputValue()).toBe('Open the cover');
  await page.getByRole('button', { name: 'Save to the server' }).click();
  await device.goOnline();
  await status(page, /^Synced/);
  const guide = async () => (await ada.call('GET', `/guides/${guideid}`)).body as Guide;
  await expect.poll(async () => (await guide()).steps[0]?.title).toBe('Open the cover');
  const [media] = (await guide()).steps.map((step) => step.media);
  const original = media?.type === 'image' ? (media.data[0]?.original ?? '') : '';
  const bytes = await (await fetch(original)).arrayBuffer();
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 60, height: 80, format: 'jpeg' });
});
