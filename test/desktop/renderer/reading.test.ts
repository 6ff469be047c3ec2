import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const guide = '/guides/9001';

/** How many times the page was printed, with what was on it at that moment. */
function printed(app: AppPage) {
  return app.page.evaluate(() =>
    Object.hasOwn(window, 'prints') ? Reflect.get(window, 'prints') : [],
  ) as Promise<{ heading: string; pictures: number; missing: number }[]>;
}

async function notePrints(app: AppPage): Promise<void> {
  await app.page.evaluate(() => {
    const prints: object[] = [];
    Reflect.set(window, 'prints', prints);
    window.print = () => {
      const images = [...document.querySelectorAll<HTMLImageElement>('article img')];
      prints.push({
        heading: document.querySelector('h1')?.textContent,
        pictures: images.length,
        missing: images.filter((image) => !image.complete || image.naturalWidth === 0).length,
      });
    };
  });
}

test('READ-1 all steps are on one page with pictures, lines and what to record, and each leads to its step', async () => {
  await using app = await bench.open(guide);
  const { page } = app;
  await page.getByRole('button', { name: 'All steps on one page' }).click();
  await page.getByRole('heading', { level: 2, name: 'Step 1: Unplug and let it stop' }).waitFor();
  expect(
    await page
      .locator('article')
      .getByRole('heading', { level: 2, name: /^Step \d+/ })
      .count(),
  ).toBe(10);
  expect(new URL(page.url()).hash).toBe('#all');
  const fourth = page.locator('section', {
    has: page.getByRole('heading', { name: 'Step 4: Take off the belt cover' }),
  });
  await fourth.scrollIntoViewIfNeeded();
  await expect.poll(() => fourth.getByRole('img', { name: /picture \d of 2/ }).count()).toBe(2);
  await page.getByRole('button', { name: 'Open step: Step 4: Take off the belt cover' }).click();
  await page.getByRole('heading', { level: 1, name: 'Take off the belt cover' }).waitFor();
});

test('READ-1 pictures of steps far below are not loaded before a person scrolls to them', async () => {
  await using app = await bench.open(`${guide}#all`, {}, { width: 390, height: 640 });
  const { page } = app;
  await page.getByRole('heading', { level: 2, name: 'Step 1: Unplug and let it stop' }).waitFor();
  const last = page.locator('article section[class*="step"]').last();
  await expect.poll(() => page.locator('article img').count()).toBeGreaterThan(0);
  expect(await last.locator('img').count()).toBe(0);
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => last.locator('img').count()).toBeGreaterThan(0);
});

test('READ-2 Ctrl+P on a step prints all steps once, after every picture has arrived', async () => {
  await using app = await bench.open(`${guide}#s90004`);
  const { page } = app;
  await page.getByRole('heading', { level: 1, name: 'Take off the belt cover' }).waitFor();
  await notePrints(app);
  await page.keyboard.press('Control+p');
  await expect.poll(async () => (await printed(app)).length).toBe(1);
  const [print] = await printed(app);
  expect(print).toMatchObject({ heading: 'Bench Grinder Drive Belt Replacement', missing: 0 });
  expect(print?.pictures).toBeGreaterThan(10);
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect.poll(async () => (await printed(app)).length).toBe(2);
});

test('READ-2 what is printed has no bars and lists, whole steps, and dark text in the dark theme', async () => {
  await using app = await bench.open(`${guide}#all`);
  const { page } = app;
  await page.getByRole('heading', { level: 2, name: 'Step 1: Unplug and let it stop' }).waitFor();
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark';
  });
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation', { name: 'Steps' }).isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Conclusion' }).isVisible()).toBe(false);
  const [tall, shown, lightness] = await page.evaluate(() => {
    const article = document.querySelector('article');
    if (article === null) throw new Error('There is no article');
    const clipped = [...document.querySelectorAll('*')].filter(
      (one) => one.contains(article) && getComputedStyle(one).overflowY === 'auto',
    );
    const canvas = document.createElement('canvas').getContext('2d');
    if (canvas === null) throw new Error('There is no canvas');
    canvas.fillStyle = getComputedStyle(article).color;
    canvas.fillRect(0, 0, 1, 1);
    return [article.scrollHeight, clipped.length, canvas.getImageData(0, 0, 1, 1).data[0]] as const;
  });
  expect(tall).toBeGreaterThan(2000);
  expect(shown).toBe(0);
  expect(lightness).toBeLessThan(80);
});

test('READ-3 the overview lists what to do first with its state, then tools, then parts', async () => {
  await using app = await bench.open(guide);
  const { page } = app;
  const before = page.getByRole('region', { name: 'Preparation' });
  await before.waitFor();
  expect(await before.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'Do first',
    'Tools',
    'Parts',
  ]);
  const first = before.getByRole('listitem').first();
  expect(await first.getByText('Completed').count()).toBe(0);
  const guides = await page.evaluate(() => window.fixture.world().guides);
  await app.change({
    guides: guides.map((one) => ({
      ...one,
      prerequisites: one.prerequisites.map((other) => ({ ...other, completed: true })),
    })),
  });
  await first.getByText('Completed').waitFor();
});

test('READ-4 ticked tools and parts stay over a reload, until they are cleared or 12 hours have passed', async () => {
  await using app = await bench.open(guide);
  const { page } = app;
  const tool = page.getByRole('checkbox', { name: /Torx screwdriver, T20/ });
  const clear = page.getByRole('button', { name: 'Clear ticks' });
  await tool.waitFor();
  expect(await clear.count()).toBe(0);
  await page.getByText('Torx screwdriver, T20').click();
  await clear.waitFor();
  await expect.poll(() => app.calls('keepForm')).not.toEqual([]);
  await page.reload();
  await expect.poll(() => tool.isChecked()).toBe(true);
  await clear.click();
  expect(await tool.isChecked()).toBe(false);
  await page.getByText('Torx screwdriver, T20').click();
  await expect.poll(() => tool.isChecked()).toBe(true);
  await page.clock.setFixedTime(Date.now() + 12.1 * 60 * 60 * 1000);
  await page.reload();
  await tool.waitFor();
  expect(await tool.isChecked()).toBe(false);
});

test('READ-5 a print says that it is a copy, of which revision and from when, and its code leads to the guide', async () => {
  await using app = await bench.open(`${guide}#all`);
  const { page } = app;
  const copy = page.getByText('Printed copy');
  await copy.waitFor({ state: 'attached' });
  expect(await copy.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await copy.isVisible()).toBe(true);
  expect(await page.getByText(/Printed copy · Revision 7 of .* · printed /).isVisible()).toBe(true);
  expect(await page.getByText(/newer version before you use it: https?:\S+\/guides\/9001$/).isVisible()).toBe(
    true,
  );
  expect(await page.getByRole('img', { name: 'The guide on the server, as a QR code' }).isVisible()).toBe(
    true,
  );
});
