import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';
import { offences } from './axe.ts';
import { grinder } from './editor-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

describe('keeping', () => {
  test('the state is shown in words, and saving offline says that it waits', async () => {
    await using app = await bench.open(grinder);
    await app.page.evaluate(() =>
      window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' as const } })),
    );
    await app.page.getByRole('textbox', { name: 'Title' }).fill('Belt of the grinder');
    await app.page.getByText('Saved on this device · not yet on the server').waitFor();
    await app.page.getByRole('button', { name: 'Save to the server' }).click();
    await app.page.getByText('Queued. Waiting for the network.').waitFor();
    await app.page.getByText('Saved on this device · waiting for the network').waitFor();
    expect(await app.calls('saveDraft')).toEqual([['9001']]);
    expect(await app.page.getByRole('button', { name: 'Save to the server' }).count()).toBe(0);
  });

  test('a new guide gets its own address, and saving asks for missing values', async () => {
    await using app = await bench.open('/guides/new/edit');
    await expect.poll(() => app.page.url()).toMatch(/\/guides\/tmp:[0-9a-z-]+\/edit$/);
    expect(await app.calls('openDraft')).toEqual([[null]]);
    await app.page.getByRole('button', { name: 'Save to the server' }).click();
    await app.page.getByText('A guide needs a title').waitFor();
    await app.page.getByText('A guide needs a category').waitFor();
    await expect.poll(() => app.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    expect(await app.calls('saveDraft')).toEqual([]);
  });

  test('a draft is discarded only after a confirmation, which closes the editor', async () => {
    await using app = await bench.open(grinder);
    await app.page.getByRole('textbox', { name: 'Title' }).fill('Something else');
    await app.page.getByRole('button', { name: 'Discard draft' }).click();
    await app.page.getByRole('button', { name: 'Keep editing' }).last().click();
    expect(await app.calls('discardDraft')).toEqual([]);
    await app.page.getByRole('button', { name: 'Discard draft' }).click();
    await app.page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
    await expect.poll(() => app.calls('discardDraft')).toEqual([['9001']]);
    await expect.poll(() => new URL(app.page.url()).pathname).toBe('/guides/9001');
  });

  test('publishing and making private take one press', async () => {
    await using app = await bench.open(grinder);
    await app.page.getByRole('button', { name: 'Make private' }).click();
    await app.page.getByRole('button', { name: 'Publish' }).click();
    await app.page.getByRole('button', { name: 'Make private' }).waitFor();
    expect(await app.calls('publish')).toEqual([
      ['9001', false],
      ['9001', true],
    ]);
  });
});

test('while a decision waits, the editor says so, and leads to it instead of offering to save', async () => {
  await using app = await bench.open('/guides/9001/edit');
  const { page } = app;
  await page.getByRole('textbox', { name: 'Title' }).fill('Another title');
  await page.getByRole('button', { name: 'Save to the server' }).waitFor();
  await page.evaluate(() =>
    window.fixture.change((now) => ({
      guides: now.guides.map((guide) => ({ ...guide, editState: 'conflict' as const })),
    })),
  );
  await page.getByRole('main').getByText('A decision is waiting for you').waitFor();
  await page.getByText('Saved on this device · waiting for your decision').waitFor();
  expect(await page.getByRole('button', { name: 'Save to the server' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Decide' }).getAttribute('href')).toBe('/sync/conflicts/9001');
});

test('a guide that becomes unavailable while it is edited says where the text is', async () => {
  await using app = await bench.open(`${grinder}#s90004`);
  await app.page.getByRole('textbox', { name: 'Line 3' }).fill('Lift it.');
  await app.change({ guides: [], drafts: [], kept: [keptOf('9001')] });
  await app.page.getByRole('heading', { name: 'You can no longer see this guide' }).waitFor();
  await app.page.getByText('What you wrote is kept under Sync.').waitFor();
  expect(await app.page.getByText('This guide cannot be edited here').count()).toBe(0);
  expect(await offences(app.page, { theme: 'light' })).toEqual([]);
  await app.page.getByRole('link', { name: 'Open Sync' }).click();
  await app.page.getByRole('heading', { name: 'You can no longer see guide 9001' }).waitFor();
});

test('a guide that became unavailable before says so when its editor is opened again', async () => {
  await using app = await bench.open('/guides/31337/edit', { kept: [keptOf('31337')] });
  await app.page.getByRole('heading', { name: 'You can no longer see this guide' }).waitFor();
  await app.page.getByText('What you wrote is kept under Sync.').waitFor();
});

test('a guide that becomes unavailable before anything was written leads to the library', async () => {
  await using app = await bench.open(grinder);
  await app.change({ guides: [], drafts: [] });
  await app.page.getByRole('heading', { name: 'You can no longer see this guide' }).waitFor();
  await app.page.getByRole('link', { name: 'Go to the library', exact: true }).waitFor();
  expect(await app.page.getByText('kept under Sync').count()).toBe(0);
});

function keptOf(guideid: string) {
  const words = [{ kind: 'line' as const, field: 'text_raw', text: 'Lift it.' }];
  return { id: `guides/${guideid}`, guideid, wikiid: null, at: 0, isHere: false, words };
}
