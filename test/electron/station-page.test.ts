import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { StationDetail } from '#shared/model/station.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { go } from '#test/e2e/whole-app.ts';
import { ok } from '#test/support/approvals.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { makeForm, workshopClient } from '#test/support/workshop.ts';

import { desktopForTests } from './support/desktop-for-tests.ts';
import { systemOpener } from './support/system-opener.ts';
import { ownedFolder } from './support/unprivileged.ts';

const { prepared } = desktopForTests('the page of a station');
const archive = join(import.meta.dirname, '../fixtures/omanual/own/minimal-1.0.omanual');
const current_password = 'a long password';
const pin = '2468';
let server: TestServer;
let admin: TestPerson;
let guideid: number;
let station: StationDetail & { enrolment_code: string };

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  admin = await server.person('Mira', ['User', 'Admin', 'Author']);
  const ana = await server.person('Ana', ['User']);
  const { documentid } = await workshopClient(server, admin).media.addDocument({
    query: { file: 'plan.pdf' },
    body: pdfFile(),
  });
  const guide = await admin.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      public: true,
      introduction: 'See [https://example.org/maker|the maker].',
      documents: [documentid],
      steps: [{ title: 'Open', lines: [{ text: 'Unplug it' }] }],
    },
  });
  ({ guideid } = guide);
  await makeForm(admin, guide);
  const { teamid } = await ok<{ teamid: number }>(admin.call('POST', '/teams', { name: 'Press' }));
  await ok(admin.call('PUT', `/teams/${teamid}/users/${ana.userid}`, {}));
  await ok(admin.call('PUT', `/users/${ana.userid}/station_pin`, { pin, current_password }));
  station = await ok(
    admin.call('POST', '/stations', {
      name: 'Press 2',
      teams: [teamid],
      settings: { idle_seconds: 3600 },
      current_password,
    }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

/** Makes the device a station. */
async function enrol(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'This device is a station' }).click();
  await page.getByRole('textbox', { name: 'Server address' }).fill(server.url);
  await page.getByLabel('Code of the station').fill(station.enrolment_code);
  await page.getByRole('button', { name: 'Make it a station' }).click();
}

/** Signs Ana in with her PIN. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ana', exact: true }).click();
  await page.keyboard.type(pin, { delay: 80 });
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Ana: sign out/ }).waitFor();
}

/** Drops a file on the page, as from a window of the system. */
async function drop(page: Page, path: string): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await debug.send('Input.dispatchDragEvent', {
      type,
      x: 400,
      y: 300,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
}

it('LOCKDOWN-1 LOCKDOWN-3 LOCKDOWN-5 the page of a station says what does not open, and keeps what was recorded', async () => {
  const folder = ownedFolder('/tmp', 'benchbook-dropped');
  const opener = systemOpener(folder);
  await using launched = await prepared().launch(prepared().userData(), ['--kiosk', '--keep-key-in-file'], {
    env: opener.env,
  });
  const { app, page } = launched;
  await enrol(page);
  await signIn(page);
  await go(page, `/guides/${guideid}`);
  await page.evaluate(() => {
    Object.assign(window, { shown: [] });
    window.addEventListener('beforeprint', () => (Reflect.get(window, 'shown') as string[]).push('print'));
  });
  let isChooserShown = false;
  page.on('filechooser', () => (isChooserShown = true));

  const address = page.url();
  const says = (words: string) => page.getByRole('status').getByText(words).first().waitFor();
  const maker = page.getByRole('link', { name: 'the maker' });
  for (const button of ['left', 'middle'] as const) {
    await maker.click({ button });
    await says('This opens outside of Benchbook');
  }
  await page.locator('a[download]', { hasText: 'plan' }).click();
  await says('Documents do not open at a station. Open this one on another device.');
  await page.evaluate(() => window.print());
  await says('A station does not print');
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', id: 'chooser' });
    input.style.cssText = 'position: fixed; z-index: 99999; inset: 0 auto auto 0';
    document.body.append(input);
  });
  await page.locator('#chooser').click();
  await says('Files cannot be chosen at a station');
  await page.evaluate(() => document.getElementById('chooser')?.remove());
  copyFileSync(archive, join(folder, 'lamp.omanual'));
  writeFileSync(join(folder, 'page.html'), '<h1>another page');
  writeFileSync(join(folder, 'plan.pdf'), pdfFile());
  const dropped = ['lamp.omanual', 'page.html', 'plan.pdf'];
  for (const name of dropped) await drop(page, join(folder, name));
  const refused = page.getByText('Files do not open at a station. Open them on another device.');
  // Messages are shown one after the other.
  await refused.first().waitFor();
  const shown = await page.evaluate(() => Reflect.get(window, 'shown') as string[]);
  expect([page.url(), isChooserShown, shown, opener.opened()]).toEqual([address, false, [], []]);

  // The page closes itself after a value was recorded.
  await page.getByRole('button', { name: 'Start work order' }).first().click();
  await page.getByLabel('Work order number').fill('WO-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'First step' }).click();
  await page.getByRole('button', { name: /^Torque/ }).click();
  for (const key of ['1', '2', 'Save value'])
    await page.getByRole('dialog').getByRole('button', { name: key, exact: true }).click();
  await page
    .getByText(/^\s*Saved/)
    .first()
    .waitFor();
  const opened = app.waitForEvent('window');
  await page.evaluate(() => window.close()).catch(() => undefined);
  const again = await opened;
  await signIn(again);
  await again.getByRole('button', { name: /^Torque 12/ }).waitFor();

  // So are files refused that the app itself would save.
  const orders = async (): Promise<WorkLogEntry[]> =>
    (await ok<{ results: WorkLogEntry[] }>(admin.call('GET', '/work_log'))).results;
  await soon(async () => (await orders()).length).toBe(1);
  await go(again, `/work-orders/${(await orders())[0]?.entryid}`);
  for (const name of ['Save as PDF', 'Export as CSV']) {
    await again.getByRole('button', { name }).click();
    await again.getByText('A station saves no files. Save this one on another device.').first().waitFor();
  }
  await again.getByRole('button', { name: 'Print', exact: true }).click();
  await again.getByText('A station does not print').waitFor();
  const isKiosk = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isKiosk());
  expect(must(isKiosk, 'a window')).toBe(true);
  rmSync(folder, { recursive: true });
});
