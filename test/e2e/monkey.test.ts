import sharp from 'sharp';
import { expect, test } from 'vitest';

import { screenList } from '#shared/rules/screens.ts';
import { isLongRun } from '#test/support/long-run.ts';

import { sharedBrowser } from '#test/support/browser.ts';

import { breachesIn } from './monkey/laws.ts';
import { playMonkey, type Playground } from './monkey/monkey.ts';
import { type Action, planOf } from './monkey/plan.ts';
import { shorten } from './monkey/shorten.ts';
import { signIn, startWithForm, status } from './whole-app.ts';

const seed = Number(process.env['BENCHBOOK_SEED'] ?? 1);
const actions = Number(process.env['BENCHBOOK_MONKEY_ACTIONS'] ?? (isLongRun ? 20_000 : 60));
/** Actions on one device; then another one is used, so that waiting calls do not grow without limit. */
const perDevice = 1000;

async function startPlayground(resources: AsyncDisposableStack): Promise<Playground> {
  const { guide, device } = await startWithForm(resources);
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
  const guidePath = `/guides/${guide.guideid}`;
  const places = screenList.flatMap(([, { path, sees, isAlone }]) =>
    path.includes(':') || sees === 'administrator' || isAlone === true ? [] : [path],
  );
  return {
    device,
    photo,
    paths: [...places, guidePath, guidePath, `${guidePath}/edit`, `${guidePath}/edit`],
  };
}

for (let from = 0; from < actions; from += perDevice) {
  const number = seed + from / perDevice;
  test(
    `MONKEY-1–MONKEY-6 random taps and typing never break the laws of the app: seed ${number}`,
    // They mostly wait.
    { timeout: 10_800_000, concurrent: true },
    async () => {
      const plan = planOf(number, Math.min(perDevice, actions - from));
      const play = async (some: readonly Action[]) => {
        await using resources = new AsyncDisposableStack();
        return await playMonkey(await startPlayground(resources), some);
      };
      const failure = await play(plan);
      if (failure === null) return;
      const played = plan.slice(0, failure.done);
      const short = isLongRun ? await shorten(played, failure.breach.rule, play, 20) : played;
      expect.unreachable(
        [
          `Seed ${number}, ${failure.breach.rule}: ${failure.breach.what}`,
          `The last of ${failure.done} actions:`,
          ...failure.log.slice(-25),
          `${short.length} actions are enough: ${JSON.stringify(short)}`,
        ].join('\n'),
      );
    },
  );
}

const navigation = (count: string) => `<nav aria-label="Main"><a href="/sync">Sync ${count}</a></nav>`;
const pill = (words: string) =>
  `<div role="group" aria-label="Sync status"><a href="/sync">${words}</a></div>`;
const rows = (...states: string[]) =>
  `<nav aria-label="What you did"><ul>${states.map((state) => `<li><button><b>${state}</b> Belt</button></li>`).join('')}</ul></nav>`;
const two = '<span data-count="2">2</span>';

test.each([
  ['MONKEY-1', 'a screen that gave up', `${navigation('')}${pill('Synced')}Couldn’t show this screen`],
  ['MONKEY-2', 'an exception', `${navigation('')}${pill('Synced')}TypeError: x is not a function`],
  ['MONKEY-2', 'a value that is none', `${navigation('')}${pill('Synced')}Saved undefined minutes ago`],
  ['MONKEY-3', 'a screen without a way out', '<p>Nothing here</p>'],
  ['MONKEY-3', 'a dialog without a way out', '<a href="/">Home</a><div role="dialog"><p>Wait</p></div>'],
  ['MONKEY-4', 'a missing status', navigation('')],
  ['MONKEY-4', 'a count that is too low', `${navigation(two)}${pill('3 changes need your attention')}`],
  ['MONKEY-4', 'a count without a list', `${navigation(two)}${pill('Synced')}${rows('On the server')}`],
  [
    'MONKEY-5',
    'hidden work',
    `${navigation('')}${pill('Synced just now')}${rows('Queued', 'On the server')}`,
  ],
])('MONKEY-7 %s notices %s', async (rule, _, html) => {
  const browser = await sharedBrowser();
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent(html);
  expect((await breachesIn(page)).map((breach) => breach.rule)).toEqual([rule]);
});

test('MONKEY-7 a correct page breaks no law', async () => {
  const browser = await sharedBrowser();
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent(
    `${navigation(two)}${pill('2 changes need your attention')}${rows('Refused by the server', 'Needs a decision', 'On the server')}`,
  );
  expect(await breachesIn(page)).toEqual([]);
});
