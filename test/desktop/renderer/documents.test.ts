import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test("documents are added from a file or from one's own, reordered and removed", async () => {
  await using app = await bench.open('/guides/9001/edit');
  const { page } = app;
  const panel = page.getByRole('region', { name: 'Documents' });
  const names = () => panel.getByRole('listitem').allInnerTexts();
  await panel.getByText('No documents attached.').waitFor();
  const chooser = page.waitForEvent('filechooser');
  await panel.getByRole('button', { name: 'Add a file' }).click();
  await (
    await chooser
  ).setFiles({ name: 'Wiring.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await panel.getByText('Wiring.pdf').waitFor();
  await panel.getByRole('combobox', { name: 'Add one of your documents' }).click();
  await page.getByRole('option', { name: 'Safety sheet.pdf' }).click();
  await expect.poll(names).toEqual(['Wiring.pdf', 'Safety sheet.pdf']);
  expect(await panel.getByRole('combobox').count()).toBe(0);
  await panel.getByRole('button', { name: 'Move Safety sheet.pdf up' }).click();
  await expect.poll(names).toEqual(['Safety sheet.pdf', 'Wiring.pdf']);
  await panel.getByRole('button', { name: 'Remove Safety sheet.pdf' }).click();
  await expect.poll(names).toEqual(['Wiring.pdf']);
});

test('a document stored on this device is opened from this device', async () => {
  await using app = await bench.open('/guides/9001');
  await app.page.evaluate(async () => {
    await window.fixture.actions.openDraft('9001');
    await window.fixture.actions.addDraftDocument('9001', new Blob(['%PDF-1.7 wiring']), 'Wiring.pdf');
    const { guid = '' } = window.fixture.world().drafts[0]?.content.documents[0] ?? {};
    window.fixture.change((now) => ({
      guides: now.guides.map((guide) => ({
        ...guide,
        documents: [{ guid, title: 'Wiring', extension: 'pdf', url: null }],
      })),
    }));
  });
  const download = app.page.waitForEvent('download');
  await app.page.getByRole('link', { name: 'Wiring' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Wiring.pdf');
  expect(await readFile(await file.path(), 'utf8')).toBe('%PDF-1.7 wiring');
});

test('a guide that was never saved is opened where it can be edited', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: 'New guide' }).click();
  await app.page.getByRole('textbox', { name: 'Title' }).waitFor();
  const address = new URL(app.page.url()).pathname;
  await app.page.evaluate((path) => history.pushState(null, '', path), address.replace('/edit', ''));
  await expect.poll(() => new URL(app.page.url()).pathname).toBe(address);
  await app.page.getByRole('textbox', { name: 'Title' }).waitFor();
});
