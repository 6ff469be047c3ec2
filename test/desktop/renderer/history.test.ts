import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const path = '/guides/9001/history';

test('GUIDE-HISTORY-1 the newest revision is compared with the one before it, by step, line, word and picture', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  await page.getByRole('heading', { level: 2, name: 'Revision 6 → Revision 7' }).waitFor();
  await page.getByRole('button', { name: /^Revision 5 .*Released as v1\.2/ }).waitFor();
  await page.getByRole('button', { name: /^Revision 7 .*Now.*Approved/ }).waitFor();
  await page.getByText('Picture added').first().waitFor();
  await page.getByText('moved from 4').waitFor();
  await page
    .getByRole('region', { name: /Clean the bench/ })
    .getByText('removed', { exact: true })
    .waitFor();
  expect(await page.locator('del').allInnerTexts()).toContain(' both of');
  expect(await page.locator('ins').count()).toBeGreaterThan(0);
  expect(await page.getByText(/Revision 90\d/).count()).toBe(0);
  expect(app.errors).toEqual([]);
});

test('GUIDE-HISTORY-1 any two revisions are compared', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  await page.getByRole('button', { name: /^Revision 5 / }).click();
  await page.getByRole('heading', { level: 2, name: 'Revision 5 → Revision 7' }).waitFor();
  await page.getByRole('region', { name: 'Summary' }).getByText('Change the belt.').waitFor();
  await page.getByRole('button', { name: /Newer$/ }).click();
  await page.getByRole('option', { name: /^Revision 6 / }).click();
  await page.getByRole('heading', { level: 2, name: 'Revision 5 → Revision 6' }).waitFor();
});

test('GUIDE-HISTORY-3 texts are compared as they are read, without their marks', async () => {
  await using app = await bench.open(path);
  const first = app.page.getByRole('region', { name: /Unplug and let it stop/ });
  await first.getByText('Press the switch to 0.').first().waitFor();
  expect(await first.innerText()).not.toMatch(/'''|\[guide\|/);
});

test('GUIDE-HISTORY-2 a revision is restored as a new one', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  await page.getByRole('button', { name: 'Restore Revision 6' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore Revision 6' }).click();
  await page.getByText('Restored as a new revision').waitFor();
  expect(await app.calls('restoreVersion')).toEqual([['9001', 906, 107]]);
  await page.getByText('Your changes to this guide are not on the server yet.').waitFor();
  expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
});

test('the present revision is released under a name', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  await page.getByRole('button', { name: 'Release…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release Revision 7' });
  await dialog.getByLabel('Name').fill('v2');
  await dialog.getByLabel('What is new').fill('A third screw.');
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await expect
    .poll(() => app.calls('releaseGuide'))
    .toEqual([['9001', 107, { title: 'v2', type: 'major', notes: 'A third screw.' }]]);
});

/** Another person saves revision 8. */
async function saveElsewhere(app: AppPage): Promise<void> {
  const { history } = await app.page.evaluate(() => window.fixture.world());
  const known = must(history, 'the history');
  const next = { ...must(known.present, 'the revision'), number: 8, guide_revisionid: 908, revisionid: 108 };
  await app.change({ history: { ...known, present: next, onDevice: [next, ...known.onDevice] } });
}

test('GUIDE-HISTORY-4 a newer revision is not released before the person has seen it; what they typed stays', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  const release = page.getByRole('button', { name: 'Release', exact: true });
  await page.getByRole('button', { name: /^Revision 5 / }).click();
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByLabel('Name').fill('v2');
  await saveElsewhere(app);
  const dialog = page.getByRole('dialog', { name: 'Release Revision 7' });
  await dialog.getByText('Someone saved this guide meanwhile').waitFor();
  expect(await release.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Show what changed' }).click();
  await page.getByRole('heading', { level: 2, name: 'Revision 7 → Revision 8' }).waitFor();
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByRole('dialog', { name: 'Release Revision 8' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('v2');
  await release.click();
  await expect.poll(() => app.calls('releaseGuide')).toMatchObject([['9001', 108, { title: 'v2' }]]);
});

test('GUIDE-HISTORY-4 a release that the server refuses because of a newer revision says so', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  await app.change({ isSavedElsewhere: true });
  await page.getByRole('button', { name: 'Release…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release Revision 7' });
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await dialog.getByText('Someone saved this guide meanwhile').waitFor();
});

test('GUIDE-HISTORY-4 the revision is restored for which the dialog was opened', async () => {
  await using app = await bench.open(path);
  const { page } = app;
  await page.getByRole('button', { name: 'Restore Revision 6' }).click();
  await page.getByRole('dialog', { name: 'Restore Revision 6?' }).waitFor();
  await saveElsewhere(app);
  await page
    .getByRole('dialog', { name: 'Restore Revision 6?' })
    .getByRole('button', { name: 'Restore Revision 6' })
    .click();
  expect(await app.calls('restoreVersion')).toEqual([['9001', 906, 107]]);
});

test('GUIDE-HISTORY-1 offline the revisions on this device are compared, and words say that there are more', async () => {
  await using app = await bench.open('/guides/9001');
  const { page } = app;
  const { sync } = await page.evaluate(() => window.fixture.world());
  await app.change({ sync: { ...sync, connection: 'offline' } });
  await page.getByRole('link', { name: 'Show all revisions' }).click();
  await page.getByText('Only revisions on this device can be compared').waitFor();
  await page.getByText('2 revisions are on this device; the others are on the server.').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Revision 6 → Revision 7' }).waitFor();
  expect(await page.getByRole('button', { name: /^Revision 5 / }).count()).toBe(0);
});

test('PRESENCE-3 the editor and the decisions show who else has the guide open; offline they do not', async () => {
  const editors = ['Ben Okafor', 'Mira Haddad'];
  const words = 'Ben Okafor and Mira Haddad also have this guide open';
  for (const place of ['/guides/9001/edit', '/sync/conflicts/9001']) {
    await using app = await bench.open(place, { busy: true, editors });
    await app.page.getByText(words).waitFor();
    const { sync } = await app.page.evaluate(() => window.fixture.world());
    await app.change({ sync: { ...sync, connection: 'offline' } });
    await expect.poll(() => app.page.getByText(words).count()).toBe(0);
    expect((await app.calls('openedGuide')).at(-1)).toEqual(['9001', false]);
  }
});
