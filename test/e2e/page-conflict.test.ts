import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { go, keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

/** Opens the editor of a page, types and saves. */
async function edit(page: Page, address: string, label: string, words: string): Promise<void> {
  await go(page, `${address}/edit`);
  await page.getByLabel(label, { exact: true }).fill(words);
  await page.getByRole('button', { name: 'Save page' }).click();
  await page.getByText('Your edit is saved on this device.').waitFor();
}

test('MERGE-90 MERGE-91 two devices edit a page offline: compatible edits merge automatically, a conflict waits for a person', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, openDevice } = await startWholeApp(resources);
  const mira = await server.person('Mira', ['Author']);
  await server.person('Ben', ['Author']);
  const made = await mira.call('POST', '/wikis', {
    namespace: 'INFO',
    title: 'Workshop rules',
    contents: 'Wear goggles. Wear gloves at the saw.',
  });
  const { wikiid } = made.body as { wikiid: number };
  const address = `/pages/${wikiid}`;
  const onServer = async (): Promise<unknown> =>
    (await mira.call('GET', '/wikis/INFO/Workshop%20rules')).body;
  const [first, second] = [await openDevice(), await openDevice()];
  const [ours, theirs] = [await first.context.newPage(), await second.context.newPage()];
  await ours.goto(first.wire.url);
  await signIn(ours, 'mira');
  await theirs.goto(second.wire.url);
  await signIn(theirs, 'ben');
  for (const page of [ours, theirs]) {
    await status(page, /^Synced/);
    await keptOffline(page);
  }

  for (const device of [first, second]) await device.goOffline();
  for (const page of [ours, theirs]) await status(page, /^Offline/);
  await edit(ours, address, 'Text', 'Wear safety goggles. Wear gloves at the saw.');
  await edit(theirs, address, 'Text', 'Wear goggles. Wear leather gloves at the saw.');
  await first.goOnline();
  await status(ours, /^Synced/);
  await second.goOnline();
  await status(theirs, /^Synced/);
  expect(await onServer()).toMatchObject({
    contents_raw: 'Wear safety goggles. Wear leather gloves at the saw.',
  });
  for (const page of [ours, theirs]) {
    await go(page, address);
    await page.getByText('Wear safety goggles. Wear leather gloves at the saw.').waitFor();
  }

  for (const device of [first, second]) await device.goOffline();
  for (const page of [ours, theirs]) await status(page, /^Offline/);
  await edit(ours, address, 'Text', 'Wear tinted goggles. Wear leather gloves at the saw.');
  await edit(theirs, address, 'Text', 'Wear clear goggles. Wear leather gloves at the saw.');
  await first.goOnline();
  await status(ours, /^Synced/);
  await second.goOnline();
  await status(theirs, '1 decision is waiting for you');
  expect(await onServer()).toMatchObject({
    contents_raw: 'Wear tinted goggles. Wear leather gloves at the saw.',
  });
  await go(theirs, address);
  await theirs.getByRole('link', { name: 'Decide' }).click();
  await theirs.getByRole('heading', { name: '1 decision for you', level: 1 }).waitFor();
  const version = (name: RegExp) => theirs.getByRole('radio', { name });
  await version(/^What you wrote.*Wear clear goggles. Wear leather gloves at the saw./).waitFor();
  await version(/^What Mira wrote.*Wear tinted goggles. Wear leather gloves at the saw./).waitFor();
});
