import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('the library shows guides, counts and what is ready offline', async () => {
  await using app = await bench.open('/');
  const main = app.page.locator('main');
  await expect.poll(() => main.getByRole('heading', { level: 2 }).count()).toBe(12);
  expect(await main.getByText('12 guides · 11 ready offline · 1.2 GB on this device').isVisible()).toBe(true);
  expect(await main.getByText('Not downloaded · 4.1 MB').isVisible()).toBe(true);
  expect(await main.getByRole('link', { name: 'Workshop 7' }).isVisible()).toBe(true);
});

test('a category narrows the library and is part of the address', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('link', { name: 'Lathe 2' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Lathe' }).waitFor();
  expect(new URL(app.page.url()).pathname).toBe('/library/Lathe');
  expect(await app.page.locator('main').getByRole('heading', { level: 2 }).count()).toBe(2);
  expect(await app.page.getByRole('link', { name: 'Lathe 2' }).getAttribute('aria-current')).toBe('page');
});

test('searching filters while typing, marks matches, and can be cleared', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('searchbox').fill('frame');
  await app.page.getByText('1 guide found').waitFor();
  await expect.poll(() => app.page.locator('main mark').allInnerTexts()).toEqual(['Frame']);
  await expect.poll(() => app.page.url()).toContain('?q=frame');
  await app.page.getByRole('searchbox').fill('nothing like it');
  await app.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await app.page.getByRole('button', { name: 'Clear search' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});

test('searching from another screen leads to the library', async () => {
  await using app = await bench.open('/work-orders');
  await app.page.getByRole('searchbox').pressSequentially('lock');
  await app.page.getByRole('heading', { level: 1, name: 'Results for “lock”' }).waitFor();
  expect(await app.page.getByRole('searchbox').inputValue()).toBe('lock');
});

test('the star makes a favourite, which appears on its own shelf', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: 'Favourite: Filter change' }).click();
  expect(await app.calls('favorite')).toEqual([['109', true]]);
  await app.page.getByRole('link', { name: 'Favourites 2' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Favourites' }).waitFor();
  expect(await app.page.locator('main').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
    'Filter change',
    'Wheel dressing',
  ]);
});

test('download all requests exactly the incomplete guides', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: 'Download all' }).click();
  await expect.poll(() => app.calls('downloadGuides')).toEqual([[['102']]]);
  await app.page.getByText('12 guides · 12 ready offline').waitFor();
  expect(await app.page.getByRole('button', { name: 'Download all' }).count()).toBe(0);
});

test('a new guide opens a draft and goes to its editor', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: 'New guide' }).click();
  await app.page.waitForURL(/\/guides\/tmp:[^/]+\/edit$/);
  expect(await app.calls('openDraft')).toEqual([[null]]);
});

test('empty shelves say what they are for', async () => {
  await using app = await bench.open('/', { empty: true });
  await app.page.getByRole('heading', { name: 'No guides yet' }).waitFor();
  await app.page.getByRole('link', { name: 'Favourites 0' }).click();
  await app.page.getByText('Press the star on a guide to add it here.').waitFor();
});

test('a guide that is being downloaded shows how many of its files are stored', async () => {
  await using app = await bench.open('/');
  const { cards } = await app.page.evaluate(() => window.fixture.world());
  const readiness = { state: 'downloading', done: 2, total: 5 } as const;
  await app.change({ cards: cards.map((card, index) => (index === 0 ? { ...card, readiness } : card)) });
  await app.page.getByText('Downloading · 2 of 5 files').waitFor();
});

test('during the initial sync the library shows the progress', async () => {
  await using app = await bench.open('/', { empty: true });
  const { sync } = await app.page.evaluate(() => window.fixture.world());
  await app.change({ sync: { ...sync, phase: 'first-sync', progress: { received: 1200, total: 5000 } } });
  await app.page.getByText('Receiving guides: 1,200 of 5,000').waitFor();
  expect(await app.page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1200');
});

test('of 5,000 guides the first cards appear immediately, more while scrolling', async () => {
  await using app = await bench.open('/', { guides: 5000 });
  const cards = app.page.locator('main').getByRole('heading', { level: 2 });
  await app.page.getByText('5,000 guides').first().waitFor();
  const before = await cards.count();
  expect(before).toBeLessThanOrEqual(200);
  await app.page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await expect.poll(() => cards.count()).toBeGreaterThan(before);
});

test('a kiosk is not offered a new guide, not even by its address', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  await page.getByRole('button', { name: 'New guide' }).waitFor();
  await page.evaluate(() =>
    window.fixture.change(({ session }) => ({
      session: { ...session, user: { userid: 9105, username: 'Line B', privileges: ['Kiosk'] } },
    })),
  );
  await expect.poll(() => page.getByRole('button', { name: 'New guide' }).count()).toBe(0);
  await page.evaluate(() => history.pushState(null, '', '/guides/new/edit'));
  await page.getByRole('heading', { name: 'You can read this guide but not edit it' }).waitFor();
  expect(await app.calls('openDraft')).toEqual([]);
});
