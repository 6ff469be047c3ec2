import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { manyConflicts } from '#test/support/fixture-activity.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const busy = { busy: true };
const path = '/sync/conflicts/9001';

/** The saved decisions, by conflict. */
async function saved(app: AppPage): Promise<unknown[]> {
  return (await app.calls('resolveConflicts')).map((args) => args[1]);
}
/** What is saved of a choice. */
const saw = (conflictid: string, take: 'mine' | 'theirs') => ({
  conflictid,
  versions: `versions of ${conflictid}`,
  choice: { take },
});
const conflict = (app: AppPage, name: RegExp) => app.page.getByRole('radiogroup', { name });
const button = (app: AppPage, name: string) => app.page.getByRole('button', { name, exact: true });

describe('decisions', () => {
  const first = 'step:90002/line:1/text_raw';
  const firstLine = /^Step 2, line 1/;

  test('both versions stand between the other lines of the step, beside its picture', async () => {
    await using app = await bench.open(path, busy);
    await app.page.getByRole('heading', { level: 1, name: '3 decisions for you' }).waitFor();
    const step = app.page.getByRole('region', { name: 'Step 2 · Remove the left guard' });
    await step.getByRole('img', { name: 'Picture of Step 2 · Remove the left guard' }).waitFor();
    await step.getByText('Keep the screws together.').waitFor();
    const mine = step.getByRole('radio', { name: /What you wrote/ });
    const theirs = step.getByRole('radio', { name: /What Ben Okafor wrote/ });
    const words = (side: string) => step.locator(`label [class*="${side}"]`).allInnerTexts();
    expect(await words('mine')).toEqual(['four', 'with a long driver']);
    expect(await words('theirs')).toEqual(['T25', 'from top to bottom']);
    expect(await mine.isChecked()).toBe(false);
    expect(await theirs.isChecked()).toBe(false);
    await step.getByText('Before both edits: “Remove the three T20 screws of the left guard.”').waitFor();
    await app.page.getByText('3 changes merged automatically').click();
    await app.page.getByText('Step 5, line 1: text merged').waitFor();
  });

  test('DECIDE-9 times are shown as times, not as the seconds that are stored', async () => {
    await using app = await bench.open(path, { manyConflicts: true });
    const time = conflict(app, /^Step 6, time/);
    await time.getByRole('radio', { name: /What you wrote.*11 min/ }).waitFor();
    await time.getByRole('radio', { name: /What Ben Okafor wrote.*1 h 30 min/ }).waitFor();
    await time.getByText('Before both edits: “3 min”').waitFor();
  });

  test('DECIDE-2 DECIDE-5 nothing is chosen beforehand, and saving waits for the last choice and says why', async () => {
    await using app = await bench.open(path, busy);
    const save = button(app, 'Save 3 decisions');
    await save.waitFor();
    expect(await app.page.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await save.isDisabled()).toBe(true);
    await app.page.getByText('Choose a version for each of the 3, then save.').waitFor();
    await conflict(app, firstLine)
      .getByRole('radio', { name: /What you wrote/ })
      .press('Space');
    await app.page.getByText('2 of 3 left: choose a version for each, then save.').waitFor();
    await app.page.keyboard.press('Control+Enter');
    await conflict(app, /^Difficulty/)
      .getByRole('radio', { name: /What Ben Okafor wrote/ })
      .press('Space');
    await app.page.getByText('1 of 3 left: choose a version for it, then save.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await conflict(app, /^Step 5, line 3/)
      .getByRole('radio', { name: /Deleted/ })
      .press('Space');
    await app.page.getByText('All 3 are decided. You can save now.').waitFor();
    expect(await saved(app)).toEqual([]);
    await save.click();
    await expect
      .poll(() => saved(app))
      .toEqual([[saw(first, 'mine'), saw('difficulty', 'theirs'), saw('step:90005/line:3', 'theirs')]]);
  });

  test('DECIDE-2 choices are kept while the screen is left, and end when a version changes', async () => {
    await using app = await bench.open(path, busy);
    const mine = conflict(app, firstLine).getByRole('radio', { name: /What you wrote/ });
    await button(app, 'Use all mine').click();
    await app.page.getByText('All 3 are decided.').waitFor();
    await app.page.getByRole('link', { name: 'Decide later' }).click();
    await app.page.getByRole('link', { name: 'Decide', exact: true }).click();
    await app.page.getByText('All 3 are decided.').waitFor();
    const { conflicts } = await app.page.evaluate(() => window.fixture.world());
    const changed = conflicts.map((found) => ({
      ...found,
      conflicts: found.conflicts.map((one) =>
        one.conflictid === 'difficulty'
          ? { ...one, versions: 'others', theirs: [{ text: 'Very difficult', by: 'theirs' as const }] }
          : one,
      ),
    }));
    await app.change({ conflicts: changed });
    await app.page.getByText('1 of 3 left').waitFor();
    expect(await mine.isChecked()).toBe(true);
    expect(
      await conflict(app, /^Difficulty/)
        .getByRole('radio', { checked: true })
        .count(),
    ).toBe(0);
  });

  test('DECIDE-3 every choice can be undone, a choice for all as one', async () => {
    await using app = await bench.open(path, busy);
    const checked = app.page.getByRole('radio', { checked: true });
    await button(app, 'Use all mine').waitFor();
    expect(await button(app, 'Undo').isDisabled()).toBe(true);
    await conflict(app, firstLine)
      .getByRole('radio', { name: /What Ben Okafor wrote/ })
      .press('Space');
    await button(app, 'Use all mine').click();
    await expect.poll(() => checked.count()).toBe(3);
    await button(app, 'Undo').click();
    await expect.poll(() => checked.count()).toBe(1);
    await button(app, 'Undo').click();
    await expect.poll(() => checked.count()).toBe(0);
  });

  test('both texts can be kept, or a new one written, coloured by its authors', async () => {
    await using app = await bench.open(path, busy);
    const one = conflict(app, firstLine);
    await one.getByRole('radio', { name: 'Keep both' }).press('Space');
    await app.page
      .getByRole('region', { name: 'What will be saved' })
      .getByText('from top to bottom / with a long driver')
      .waitFor();
    await one.getByRole('radio', { name: 'Write it anew' }).press('Space');
    const result = app.page.getByRole('textbox', { name: 'What will be saved · edit freely' });
    await result.fill('Remove the four T25 screws, upper first.');
    const behind = app.page.locator('[class*="behind"]');
    expect(await behind.locator('[class*="theirs"]').allInnerTexts()).toEqual(['T25']);
    expect(await behind.locator('[class*="mine"]').first().innerText()).toBe('four');
    expect(
      await conflict(app, /^Difficulty/)
        .getByRole('radio', { name: 'Keep both' })
        .count(),
    ).toBe(0);
  });

  test('DECIDE-4 17 conflicts take two presses, or three with another choice for a step', async () => {
    await using app = await bench.open(path, { manyConflicts: true });
    await app.page.getByRole('heading', { level: 1, name: '17 decisions for you' }).waitFor();
    await button(app, 'Use all of Ben Okafor’s').click();
    await app.page.getByRole('button', { name: 'Use mine here: Step 3 · Part 3' }).click();
    await button(app, 'Save 17 decisions').click();
    const ids = manyConflicts().conflicts.map(({ conflictid }) => conflictid);
    await expect
      .poll(() => saved(app))
      .toEqual([ids.map((id) => saw(id, id.startsWith('step:90003/') ? 'mine' : 'theirs'))]);
  });

  test('DECIDE-6 DECIDE-7 saved decisions can be changed until they are sent or the guide is edited', async () => {
    await using app = await bench.open(path, busy);
    const waiting = (await app.page.evaluate(() => window.fixture.world())).guides;
    await button(app, 'Use all mine').click();
    await button(app, 'Save 3 decisions').click();
    await app.page.getByRole('heading', { name: 'All decisions made' }).waitFor();
    await app.page.getByText('What you chose is on the server.').waitFor();
    expect(await button(app, 'Change the decisions').count()).toBe(0);
    await app.change({ guides: waiting.map((guide) => ({ ...guide, editState: 'queued' as const })) });
    await app.page.getByText('Until then you can change it.').waitFor();
    const { decided } = await app.page.evaluate(() => window.fixture.world());
    await app.change({ decided: [] });
    await expect.poll(() => button(app, 'Change the decisions').count()).toBe(0);
    expect(await app.page.getByText('Until then you can change it.').count()).toBe(0);
    await app.change({ decided });
    await button(app, 'Change the decisions').click();
    await app.page.getByRole('heading', { level: 1, name: '3 decisions for you' }).waitFor();
    expect(await app.page.getByRole('radio', { checked: true }).count()).toBe(0);
  });

  test('DECIDE-5 while the choices are being saved, Ctrl+Enter does not save them again', async () => {
    await using app = await bench.open(path, busy);
    await app.page.evaluate(() => {
      window.fixture.actions.resolveConflicts = () => new Promise(() => undefined);
    });
    await button(app, 'Use all mine').click();
    await app.page.getByText('All 3 are decided.').waitFor();
    await app.page.keyboard.press('Control+Enter');
    await app.page.keyboard.press('Control+Enter');
    expect(await saved(app)).toHaveLength(1);
  });

  test('after the last decision the guide can be read', async () => {
    await using app = await bench.open(path, busy);
    await button(app, 'Use all mine').click();
    await button(app, 'Save 3 decisions').click();
    await app.page.getByRole('link', { name: 'Read the guide' }).click();
    await expect.poll(() => new URL(app.page.url()).pathname).toBe('/guides/9001');
  });

  test('deciding later leaves everything as it is', async () => {
    await using app = await bench.open(path, busy);
    await app.page.getByRole('link', { name: 'Decide later' }).click();
    await app.page.getByRole('heading', { level: 1, name: '3 decisions are waiting for you' }).waitFor();
    await app.page
      .getByRole('button', { name: /Needs 3 decisions/ })
      .first()
      .waitFor();
    expect(await app.calls('resolveConflicts')).toEqual([]);
  });

  test('a guide without conflicts says so', async () => {
    await using app = await bench.open('/sync/conflicts/9002', busy);
    await app.page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
  });
});
