import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const busy = { busy: true };

describe('decisions', () => {
  const path = '/sync/conflicts/9001';
  const resolved = async (app: AppPage) => (await app.calls('resolveConflict')).map((args) => args.slice(1));
  const first = 'step:90002/line:1/text_raw';
  const result = (app: AppPage) =>
    app.page.getByRole('textbox', { name: 'What will be saved · edit freely' });

  test('both texts, the base text, and the joined one are shown', async () => {
    await using app = await bench.open(path, busy);
    await app.page.getByRole('heading', { level: 1, name: 'Step 2, line 1' }).waitFor();
    const mine = app.page.getByRole('region', { name: /What you wrote/ });
    const theirs = app.page.getByRole('region', { name: /What Ben Okafor wrote/ });
    expect(await mine.locator('[class*="mine"]').allInnerTexts()).toEqual(['four', 'with a long driver']);
    expect(await theirs.locator('[class*="theirs"]').allInnerTexts()).toEqual(['T25', 'from top to bottom']);
    expect(await result(app).inputValue()).toBe(
      'Remove the four T25 screws of the left guard with a long driver.',
    );
    await app.page.getByText('Before both edits: “Remove the three T20 screws of the left guard.”').waitFor();
    await app.page.getByText('3 changes merged automatically').click();
    await app.page.getByText('Step 5, line 1: text merged').waitFor();
  });

  test.for([
    ['Use mine', 'Remove the four T20 screws of the left guard with a long driver.', { take: 'mine' }],
    [
      'Use Ben Okafor’s',
      'Remove the three T25 screws of the left guard from top to bottom.',
      { take: 'theirs' },
    ],
    [
      'Keep both',
      'Remove the four T25 screws of the left guard from top to bottom / with a long driver.',
      { take: 'both' },
    ],
  ] as const)('“%s” and Save this line decide with two presses', async ([button, words, choice]) => {
    await using app = await bench.open(path, busy);
    await app.page.getByRole('button', { name: button }).click();
    expect(await result(app).inputValue()).toBe(words);
    await app.page.getByRole('button', { name: 'Save this line' }).click();
    await expect.poll(() => resolved(app)).toEqual([[first, choice]]);
    await app.page.getByRole('heading', { level: 1, name: 'Difficulty' }).waitFor();
  });

  test('free text is saved, coloured by its authors, by keyboard alone', async () => {
    await using app = await bench.open(path, busy);
    await result(app).fill('Remove the four T25 screws, upper first.');
    const behind = app.page.locator('[class*="behind"]');
    expect(await behind.locator('[class*="theirs"]').allInnerTexts()).toEqual(['T25']);
    expect(await behind.locator('[class*="mine"]').first().innerText()).toBe('four');
    await result(app).press('Control+Enter');
    await expect
      .poll(() => resolved(app))
      .toEqual([[first, { take: 'text', text: 'Remove the four T25 screws, upper first.' }]]);
  });

  test('values and deletions are chosen as they are; the last decision leads on', async () => {
    await using app = await bench.open(path, busy);
    await app.page.getByRole('button', { name: /Difficulty/ }).click();
    await app.page.getByRole('heading', { level: 1, name: 'Difficulty' }).waitFor();
    expect(await app.page.getByRole('button', { name: 'Keep both' }).count()).toBe(0);
    expect(await result(app).count()).toBe(0);
    await app.page.getByRole('button', { name: 'Use mine' }).click();
    await app.page.getByRole('button', { name: 'Save this choice' }).click();
    await app.page.getByRole('button', { name: /Step 5, line 3/ }).click();
    await app.page.getByText('You changed it, and Ben Okafor deleted it.').waitFor();
    await app.page.getByRole('button', { name: 'Delete it' }).click();
    await app.page.getByRole('button', { name: 'Save this line' }).click();
    await app.page.getByRole('heading', { level: 1, name: 'Step 2, line 1' }).waitFor();
    await app.page.getByRole('button', { name: 'Save this line' }).click();
    await app.page.getByRole('heading', { name: 'All decisions made' }).waitFor();
    await app.page.getByText('What you chose is on the server.').waitFor();
    const waiting = (await app.page.evaluate(() => window.fixture.world())).guides;
    await app.change({ guides: waiting.map((guide) => ({ ...guide, editState: 'queued' as const })) });
    await app.page.getByText('What you chose is saved on this device').waitFor();
    expect(await resolved(app)).toEqual([
      ['difficulty', { take: 'mine' }],
      ['step:90005/line:3', { take: 'theirs' }],
      [first, { take: 'text', text: 'Remove the four T25 screws of the left guard with a long driver.' }],
    ]);
    await app.page.getByRole('link', { name: 'Read the guide' }).click();
    await expect.poll(() => new URL(app.page.url()).pathname).toBe('/guides/9001');
  });

  test('deciding later leaves everything as it is', async () => {
    await using app = await bench.open(path, busy);
    await app.page.getByText('The other text stays in the history.').waitFor();
    await app.page.getByRole('link', { name: 'Decide later' }).click();
    await app.page.getByRole('heading', { level: 1, name: '2 decisions are waiting for you' }).waitFor();
    expect(await app.calls('resolveConflict')).toEqual([]);
  });

  test('a guide without conflicts says so', async () => {
    await using app = await bench.open('/sync/conflicts/9002', busy);
    await app.page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
  });
});
