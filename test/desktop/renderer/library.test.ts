import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('the library shows guides, counts and what is ready offline', async () => {
  await using app = await bench.open('/');
  const main = app.page.locator('main');
  // Each guide once, and three categories.
  await expect.poll(() => main.locator('section li').count()).toBe(15);
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

/** The titles of the guides of a section. */
const guidesIn = (app: AppPage, section: string) =>
  app.page.getByRole('region', { name: section }).getByRole('link').allInnerTexts();

test('FIND-9 favourites, opened guides and categories stand before the other guides; none is shown twice', async () => {
  await using app = await bench.open('/', { running: true });
  const { page } = app;
  await page.getByRole('region', { name: 'Running' }).getByRole('link', { name: 'Continue' }).waitFor();
  expect(await guidesIn(app, 'Favourites')).toEqual(['Wheel dressing']);
  expect(await guidesIn(app, 'Opened recently')).toEqual([
    'Bench Grinder Drive Belt Replacement',
    'Magnetic switch test',
    'Soil pulverizer blades',
  ]);
  expect((await guidesIn(app, 'More guides')).length).toBe(8);
  const tiles = page.getByRole('region', { name: 'Categories' });
  expect(await tiles.getByRole('listitem').allInnerTexts()).toEqual([
    'Farm machines\n3 guides',
    'Power units\n2 guides',
    'Workshop\n7 guides',
  ]);
  await tiles.getByRole('link', { name: 'Workshop' }).click();
  await page
    .getByRole('region', { name: 'Categories in Workshop' })
    .getByRole('link', { name: 'Lathe' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Lathe' }).waitFor();
});

test('FIND-6 filters combine, are part of the address and are removed one by one, by the keyboard alone', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  const filter = page.getByRole('button', { name: 'Filter', exact: true });
  await filter.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Ready offline' }).press('Space');
  await expect.poll(() => new URL(page.url()).search).toBe('?mark=ready-offline');
  await page.getByRole('menuitemradio', { name: 'Moderate' }).press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('difficulty')).toBe('Moderate');
  const titles = () => page.locator('main li h2').allInnerTexts();
  await expect
    .poll(titles)
    .toEqual(['Bench Grinder Drive Belt Replacement', 'Soil pulverizer blades', 'Tool post alignment']);
  await page.getByRole('searchbox').fill('tool');
  await expect.poll(() => page.url()).toContain('q=tool');
  await page.getByText('1 guide found').waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('link', { name: 'Lathe 2' }).click();
  await expect.poll(titles).toEqual(['Tool post alignment']);
  await page.reload();
  await expect.poll(titles).toEqual(['Tool post alignment']);
  await page.getByRole('button', { name: 'Moderate: remove this filter' }).press('Enter');
  await expect.poll(titles).toEqual(['Bearing press-fit', 'Tool post alignment']);
  await page.goBack();
  await expect.poll(titles).toEqual(['Tool post alignment']);
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('FIND-6 filters that no guide meets say so', async () => {
  await using app = await bench.open('/?mark=drafts&difficulty=Easy');
  await app.page.getByRole('heading', { name: 'No guide meets all filters' }).waitFor();
});

test('FIND-7 a category has the name of its page in the tree, on tiles, above lists, in results and in guides', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  await app.change({ categoryNames: { 'Bench Grinder': 'Grinding station' } });
  await page.getByRole('link', { name: /^Grinding station/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Grinding station' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/library/Bench%20Grinder');
  await page.getByRole('searchbox').fill('wheel');
  await page.locator('main ol').getByText('Grinding station').waitFor();
  await page.getByRole('link', { name: 'Wheel dressing' }).click();
  await page.getByRole('link', { name: 'Grinding station' }).waitFor();
  expect(await page.getByText('Bench Grinder', { exact: true }).count()).toBe(0);
});

test('FIND-8 cards say only what is unusual about their readiness', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  const badges = () => page.locator('main section li').getByText(/^(Ready offline|Not downloaded)/);
  await expect.poll(() => badges().allInnerTexts()).toEqual(['Not downloaded · 4.1 MB']);
  const { cards } = await page.evaluate(() => window.fixture.world());
  const missing = { state: 'missing', bytes: null } as const;
  await app.change({
    cards: cards.map((card, at) => (at < 3 ? card : { ...card, readiness: missing })),
    storage: {
      journal: 'file',
      readsWait: false,
      insecure: false,
      mediaBytes: 0,
      pictures: { have: 0, of: 0 },
    },
  });
  await page.getByText('12 guides · 3 ready offline', { exact: true }).waitFor();
  await expect.poll(() => badges().allInnerTexts()).toEqual(Array.from({ length: 3 }, () => 'Ready offline'));
});

test('FIND-10 the arrow down leads from the search field to the results, and Enter opens the first one', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  const field = page.getByRole('searchbox');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await field.fill('bench');
  await field.press('ArrowDown');
  await expect.poll(focused).toBe('Bench Grinder Drive Belt Replacement');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('Bench Grinder Lockout and Preparation');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  await field.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/guides/9001');
  await page.goBack();
  await field.fill('filter');
  await field.press('Enter');
  await page.waitForURL('**/guides/109');
});

test('FIND-12 the keyboard skips the tree: three keys lead from the content to the first guide', async () => {
  await using app = await bench.open('/favorites');
  const { page } = app;
  await page.locator('main').focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the guides');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Wheel dressing');
});

test('a large tree is folded, and leaves out categories without guides', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  const fold = page
    .getByRole('navigation', { name: 'Categories' })
    .getByRole('button', { name: 'Categories in Workshop' });
  expect(await fold.getAttribute('aria-pressed')).toBe('true');
  await fold.press('Enter');
  expect(await page.getByRole('link', { name: 'Lathe 2' }).count()).toBe(0);
  const { cards } = await page.evaluate(() => window.fixture.world());
  await app.change({ cards: cards.filter(({ category }) => category !== 'Power units') });
  await expect.poll(() => page.getByRole('link', { name: /^Power units/ }).count()).toBe(0);
});

test('FIND-11 a picture that cannot be loaded is a placeholder, and is tried again when the server is back', async () => {
  await using app = await bench.open('/pages');
  const { page } = app;
  let isUp = false;
  await page.route('**/pictures/**', (route) => (isUp ? route.continue() : route.abort()));
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  const missing = page.locator('main').getByRole('img', { name: 'This picture is not on this device yet' });
  await missing.first().waitFor();
  expect(await page.locator('main img').count()).toBeLessThan(await missing.count());
  const { sync } = await page.evaluate(() => window.fixture.world());
  await app.change({ sync: { ...sync, connection: 'offline' } });
  isUp = true;
  await app.change({ sync: { ...sync, connection: 'online' } });
  await expect.poll(() => missing.count()).toBe(0);
});
