import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import { test, type ExpectStatic } from 'vitest';

import { killBrowser, launchProfile } from '#test/support/browser.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';
import { Dice } from '#test/simulation/random.ts';

import { signIn, startWholeApp, status } from './whole-app.ts';

const kills = isLongRun ? 200 : 1;
/** Maximum life of a browser after a person has started to type, ms. */
const longestLife = 2500;
/** Bytes that the app reserves for a full disk (`opfs-files.ts`). */
const reserve = 4 * 1024 * 1024;
const label = 'Summary';

/** The state of the app on the screen. */
interface Shown {
  /** The text of the field. */
  text: string;
  isSaved: boolean;
  /** Whether it reports a full storage. */
  isFull: boolean;
}

/** Reads the screen; null: the browser has been killed. */
function shownBy(page: Page): Promise<Shown | null> {
  const read = page.evaluate((name) => {
    const field = [...document.querySelectorAll('textarea')].find(({ labels }) =>
      [...labels].some(({ textContent }) => textContent.startsWith(name)),
    );
    const says = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent);
    return {
      text: field?.value ?? '',
      isSaved: says.some((words) => words.startsWith('Saved on this device')),
      isFull: document.body.textContent.includes('no space left'),
    };
  }, label);
  return read.catch(() => null);
}

/** From now on the browser's quota is `over` bytes below its use, so only the app's reserve is left. */
async function fillStorage(page: Page, over: number): Promise<void> {
  const { origin } = new URL(page.url());
  const session = await page.context().newCDPSession(page);
  const { usage } = await session.send('Storage.getUsageAndQuota', { origin });
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: Math.max(1, usage - over) });
}

/** A person types until the browser is killed, repeatedly; text that the app called saved is never lost. */
async function typeAndKill(isFull: boolean, expect: ExpectStatic): Promise<{ timesFull: number }> {
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
  /** All texts of the field in order, and the last one that was called saved. */
  const texts = [''];
  let saved = 0;
  let timesFull = 0;
  for (let round = 0; round <= kills; round += 1) {
    const page = await open(round === 0);
    const field = page.getByLabel(label, { exact: true });
    const found = texts.lastIndexOf(await field.inputValue());
    expect(found, `kill ${round}: ${texts[saved]}`).toBeGreaterThanOrEqual(saved);
    texts.length = found + 1;
    saved = found;
    if (round === kills) {
      await field.fill('Typed at the end');
      await page.getByRole('button', { name: 'Save to the server' }).click();
      const summary = async (): Promise<unknown> => (await seenBy(server, ada, 'guides'))[0]?.doc;
      await expect.poll(summary).toMatchObject({ summary: 'Typed at the end' });
      break;
    }
    // No prefix of it was in the field in an earlier round.
    const words = `${String.fromCodePoint(0x100 + round)} ${dice.times(60, () => dice.below(36).toString(36)).join('')}`;
    texts.push('', ...Array.from(words, (_, index) => words.slice(0, index + 1)));
    // By chance every browser might be killed before its storage is full: the first one is killed only when the app
    // reported it.
    const isSurelyFull = isFull && round === 0;
    const full = Promise.withResolvers<void>();
    if (isSurelyFull) await fillStorage(page, 2 * reserve);
    let wasFull = false;
    /** The storage may shrink meanwhile: the person continues, and it is filled again until it is full. */
    const typeOn = async (): Promise<void> => {
      for (let text = words; isSurelyFull && !wasFull;) {
        await fillStorage(page, 2 * reserve);
        text += 'x';
        texts.push(text);
        await field.press('x');
        await sleep(200);
      }
    };
    const typing = field
      .fill('')
      .then(() => field.pressSequentially(words, { delay: dice.below(40) }))
      .then(typeOn)
      .catch(() => undefined);
    const filling =
      isFull && !isSurelyFull
        ? sleep(dice.below(longestLife / 2)).then(() =>
            fillStorage(page, dice.below(2 * reserve)).catch(() => undefined),
          )
        : undefined;
    const death = (isSurelyFull ? full.promise : sleep(dice.below(longestLife))).then(() =>
      killBrowser(profile),
    );
    for (let shown = await shownBy(page); shown !== null; shown = await shownBy(page)) {
      if (shown.isSaved) saved = Math.max(saved, texts.lastIndexOf(shown.text));
      wasFull ||= shown.isFull;
      if (wasFull) full.resolve();
    }
    if (wasFull) timesFull += 1;
    await Promise.all([typing, filling, death]);
  }
  return { timesFull };
}

// Most of the time is waiting.
test.concurrent('JOURNAL-1 JOURNAL-2 work shown as saved survives killing the browser', async ({
  expect,
}) => {
  await typeAndKill(false, expect);
});

test.concurrent('JOURNAL-1 JOURNAL-2 JOURNAL-10 work shown as saved survives killing the browser when its storage is full', async ({
  expect,
}) => {
  const { timesFull } = await typeAndKill(true, expect);
  expect(timesFull).toBeGreaterThan(0);
});
