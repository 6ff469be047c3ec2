import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { typeKeys } from '#test/support/type-keys.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const goOffline = ({ page }: AppPage): Promise<void> =>
  page.evaluate(() => window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' } })));

const orders = async ({ page }: AppPage): Promise<string[]> =>
  page.locator('main').getByRole('heading', { level: 3 }).allTextContents();

test('TRACE-2 a number shows the orders about it and those that recorded it, and leads on by a tap', async () => {
  await using app = await bench.open('/trace', { lead: true });
  const { page } = app;
  await page.getByRole('combobox', { name: 'Serial or lot number' }).fill('bg-');
  await page.getByRole('option', { name: 'BG-2041' }).click();
  await page.getByRole('heading', { level: 1, name: 'BG-2041' }).waitFor();
  const about = page.getByRole('region', { name: 'Worked on' });
  await about.getByRole('heading', { name: 'WO-1017' }).waitFor();
  await about.getByText('By Ana Ruiz and Ben Okafor', { exact: false }).waitFor();
  await about.getByRole('row', { name: /Belt deflection 9.9.mm Above the limit of 4.mm/ }).waitFor();
  await about.getByText('Waiting for a lead').waitFor();
  await about.getByText('The tension is left to do.').waitFor();
  await about.getByRole('img', { name: 'Photo of the seated belt, photo 1' }).waitFor();
  await about.getByText('No wrench here').waitFor();
  const part = page.getByRole('region', { name: 'Recorded in' });
  await part.getByRole('row', { name: /Grinder of the line bg-2041/ }).waitFor();
  expect(await part.getByRole('row', { name: /Lamp/ }).count()).toBe(0);
  await part.getByRole('button', { name: 'Show all 2 values' }).click();
  await part.getByRole('row', { name: /Lamp/ }).waitFor();
  // From the unit to a lot that was built in, and from the lot back to the unit.
  await about.getByRole('link', { name: 'Trace LOT 77' }).click();
  await page.getByRole('heading', { level: 1, name: 'LOT 77' }).waitFor();
  await page
    .getByRole('region', { name: 'Recorded in' })
    .getByRole('link', { name: 'Trace BG-2041' })
    .click();
  await page.getByRole('region', { name: 'Worked on' }).waitFor();
  await page
    .getByRole('link', { name: /Revision 7 of/ })
    .first()
    .click();
  await page.getByRole('region', { name: 'Worked by this revision' }).waitFor();
  expect(new URL(page.url()).search).toBe('?guide=9001&revision=7');
  // Another revision of the same guide.
  await page.getByRole('button', { name: /Revision 7/ }).click();
  await page.getByRole('option', { name: 'Revision 6' }).click();
  await page.getByText('No order was worked by this revision').waitFor();
  expect(app.errors).toEqual([]);
});

test('TRACE-7 offline, and while the server does not answer, the screen says that it shows this device only', async () => {
  await using app = await bench.open('/trace?number=bg-2041', { lead: true });
  await expect.poll(() => orders(app)).toEqual(['WO-1017', 'WO-1031']);
  await goOffline(app);
  await app.page.getByText('You see only what this device carries.', { exact: false }).waitFor();
  expect(await orders(app)).toEqual(['WO-1017']);
  await using other = await bench.open('/board', { lead: true });
  await other.page.evaluate(() =>
    window.fixture.change(({ traced }) => ({ traced: { ...traced, isRefused: true } })),
  );
  await other.page.getByRole('link', { name: 'Trace a number' }).click();
  await other.page.getByRole('combobox', { name: 'Serial or lot number' }).fill('BG-2041');
  await other.page.keyboard.press('Enter');
  await other.page.getByText('The server could not be asked').waitFor();
  expect(await orders(other)).toEqual(['WO-1017']);
  await other.page.evaluate(() =>
    window.fixture.change(({ traced }) => ({ traced: { ...traced, isRefused: false } })),
  );
  await other.page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => orders(other)).toEqual(['WO-1017', 'WO-1031']);
});

test('TRACE-7 an order that waits on this device is shown with those of the server', async () => {
  await using app = await bench.open('/trace', { lead: true });
  await app.page.evaluate(() =>
    window.fixture.change(({ traced }) => ({
      traced: {
        ...traced,
        here: traced.here.map((one) => ({
          ...one,
          entryid: 'tmp:1',
          pending: true,
          record: { ...one.record, workorderid: 'WO-new' },
        })),
      },
    })),
  );
  await app.page.getByRole('combobox', { name: 'Serial or lot number' }).fill('BG-2041');
  // The open list hides the button from screen readers, not from the mouse.
  await app.page.locator('form button[type=submit]').click();
  await expect.poll(() => orders(app)).toEqual(['WO-new', 'WO-1017', 'WO-1031']);
  await app.page.getByText('Not on the server yet').waitFor();
});

test('a code that is scanned on the board or on the screen is traced, with its inner spaces', async () => {
  await using app = await bench.open('/board', { lead: true, running: true });
  await app.page.getByRole('link', { name: 'Trace a number' }).waitFor();
  await typeKeys(app, '[)> 06 B-9', 0.01);
  await app.page.getByRole('heading', { level: 1, name: '[)> 06 B-9' }).waitFor();
  await expect.poll(() => orders(app)).toEqual(['WO-1017']);
  await app.page.locator('h1').click();
  await typeKeys(app, 'BG-2041', 0.01);
  await app.page.getByRole('heading', { level: 1, name: 'BG-2041' }).waitFor();
});

test('a search in the library leads to a number on this device', async () => {
  await using app = await bench.open('/?q=BG-20', { lead: true });
  await app.page.getByRole('link', { name: 'Trace “BG-2041” in work orders' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'BG-2041' }).waitFor();
});

test('more orders are loaded on request, and what is shown is exported with a row for each fact', async () => {
  await using app = await bench.open('/trace', { lead: true });
  await app.page.evaluate(() =>
    window.fixture.change(({ traced }) => ({ traced: { ...traced, pageSize: 1 } })),
  );
  await app.page.getByRole('combobox', { name: 'Serial or lot number' }).fill('BG-2041');
  await app.page.keyboard.press('Enter');
  await app.page.getByText('1 of 2 orders are shown').waitFor();
  await app.page.getByRole('button', { name: 'Export 1 of 2 as CSV' }).waitFor();
  await app.page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => orders(app)).toEqual(['WO-1017', 'WO-1031']);
  const saved = app.page.waitForEvent('download');
  await app.page.getByRole('button', { name: 'Export as CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('BG-2041.csv');
  const [head = '', ...rows] = readFileSync(must(await file.path(), 'the file'), 'utf8').split('\r\n');
  expect(head.split(',')).toHaveLength(15);
  const own =
    'WO-1017,504,Bench Grinder Drive Belt Replacement,"Revision 7 of Nov 3, 2026 · approved",Finished';
  expect(rows).toContain(`${own},Serial or lot number,,BG-2041,,,,,,,`);
  expect(rows).toContain(`${own},Value,Belt deflection,9.9,mm,3,4,yes,Ana Ruiz,2026-11-12T09:00:00.000Z,`);
  expect(rows).toContain(
    `${own},Photo,Photo of the seated belt,BeltStep08Image1,,,,,Ana Ruiz,2026-11-12T09:00:00.000Z,`,
  );
});
