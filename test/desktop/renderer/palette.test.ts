import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readCode } from '#desktop/renderer/screens/palette/code-address.ts';
import { placesFor } from '#desktop/renderer/screens/palette/places.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const field = ({ page }: AppPage) => page.getByRole('combobox', { name: 'Go to' });
const active = ({ page }: AppPage) => page.getByRole('option', { selected: true });

/** Types into the field that has the focus as fast as a scanner. */
async function scan({ page }: AppPage, code: string): Promise<void> {
  await page.evaluate((text) => {
    for (const key of [...Array.from(text), 'Enter'])
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
  }, code);
}

/** Opens the palette and waits for its first offers. */
async function openPalette(app: AppPage): Promise<void> {
  await app.page.keyboard.press('Control+k');
  await active(app).waitFor();
}

test('PALETTE-1 Ctrl+K, / and the button open the palette, and Escape returns the focus', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  const card = page.getByRole('link', { name: 'Wheel dressing' });
  for (const key of ['Control+k', '/']) {
    await card.focus();
    await page.keyboard.press(key);
    await expect.poll(() => field(app).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await field(app).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await field(app).waitFor({ state: 'detached' });
    await expect.poll(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
  }
  await page.getByRole('button', { name: 'Go to' }).click();
  await field(app).waitFor();
});

test('PALETTE-1 / is a letter in a field, and no dialog is covered', async () => {
  await using app = await bench.open('/', {}, { width: 800, height: 900 });
  const { page } = app;
  await page.getByRole('searchbox').fill('');
  await page.getByRole('searchbox').press('/');
  expect(await page.getByRole('searchbox').inputValue()).toBe('/');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Choose a category' }).click();
  await page.getByRole('dialog', { name: 'Categories' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('/');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await openPalette(app);
});

test('PALETTE-2 without words it offers the running order, then what was opened last, then screens', async () => {
  await using app = await bench.open('/', { running: true });
  await openPalette(app);
  const groups = app.page.getByRole('listbox').getByRole('group');
  await expect.poll(() => groups.count()).toBe(3);
  expect(await active(app).innerText()).toContain('Continue WO-1042');
  expect(await app.page.getByRole('group', { name: 'Opened recently' }).getByRole('option').count()).toBe(3);
  await app.page.keyboard.press('Enter');
  await app.page.waitForURL(/\/guides\/9001/);
});

test('PALETTE-2 arrow keys choose among guides, orders, categories, pages and screens, and Enter opens', async () => {
  await using app = await bench.open('/work-orders', { running: true });
  const { page } = app;
  await openPalette(app);
  await field(app).fill('grinder');
  for (const name of ['Guides', 'Categories', 'Pages'])
    await page.getByRole('group', { name, exact: true }).waitFor();
  const first = await active(app).innerText();
  await page.keyboard.press('ArrowDown');
  expect(await active(app).innerText()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const last = page.getByRole('option').last();
  expect(await last.getAttribute('aria-selected')).toBe('true');
  expect(await field(app).getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
  await field(app).fill('settings');
  await page.getByRole('option', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('PALETTE-3 Enter right after the words opens what they find', async () => {
  await using app = await bench.open('/work-orders');
  await openPalette(app);
  await field(app).evaluate((input: HTMLInputElement) => {
    // React notices only what the setter of the browser did.
    Reflect.set(HTMLInputElement.prototype, 'value', 'filter change', input);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await app.page.waitForURL('**/guides/109');
});

describe('PALETTE-4 codes', () => {
  test.for([
    ['wo-1042', /\/guides\/9001/],
    ['https://guides.example.org/Guide/Drive_belt/9002', /\/guides\/9002$/],
    ['https://guides.example.org/guides/104#s5', /\/guides\/104#s5$/],
    ['BG-2041', /\/trace\?number=BG-2041$/],
  ] as const)('a hand scanner that types %s leads there', async ([code, where]) => {
    await using app = await bench.open('/people', { running: true });
    await openPalette(app);
    await scan(app, code);
    await app.page.waitForURL(where);
  });

  test('an unknown code says so and is searched for, and opens nothing by itself', async () => {
    await using app = await bench.open('/', { running: true });
    await openPalette(app);
    await scan(app, 'filter');
    await app.page.getByText('Nothing on this device has the code “filter”.').waitFor();
    await app.page.getByRole('option', { name: /Filter change/ }).waitFor();
    expect(new URL(app.page.url()).pathname).toBe('/');
    await field(app).fill('');
    await scan(app, 'https://elsewhere.example/guides/1');
    await app.page.getByText('This code leads to elsewhere.example').waitFor();
  });

  test('the camera reads a code', async () => {
    await using app = await bench.open('/', { running: true });
    const { page } = app;
    await page.evaluate(() => {
      class BarcodeDetector {
        detect = () => Promise.resolve([{ rawValue: 'WO-1042' }]);
      }
      Object.assign(window, { BarcodeDetector });
    });
    await openPalette(app);
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    const file = { name: 'code.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
    await (await choosing).setFiles(file);
    await page.waitForURL(/\/guides\/9001/);
  });

  test.for([
    ['https://a.example/guides/7', { path: '/guides/7' }],
    ['https://a.example/Teardown/Belt/61?lang=de', { path: '/guides/61' }],
    ['https://a.example/sign-in', { host: 'a.example/sign-in' }],
    ['https://a.example/api/2.0/guides', { host: 'a.example/api/2.0/guides' }],
    ['https://b.example/guides/7', { host: 'b.example' }],
    ['javascript:alert(1)', null],
    ['WO-1', null],
  ] as const)('%s is read as %j', ([code, read]) => {
    expect(readCode(code, ['https://a.example'], false)).toEqual(read);
  });

  test('a station takes no codes of screens that it does not have', () => {
    const read = (path: string) => readCode(`https://a.example${path}`, ['https://a.example'], true);
    expect(read('/guides/7')).toEqual({ path: '/guides/7' });
    expect(read('/people/7')).toEqual({ host: 'a.example/people/7' });
  });
});

/** Whether Ctrl+K and `/` are left to the browser: the palette takes them when it opens. */
const freeKeys = ({ page }: AppPage): Promise<boolean[]> =>
  page.evaluate(() =>
    [{ key: 'k', ctrlKey: true }, { key: '/' }].map((init) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })),
    ),
  );

test('PALETTE-5 a locked station opens no palette; a person there is offered only the screens of a station', async () => {
  await using locked = await bench.open('/', { station: 'locked' });
  expect(await freeKeys(locked)).toEqual([true, true]);
  expect(await field(locked).count()).toBe(0);
  await using app = await bench.open('/', { station: 'signed-in' });
  await app.page.getByRole('main').waitFor();
  expect(await freeKeys(app)).toEqual([false, false]);
  await field(app).waitFor();
  const screens = app.page.getByRole('group', { name: 'Screens' }).getByRole('option');
  expect(await screens.allInnerTexts()).toEqual([
    'Home of the station',
    'All guides',
    'Favourites',
    'Work orders',
    'Sync',
  ]);
  await field(app).fill('people');
  await app.page.getByText('Nothing found for “people”').waitFor();
});

test.for([
  [
    ['User'],
    ['site', 'audit', 'stations', 'plans', 'newPage', 'stationHome'],
    ['account', 'profile', 'board'],
  ],
  [
    ['User', 'Author'],
    ['site', 'audit', 'stations', 'stationHome'],
    ['plans', 'newPage', 'quizzes'],
  ],
  [['User', 'Admin'], ['stationHome'], ['site', 'audit', 'webhooks', 'stations', 'plans']],
  [['Kiosk'], ['site', 'account', 'profile', 'quizzes', 'plans', 'newPage'], ['workOrders', 'library']],
] as const)(
  'PALETTE-5 with the privileges %j screens are offered that the person can use',
  ([privileges, none, some]) => {
    const user = { userid: 1, username: 'Ana', privileges: [...privileges] };
    const names: string[] = placesFor({ user, isStation: false }).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...some]));
    expect(names.filter((name) => none.includes(name as never))).toEqual([]);
  },
);

test.for(looks)('the palette is accessible: %s', async ([, look]) => {
  await using app = await bench.open('/', { running: true }, look);
  await openPalette(app);
  expect(await offences(app.page, look)).toEqual([]);
  await field(app).fill('grinder');
  await app.page.getByRole('group', { name: 'Categories' }).waitFor();
  expect(await offences(app.page, look)).toEqual([]);
  await field(app).fill('nothing like it');
  await app.page.getByText('Nothing found for').waitFor();
  expect(await offences(app.page, look)).toEqual([]);
});

test('on a phone the palette fills the window', async () => {
  await using app = await bench.open('/', {}, { width: 390, height: 844, density: 'touch' });
  await app.page.getByRole('button', { name: 'Go to' }).click();
  const box = await app.page.getByRole('dialog').boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
});
