import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { launchProfile } from '#test/support/browser.ts';
import { killBrowser } from '#test/support/kill-browser.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';
import { Dice } from '#test/simulation/random.ts';

import { signIn, startWholeApp, status } from './whole-app.ts';

const kills = isLongRun ? 200 : 3;
/** How long a browser lives at most after a person has begun to type, ms. */
const longestLife = 2500;
const label = 'Summary';

/** Text of the field, and whether the app says that it is saved, both of one moment; null: the browser is gone. */
function shownBy(page: Page): Promise<{ text: string; isSaved: boolean } | null> {
  const read = page.evaluate((name) => {
    const field = [...document.querySelectorAll('textarea')].find(({ labels }) =>
      [...labels].some(({ textContent }) => textContent.startsWith(name)),
    );
    const says = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent);
    return {
      text: field?.value ?? '',
      isSaved: says.some((words) => words.startsWith('Saved on this device')),
    };
  }, label);
  return read.catch(() => null);
}

test(`J1 J2 nothing that the app called saved is gone when the browser is killed, ${kills} times`, async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada } = await startWholeApp(resources);
  const guide = await makeGuide(ada);
  const profile = resources.use(await temporaryFolder('device-profile')).path;
  const dice = new Dice(1);
  const open = async (isFirst: boolean): Promise<Page> => {
    const context = await launchProfile(profile);
    resources.defer(() => context.close().catch(() => undefined));
    const page = await context.newPage();
    await page.goto(server.url);
    if (isFirst) await signIn(page);
    await status(page, /^(Synced|\d+ draft)/);
    await page.goto(`${server.url}/guides/${guide.guideid}/edit`);
    await page.getByLabel(label, { exact: true }).waitFor();
    return page;
  };
  /** Everything that stood in the field, in its order, and the last of it that was called saved. */
  const texts = [''];
  let saved = 0;
  for (let round = 0; round <= kills; round += 1) {
    const page = await open(round === 0);
    const field = page.getByLabel(label, { exact: true });
    const found = texts.lastIndexOf(await field.inputValue());
    expect(found, `kill ${round}: ${texts[saved]}`).toBeGreaterThanOrEqual(saved);
    texts.length = found + 1;
    saved = found;
    if (round === kills) {
      await page.getByRole('button', { name: 'Save to the server' }).click();
      const summary = async (): Promise<unknown> => (await seenBy(server, ada, 'guides'))[0]?.doc;
      await expect.poll(summary).toMatchObject({ summary: texts[saved] });
      break;
    }
    const words = `Kill ${round} ${Array.from({ length: 60 }, () => dice.below(36).toString(36)).join('')}`;
    texts.push('', ...Array.from(words, (_, index) => words.slice(0, index + 1)));
    const typing = field
      .fill('')
      .then(() => field.pressSequentially(words, { delay: dice.below(40) }))
      .catch(() => undefined);
    const death = sleep(dice.below(longestLife)).then(() => killBrowser(profile));
    for (let shown = await shownBy(page); shown !== null; shown = await shownBy(page))
      if (shown.isSaved) saved = Math.max(saved, texts.lastIndexOf(shown.text));
    await Promise.all([typing, death]);
  }
});
