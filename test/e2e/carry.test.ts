import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import type { TestPerson, TestServer } from '#test/support/server.ts';

import { go, keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

async function upload({ url }: TestServer, person: TestPerson, colour: string): Promise<number> {
  const size = { width: 900, height: 600, channels: 3 as const, background: colour };
  const answer = await fetch(`${url}/api/2.0/user/media/images?file=step.png`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: new Uint8Array(await sharp({ create: size }).png().toBuffer()),
  });
  return ((await answer.json()) as { image: { id: number } }).image.id;
}

/** A guide of one step with a picture. */
async function pictured(server: TestServer, person: TestPerson, title: string, category: string) {
  const media = { type: 'image' as const, data: [await upload(server, person, '#a33')] };
  const steps = [{ title: 'Open', lines: [{ text: 'Unplug it' }], media }];
  return person.client.guides.create({ body: { category, type: 'repair', title, public: true, steps } });
}

/** Pictures of the page that are shown, and those that a browser would show as broken. */
function pictures(page: Page): Promise<{ shown: number; broken: number }> {
  return page.evaluate(() => {
    const all = [...document.images].filter((image) => image.complete);
    const shown = all.filter((image) => image.naturalWidth > 0).length;
    return { shown, broken: all.length - shown };
  });
}

test('CARRY-1 CARRY-13 a person keeps a category: offline its guide is whole, and another has its text and placeholders', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  await server.category('Drill');
  const kept = await pictured(server, ada, 'Belt', 'Bench Grinder');
  const other = await pictured(server, ada, 'Chuck', 'Drill');
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);

  await go(page, '/settings');
  await page.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Add a category' }).fill('Bench');
  await page.getByRole('option', { name: /Bench Grinder/ }).click();
  await dialog.getByText('Favourites').click();
  await dialog.getByText(/^1 guide · /).waitFor();
  await dialog.getByRole('button', { name: 'Keep this offline' }).click();
  await page.getByText('All of it is on this device · 1 of 1 files').waitFor();

  await device.goOffline();
  await status(page, /^Offline/);
  await go(page, '/');
  await page.getByText('Chuck').first().waitFor();
  await go(page, `/guides/${kept.guideid}`);
  await page.getByRole('main').getByText('Ready offline').first().waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Open' }).click();
  await page.getByText('Unplug it').waitFor();
  await expect.poll(() => pictures(page)).toMatchObject({ broken: 0 });
  expect((await pictures(page)).shown).toBeGreaterThan(0);

  await go(page, `/guides/${other.guideid}`);
  await page.getByText('Not everything of this guide is on this device').waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Open' }).click();
  await page.getByText('Unplug it').waitFor();
  await page.getByLabel('This picture is not on this device yet').first().waitFor();
  expect(await pictures(page)).toEqual({ shown: 0, broken: 0 });
});
