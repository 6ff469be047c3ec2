import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** The editor on a guide of 200 steps. */
async function openLongGuide(): Promise<AppPage> {
  const app = await bench.open('/guides/9001/edit');
  await app.page.evaluate(() =>
    window.fixture.change((now) => ({
      drafts: now.drafts.map((draft) => {
        const steps = Array.from({ length: 200 }, (_, index) => ({
          ...(draft.content.steps[index % draft.content.steps.length] ?? { lines: [], time_estimate: 0 }),
          key: `k${index + 1}`,
          title: `Part ${index + 1}`,
          media: { type: 'image' as const, data: [] },
        }));
        const content = { ...draft.content, steps };
        return { ...draft, base: content, content };
      }),
    })),
  );
  await app.page.getByRole('row', { name: 'Part 1', exact: true }).waitFor();
  return app;
}

function order(app: AppPage): Promise<string[]> {
  return app.page.evaluate(
    () => window.fixture.world().drafts[0]?.content.steps.map(({ title }) => title) ?? [],
  );
}

test('of a guide with 200 steps only visible ones are drawn, and the keys reach all of them', async () => {
  await using app = await openLongGuide();
  const { page } = app;
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.getByRole('row', { name: 'Part 1', exact: true }).focus();
  await page.keyboard.press('End');
  const last = page.getByRole('row', { name: 'Part 200', exact: true });
  await last.waitFor();
  expect(await last.innerText()).toContain('200');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(async () => (await order(app)).slice(-2)).toEqual(['Part 200', 'Part 199']);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-key'))).toBe('k200');
  await expect.poll(() => last.innerText()).toContain('199');
  expect(await page.getByRole('button', { name: 'Add step', exact: true }).isVisible()).toBe(true);
});
