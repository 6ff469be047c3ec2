import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

/** The notice of a form whose text was typed earlier. */
const restored = /Your unsaved changes of .+ were restored\./;
let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('pages are found by kind and by words, and a page shows its text, facts and tags', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
  await app.page.getByRole('link', { name: 'Workshop rules' }).waitFor();
  await app.page.getByText('Categories', { exact: true }).click();
  await app.page.getByRole('link', { name: 'Bench Grinder' }).waitFor();
  await app.page.getByLabel('Find a page').fill('nothing like it');
  await app.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await app.page.getByLabel('Find a page').fill('grind');
  await app.page.getByRole('link', { name: 'Bench Grinder' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Bench Grinder' }).waitFor();
  const main = app.page.locator('main');
  expect(await main.getByRole('heading', { name: 'Before you begin' }).isVisible()).toBe(true);
  expect(await main.getByText('Manufacturer').isVisible()).toBe(true);
  await main.getByRole('button', { name: 'Show all versions' }).click();
  await main.getByRole('listitem').filter({ hasText: 'Ana Ruiz' }).waitFor();
  await main.getByRole('link', { name: 'Show guides in this category' }).click();
  await app.page.getByRole('link', { name: 'About this category' }).waitFor();
});

test('a page is edited, saved on the device, and says so', async () => {
  await using app = await bench.open('/pages/72');
  await app.page.getByRole('link', { name: 'Edit page' }).click();
  await app.page.getByLabel('Text', { exact: true }).fill("Wear '''boots'''.");
  const preview = app.page.getByRole('region', { name: 'Preview' });
  await preview.locator('strong', { hasText: 'boots' }).waitFor();
  await app.page.getByRole('button', { name: 'Save page' }).click();
  await app.page.getByText('Your edit is saved on this device.').waitFor();
  expect(await app.calls('savePage')).toMatchObject([
    [
      '72',
      { displayTitle: 'Workshop rules', description: '', contents: "Wear '''boots'''." },
      { revisionid: 41, text: { contents: 'Wear goggles.' } },
    ],
  ]);
});

test('FORM-1 unsaved text is restored after leaving or reloading the app, until it is discarded', async () => {
  await using app = await bench.open('/pages/72/edit');
  await app.page.getByLabel('Text', { exact: true }).fill('Half a thought');
  await app.page.getByRole('link', { name: 'Pages' }).first().click();
  await app.page.getByRole('link', { name: 'Workshop rules' }).click();
  await app.page.getByRole('link', { name: 'Edit page' }).click();
  expect(await app.page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a thought');
  await app.page.reload();
  await app.page.getByText(restored).waitFor();
  expect(await app.page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a thought');
  await app.page.getByRole('button', { name: 'Discard' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await app.page.getByRole('link', { name: 'Edit page' }).click();
  expect(await app.page.getByLabel('Text', { exact: true }).inputValue()).toBe('Wear goggles.');
  expect(await app.calls('savePage')).toEqual([]);
});

test('FORM-5 unsaved text of an earlier version is restored after an update, and nothing stays under its keys', async () => {
  await using app = await bench.open('/pages');
  const { page } = app;
  await page.evaluate(() => {
    const words = { name: 'Workshop rules', displayTitle: 'Workshop rules', description: '' };
    const kept = (contents: string) => ({ ...words, contents });
    const form = { typed: kept('Half a thought'), start: kept('Wear goggles.'), revisionid: 41 };
    sessionStorage.setItem('benchbook.page.9101.72', JSON.stringify(form));
    sessionStorage.setItem('benchbook.profile.9102', JSON.stringify(form));
    sessionStorage.setItem('benchbook.sign-on.9101.9', '{}');
  });
  await page.goto(`${bench.url}/pages/72/edit`);
  await page.getByText(restored).waitFor();
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a thought');
  const keys = () => page.evaluate(() => Object.keys(sessionStorage).toSorted());
  await expect.poll(keys).toEqual(['fixture.forms']);
  await page.reload();
  await page.getByText(restored).waitFor();
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a thought');
  expect(await app.calls('adoptForms')).toEqual([]);
});

test('FORM-4 a form says that its text is not stored while the disk is full', async () => {
  await using app = await bench.open('/pages/72/edit');
  const { page } = app;
  await page.getByLabel('Text', { exact: true }).fill('Half a thought');
  await page.evaluate(() =>
    window.fixture.change(({ storage }) => ({ storage: { ...storage, journal: 'full' } })),
  );
  await page.getByRole('alert').filter({ hasText: 'Not saved: the disk is full' }).waitFor();
});

test('ELECTRON-87 a browser asks before it closes a page with text that could not be stored', async () => {
  await using app = await bench.open('/pages/72/edit');
  const { page } = app;
  const asks = (): Promise<boolean> =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await page.getByLabel('Text', { exact: true }).fill('Half a thought');
  expect(await asks()).toBe(false);
  // What is typed last is handed over.
  await expect.poll(async () => (await app.calls('keepForm')).length).toBeGreaterThan(0);
  await page.evaluate(() =>
    window.fixture.change(({ storage }) => ({ storage: { ...storage, journal: 'full' } })),
  );
  await expect.poll(asks).toBe(true);
});

test('unsaved text that another version of a form stored is not restored', async () => {
  await using app = await bench.open('/pages');
  const { page } = app;
  const words = { name: 'Rules', displayTitle: 'Rules', description: '', contents: 'Half a thought' };
  const profile = { name: 'Ana', uniqueName: null, summary: 'Half a thought', about: '', location: '' };
  await page.evaluate(
    ([pageText, profileText]) => {
      const keep = (id: string, typed: object) =>
        sessionStorage.setItem(
          `benchbook.of.home-of-ana.${id}`,
          JSON.stringify({ typed, start: typed, revisionid: 1 }),
        );
      keep('page.9101.72', pageText);
      keep('profile.9101', profileText);
    },
    [
      { ...words, documents: ['manual.pdf'] },
      { ...profile, image: 'ana.png' },
    ] as const,
  );
  await page.goto(`${bench.url}/pages/72/edit`);
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Wear goggles.');
  await page.goto(`${bench.url}/profile`);
  expect(await page.getByLabel('One-line summary').inputValue()).toBe('');
  expect(await page.getByText(restored).count()).toBe(0);
});

test('unsaved text of an earlier version for another person stays while another home is on the device', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await page.evaluate(() => {
    sessionStorage.setItem('benchbook.profile.9102', '{}');
    sessionStorage.setItem('benchbook.of.gone.page.7', 'Typed and never saved');
    window.fixture.change(({ session }) => ({
      session: { ...session, homes: ['home-of-ana', 'home-of-ben'] },
    }));
  });
  const keys = () => page.evaluate(() => Object.keys(sessionStorage));
  await expect.poll(keys).toEqual(['benchbook.profile.9102']);
});

test('the editor of a category has its picture, facts, documents and flags', async () => {
  await using app = await bench.open('/pages/71/edit');
  const { page } = app;
  const choose = async (button: string, name: string, mimeType: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles({ name, mimeType, buffer: Buffer.from('<svg/>') });
  };
  await choose('Choose picture', 'grinder.png', 'image/png');
  await page.getByRole('button', { name: 'Change picture' }).waitFor();
  await choose('Add a file', 'manual.pdf', 'application/pdf');
  await page.getByText('manual.pdf').waitFor();
  await page.getByRole('button', { name: 'Add fact' }).click();
  await page.getByLabel('Name').fill('Voltage');
  await page.getByLabel('Value').fill('230 V');
  await page.getByText('Stub', { exact: true }).click();
  await page.getByRole('button', { name: 'Save page' }).click();
  await page.getByText('Your edit is saved on this device.').waitFor();
  expect(await app.calls('savePage')).toMatchObject([
    [
      '71',
      {
        image: { id: 0, guid: 'tmp:file-0' },
        documents: [{ text: 'manual', extension: 'pdf' }],
        info: [{ name: 'Voltage', value: '230 V' }],
        flags: ['GUIDE_STUB'],
      },
      { revisionid: 41 },
    ],
  ]);
});

test('only the editor of an item has suppliers', async () => {
  await using app = await bench.open('/pages/73/edit');
  await app.page.getByRole('button', { name: 'Add supplier' }).click();
  expect(await app.page.getByRole('button', { name: 'Add fact' }).count()).toBe(0);
  await app.page.getByLabel('Supplier', { exact: true }).fill('Belts & Co.');
  await app.page.getByLabel('Part number').fill('A-24');
  await app.page.getByRole('button', { name: 'Save page' }).click();
  await app.page.getByText('Your edit is saved on this device.').waitFor();
  expect(await app.calls('savePage')).toMatchObject([
    ['73', { suppliers: [{ supplier: 'Belts & Co.', 'part_#': 'A-24' }] }, { revisionid: 41 }],
  ]);
});

test('an earlier version is restored after a confirmation', async () => {
  await using app = await bench.open('/pages/72');
  await app.page.getByRole('button', { name: 'Show all versions' }).click();
  await app.page.getByRole('button', { name: /^Restore version: Ben Okafor/ }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await app.page.getByText('Your edit is saved on this device.').waitFor();
  expect(await app.calls('revertPage')).toEqual([['72', 40]]);
});

test('a moderator shows a waiting edit to everyone', async () => {
  await using app = await bench.open('/pages/72');
  await app.page.evaluate(() => {
    window.fixture.change(({ pages }) => ({
      pages: pages.map((page) => ({ ...page, canPatrol: true, patrol: 'others' as const })),
    }));
  });
  await app.page.getByText('waiting for a moderator').waitFor();
  await app.page.getByRole('button', { name: 'Show this edit to everyone' }).click();
  await expect.poll(() => app.page.getByText('waiting for a moderator').count()).toBe(0);
  expect(await app.calls('patrolPage')).toEqual([['72']]);
});

test('a page is translated beside its original', async () => {
  await using app = await bench.open('/pages/72');
  await app.page.evaluate(() => {
    window.fixture.change(({ pages }) => ({
      pages: pages.map((page) => ({ ...page, translatable: ['de'] })),
    }));
  });
  await app.page.getByRole('link', { name: 'Translate into German' }).click();
  await app.page.getByRole('region', { name: 'Original' }).getByText('Wear goggles.').waitFor();
  await app.page.getByLabel('Display title').fill('Werkstattordnung');
  await app.page.getByLabel('Text', { exact: true }).fill('Schutzbrille tragen.');
  await app.page.getByRole('button', { name: 'Save translation' }).click();
  await expect
    .poll(() => app.calls('translatePage'))
    .toMatchObject([['72', 'de', { displayTitle: 'Werkstattordnung', contents: 'Schutzbrille tragen.' }]]);
});

test('the preview expands templates', async () => {
  await using app = await bench.open('/pages/72/edit');
  await app.page.getByLabel('Text', { exact: true }).fill('First: {{Template:Goggles}}');
  await app.page.getByRole('region', { name: 'Preview' }).getByText('Wear goggles at all times.').waitFor();
});

test('a person without the right to edit finds no edit buttons, not even by the address', async () => {
  await using app = await bench.open('/pages/71');
  await app.page.evaluate(() => {
    window.fixture.change(({ pages }) => ({
      pages: pages.map((page) => ({ ...page, canEdit: false, canDelete: false, canTag: false })),
    }));
  });
  await expect.poll(() => app.page.getByRole('link', { name: 'Edit page' }).count()).toBe(0);
  expect(await app.page.getByRole('button', { name: 'Delete page' }).count()).toBe(0);
  expect(await app.page.getByLabel('Add a tag').count()).toBe(0);
});

test('tags of a guide are added and removed on its overview', async () => {
  await using app = await bench.open('/guides/9001');
  await app.page.getByLabel('Add a tag').fill(' motor ');
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('button', { name: 'Remove tag motor' }).waitFor();
  await app.page.getByRole('button', { name: 'Remove tag belt' }).click();
  await expect.poll(() => app.page.getByRole('button', { name: 'Remove tag belt' }).count()).toBe(0);
  expect(await app.calls('tagGuide')).toEqual([
    ['9001', 'motor', true],
    ['9001', 'belt', false],
  ]);
});

test('people and teams link to each other', async () => {
  await using app = await bench.open('/people');
  await app.page.getByRole('link', { name: 'Ana Ruiz' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Ana Ruiz' }).waitFor();
  expect(await app.page.getByText('Silver 1 · Bronze 2').isVisible()).toBe(true);
  await app.page.getByRole('link', { name: 'Line B' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Line B' }).waitFor();
  await app.page.getByRole('link', { name: 'Ben Okafor' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Ben Okafor' }).waitFor();
});
