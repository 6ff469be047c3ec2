import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { activityItem } from '#test/support/fixture-activity.ts';

import { offences } from './axe.ts';
import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const file = (name: string) => ({ name, mimeType: 'application/zip', buffer: Buffer.from('PK') });

test('without an account, the sign-in screen leads to archives, and an archive leads to its guides', async () => {
  await using app = await bench.open('/', { signedOut: true });
  await app.page.getByRole('link', { name: 'Open an archive' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Archives' }).waitFor();
  expect(await app.page.getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true);
  await app.page.getByRole('link', { name: 'Workshop machines' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Workshop machines' }).waitFor();
  await app.page.getByRole('link', { name: 'Lathe 2' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Lathe' }).waitFor();
  await app.page.getByRole('link', { name: 'Bearing press-fit' }).click();
  const signatures = app.page.getByRole('region', { name: 'Signatures' });
  await signatures.getByText('Tom Okafor: approved, 2026-05-04 09:00:00 UTC').waitFor();
  await app.page.getByRole('button', { name: 'First step' }).click();
  await app.page.waitForURL(/\/archives\/ar1\/guides\/\d+#/);
  expect(await app.page.getByRole('button', { name: /comment/i }).count()).toBe(0);
  expect(await app.page.getByText('Start a work order').count()).toBe(0);
  await app.page.getByRole('link', { name: 'Workshop machines' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Workshop machines' }).waitFor();
  expect(app.errors).toEqual([]);
});

test('the screen of archives and the dialog of a refused one lead to the page of the server that checks files', async () => {
  await using app = await bench.open('/archives');
  const link = app.page.getByRole('link', { name: 'Check a file' });
  await link.waitFor();
  const address = await app.page.evaluate(() => location.origin);
  const leadsTo = async () => [
    await link.first().getAttribute('href'),
    await link.first().getAttribute('target'),
  ];
  expect((await leadsTo())[0]).toMatch(/^https?:\/\/[^/]+\/omanual\/check$/);
  expect((await leadsTo())[1]).toBe('_blank');
  await app.page.locator('input[type=file]').setInputFiles(file('bad.omanual'));
  const dialog = app.page.getByRole('dialog', { name: 'Couldn’t open this archive' });
  await dialog.getByRole('link', { name: 'Check a file' }).waitFor();

  await using anonymous = await bench.open('/archives', { signedOut: true });
  const here = anonymous.page.getByRole('link', { name: 'Check a file' });
  expect(await here.getAttribute('href')).toBe(`${address}/omanual/check`);
});

test('a chosen file is opened and shown', async () => {
  await using app = await bench.open('/archives');
  await app.page.locator('input[type=file]').setInputFiles(file('belts.omanual'));
  await app.page.getByRole('heading', { level: 1, name: 'belts.omanual' }).waitFor();
  expect((await app.calls('openArchive'))[0]?.[1]).toBe('belts.omanual');
});

test('a file dropped anywhere is opened, and other files are not', async () => {
  await using app = await bench.open('/work-orders');
  const drop = (name: string) =>
    app.page.evaluate((dropped) => {
      const data = new DataTransfer();
      data.items.add(new File(['PK'], dropped));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }, name);
  await drop('photo.png');
  await app.page.getByText('Couldn’t open photo.png').waitFor();
  await drop('dropped.omanual');
  await app.page.getByRole('heading', { level: 1, name: 'dropped.omanual' }).waitFor();
  expect(await app.calls('openArchive')).toHaveLength(1);
});

test('a refused archive is shown with the member, the reason, and what to do', async () => {
  await using app = await bench.open('/archives');
  await app.page.locator('input[type=file]').setInputFiles(file('bad.omanual'));
  const dialog = app.page.getByRole('dialog', { name: 'Couldn’t open this archive' });
  await dialog.getByText('It defines entities').waitFor();
  expect(await dialog.getByText('The problem is in guide-3/guide.xml.').isVisible()).toBe(true);
  expect(await dialog.getByText('Nothing was saved.', { exact: false }).isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(app.page.url()).toContain('/archives');
});

test('a download shows its progress, and can be paused and continued', async () => {
  await using app = await bench.open('/archives');
  const row = app.page.getByRole('listitem').filter({ hasText: 'site.omanual' });
  await row.getByText('512 MB of 1.2 GB').waitFor();
  await row.getByRole('button', { name: 'Pause' }).click();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByText('Downloading').waitFor();
  expect(await app.calls('pauseDownload')).toEqual([['ar2']]);
  expect(await app.calls('resumeDownload')).toEqual([['ar2']]);
});

test("the server's archives are offered, and new versions of stored ones are announced", async () => {
  await using app = await bench.open('/archives');
  const offered = app.page.getByRole('region', { name: 'From your server' }).getByRole('listitem');
  await offered.filter({ hasText: 'Lathe' }).getByText('New version available').waitFor();
  await offered.filter({ hasText: 'Whole site' }).getByText('Downloading').waitFor();
  await offered.filter({ hasText: 'Press brake' }).getByText('The server is preparing it.').waitFor();
  await offered.filter({ hasText: 'Machines' }).getByText('Take the archives of its categories.').waitFor();
  await app.page.getByRole('button', { name: 'Download: Drill press' }).click();
  expect(await app.calls('downloadArchive')).toEqual([['drill-press']]);
  const lathe = app.page.getByRole('listitem').filter({ hasText: 'lathe.omanual' });
  await lathe.getByText('New version available').waitFor();
  await lathe.getByRole('button', { name: 'Get the new version' }).click();
  expect(await app.calls('downloadArchive')).toEqual([['drill-press'], ['lathe']]);
});

test('the report names what was repaired, left out and unresolved with its place', async () => {
  await using app = await bench.open('/archives');
  await app.page.getByText('3 notes on the file').waitFor();
  await app.page.getByRole('button', { name: 'More actions for Workshop machines' }).click();
  await app.page.getByRole('menuitem', { name: 'Show the report' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Notes on the file' });
  await dialog.getByText('The picture is not in the archive.').waitFor();
  expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    'Missing',
    'Left out',
    'Repaired',
  ]);
});

test('a copy is saved, and an archive is removed after a confirmation', async () => {
  await using app = await bench.open('/archives/ar1');
  await app.page.getByRole('button', { name: 'Save a copy' }).click();
  expect(await app.calls('saveArchive')).toEqual([['ar1', 'Choose where to save the archive']]);
  await app.page.getByRole('button', { name: 'Remove' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Archives' }).waitFor();
  expect(await app.page.getByText('workshop-machines.omanual').count()).toBe(0);
});

test('searching in an archive is part of the address', async () => {
  await using app = await bench.open('/archives/ar1');
  await app.page.locator('main').getByRole('searchbox').fill('lock');
  await app.page.getByText('1 guide found').waitFor();
  expect(app.page.url()).toContain('?q=lock');
  await app.page.locator('main').getByRole('searchbox').fill('nothing like it');
  await app.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
});

test('a guide that is in the library too says so and links to it', async () => {
  await using app = await bench.open('/archives/ar1');
  await app.page.getByText('Also in your library').waitFor();
  await app.page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await app.page.getByRole('link', { name: 'Open the library copy' }).click();
  await app.page.waitForURL(/\/guides\/9001$/);
});

test('a category is exported as an archive, which is saved, and as one page', async () => {
  await using app = await bench.open('/library/Lathe');
  await app.page.getByRole('button', { name: 'Export' }).click();
  await app.page.getByRole('menuitem', { name: 'As an archive (.omanual)' }).click();
  await app.page
    .getByText('2 files are not on this device and are included only as links.', { exact: false })
    .waitFor();
  expect(await app.calls('exportArchive')).toEqual([[{ category: 'Lathe' }]]);
  await expect.poll(() => app.calls('saveArchive')).toEqual([['made', 'Choose where to save the archive']]);
  await app.page.getByRole('button', { name: 'Export' }).click();
  await app.page.getByRole('menuitem', { name: 'As one page (.html)' }).click();
  await expect
    .poll(() => app.calls('exportPage'))
    .toEqual([[{ category: 'Lathe' }, 'Choose where to save the page', 'en']]);
});

test('a selection of guides and a single guide are exported too', async () => {
  await using app = await bench.open('/?q=frame');
  await app.page.getByText('1 guide found').waitFor();
  await app.page.getByRole('button', { name: 'Export' }).click();
  await app.page.getByRole('menuitem', { name: 'As an archive (.omanual)' }).waitFor();
  expect(await app.page.getByRole('menuitem', { name: 'As one page (.html)' }).count()).toBe(0);
  await app.page.getByRole('menuitem', { name: 'As an archive (.omanual)' }).click();
  await app.page.getByText('guide exported', { exact: false }).waitFor();
  await app.page.goto(new URL('/guides/9001', app.page.url()).href);
  await app.page.getByRole('button', { name: 'Export' }).click();
  await app.page.getByRole('menuitem', { name: 'As one page (.html)' }).click();
  await expect.poll(async () => (await app.calls('exportPage'))[0]?.[0]).toEqual({ guideids: ['9001'] });
});

test('guides are picked one by one, or all of a tag, and exported', async () => {
  await using app = await bench.open('/');
  const choosing = async () => {
    await app.page.getByRole('button', { name: 'Export' }).click();
    await app.page.getByRole('menuitem', { name: 'Choose guides' }).click();
    return app.page.getByRole('dialog', { name: 'Choose guides to export' });
  };
  const first = await choosing();
  expect(await first.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true);
  await first.getByRole('button', { name: 'All guides with the tag' }).click();
  await app.page.getByRole('option', { name: 'belt' }).click();
  await first.getByRole('textbox', { name: 'Find in the list' }).fill('frame');
  await first.getByRole('checkbox').first().check({ force: true });
  expect(await offences(app.page, {})).toEqual([]);
  await first.getByRole('button', { name: 'Export 2 guides' }).click();
  await expect.poll(() => app.calls('exportArchive')).toHaveLength(1);
  const [[choice] = []] = (await app.calls('exportArchive')) as { guideids: string[] }[][];
  expect(choice?.guideids).toHaveLength(2);
  expect(choice?.guideids).toContain('9001');
  await first.waitFor({ state: 'hidden' });
});

test('online, the server makes an archive of a category or a guide, private ones too', async () => {
  await using app = await bench.open('/library/Lathe');
  const ask = async () => {
    await app.page.getByRole('button', { name: 'Export' }).click();
    await app.page.getByRole('menuitem', { name: 'Request from the server, with all files' }).click();
  };
  await ask();
  await app.page.getByText('It’s downloaded to Archives automatically.', { exact: false }).waitFor();
  expect(await app.calls('requestArchive')).toEqual([[{ category: 'Lathe' }]]);
  await app.page.goto(new URL('/guides/9001', app.page.url()).href);
  await ask();
  await expect.poll(() => app.calls('requestArchive')).toEqual([[{ guideids: [9001] }]]);
  const { sync } = await app.page.evaluate(() => window.fixture.world());
  await app.change({ sync: { ...sync, connection: 'offline' } });
  await app.page.getByRole('button', { name: 'Export' }).click();
  await app.page.getByRole('menuitem', { name: 'As one page (.html)' }).waitFor();
  expect(await app.page.getByRole('menuitem').count()).toBe(2);
});

test('an import is tried, shown with its report, done and undone', async () => {
  await using app = await bench.open('/archives');
  await app.page.getByRole('button', { name: 'More actions for Workshop machines' }).click();
  await app.page.getByRole('menuitem', { name: 'Import into the library' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Leave them unchanged' }).click();
  await app.page.getByRole('option', { name: 'Save them as new versions' }).click();
  await dialog.getByRole('button', { name: 'Do a trial run' }).click();
  await app.page.getByText('Would add 10, change 0 and leave 2 unchanged, with 84 files').waitFor();
  const rules = { existing: 'revision', visibility: 'archived', author: 'importer' };
  expect(await app.calls('tryImport')).toEqual([['ar1', rules]]);
  await app.page.getByRole('button', { name: '2 guides and categories' }).click();
  await app.page.getByRole('heading', { name: 'Would be added' }).waitFor();
  await app.page.getByText('Change the drive belt').waitFor();
  await closeDialog(app.page);
  await app.page.getByRole('button', { name: '1 note on the file' }).click();
  await app.page.getByText('The type Teardown is read as teardown.').waitFor();
  await closeDialog(app.page);
  await app.page.getByRole('button', { name: 'Import', exact: true }).click();
  await app.page.getByText('Added 10', { exact: false }).waitFor();
  await app.page.getByRole('button', { name: 'Undo import' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await app.page.getByText('Undone').waitFor();
  expect(await app.calls('undoImport')).toEqual([[31]]);
});

test('offline, an import waits for the server', async () => {
  await using app = await bench.open('/archives');
  const { sync } = await app.page.evaluate(() => window.fixture.world());
  await app.change({ sync: { ...sync, connection: 'offline' } });
  await app.page.getByRole('button', { name: 'More actions for Workshop machines' }).click();
  await app.page.getByRole('menuitem', { name: 'Import into the library' }).click();
  await app.page.getByRole('button', { name: 'Import when connected' }).click();
  await expect
    .poll(() => app.calls('importArchive'))
    .toEqual([['ar1', { existing: 'skip', visibility: 'archived', author: 'importer' }]]);
  await app.page.getByRole('button', { name: 'More actions for Workshop machines' }).click();
  await app.page.getByRole('menuitem', { name: 'Import into the library' }).click();
  await app.page.getByRole('button', { name: 'Do a trial run when connected' }).click();
  await app.page.getByText('The trial run starts when the server can be reached.').waitFor();
  const waits = activityItem('c7', 0, {
    subject: 'workshop.omanual',
    kind: 'file',
    detail: 'workshop.omanual',
    call: { method: 'POST', path: '/omanual/imports', body: { dry_run: true } },
  });
  await app.change({ activity: [waits] });
  await app.page.getByRole('region', { name: 'Imports' }).getByText('Waiting for a trial run').waitFor();
  await app.page.getByRole('link', { name: 'workshop.omanual' }).click();
  await app.page.waitForURL('**/sync?item=c7');
});

test('removed archives are announced on every screen, with their replacement', async () => {
  await using app = await bench.open('/');
  const left = { archiveid: 'gone', title: '3D Printer', server: 's', userid: 1, name: null, at: Date.now() };
  await app.change({ archiveNews: { outdated: 1, left: [left] } });
  await app.page.getByRole('link', { name: 'Archives, 2 new items' }).first().click();
  await app.page.getByText('“3D Printer” was removed from this device').waitFor();
  expect(await offences(app.page, {})).toEqual([]);
  await app.page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect.poll(() => app.page.getByText('“3D Printer” was removed from this device').count()).toBe(0);
});

test('a missing archive says so', async () => {
  await using app = await bench.open('/archives/none');
  await app.page.getByRole('heading', { name: 'This archive is not on this device' }).waitFor();
});

test.each([
  ['/archives', { width: 1440 }],
  ['/archives', { width: 320, theme: 'dark' }],
  ['/archives', { density: 'kiosk', theme: 'bright' }],
  ['/archives/ar1', { width: 1440, theme: 'dark' }],
  ['/archives/ar1', { width: 320 }],
  ['/archives/ar1/guides/0', { density: 'kiosk' }],
] as const)('%s passes axe and never scrolls sideways (%j)', async (path, look) => {
  await using app = await bench.open(path, {}, look);
  expect(await offences(app.page, look)).toEqual([]);
  const overflow = await app.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

/** A press before the dialog has the focus would go to the page behind it. */
async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
