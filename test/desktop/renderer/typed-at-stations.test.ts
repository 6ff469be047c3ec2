import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoStation, demoStationOrder } from '#test/support/fixture-station.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { ownOrder, runOwn, scan } from './station-walk.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const kiosk = { width: 1280, height: 800, density: 'kiosk' } as const;
const step = '/guides/9001#s90004';

/** A place at which a person enters something that is not recorded yet. */
interface Place {
  path: string;
  /** Goes from the screen at `path` to the place. */
  open: (app: AppPage) => Promise<unknown>;
  /** What is entered. */
  words: string;
  enter: (page: Page) => Promise<unknown>;
  /** What the place shows. */
  shown: (page: Page) => Promise<string>;
  /** It is open again when the person returns. */
  isOpenAgain?: boolean;
}

const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).last();

const field = (label: string, words: string): Pick<Place, 'words' | 'enter' | 'shown'> => ({
  words,
  enter: (page) => page.getByLabel(label, { exact: true }).fill(words),
  shown: (page) => page.getByLabel(label, { exact: true }).inputValue(),
});

async function chooseMove({ page }: AppPage, name: string): Promise<void> {
  await button(page, 'More actions for this work order').click();
  await page.getByRole('menuitem', { name }).click();
}

const places: Record<string, Place> = {
  'a comment': {
    path: step,
    open: ({ page }) => button(page, 'Add a comment').click(),
    ...field('Comments on this step', 'Screw is a T25'),
    isOpenAgain: true,
  },
  'a reply': {
    path: step,
    open: ({ page }) => button(page, 'Reply').click(),
    ...field('Reply to Ben Okafor', 'Thank you'),
    isOpenAgain: true,
  },
  'the edit of a comment': {
    path: step,
    open: ({ page }) => button(page, 'Edit').click(),
    ...field('Your comment', 'Seen twice'),
    isOpenAgain: true,
  },
  'digits in the number pad': {
    path: step,
    open: ({ page }) => button(page, /^Screw torque/).click(),
    words: '2.412',
    async enter(page) {
      for (const key of ['1', '2'])
        await page.getByRole('dialog').getByRole('button', { name: key, exact: true }).click();
    },
    shown: (page) => page.getByRole('dialog').getByRole('status').innerText(),
    isOpenAgain: true,
  },
  'the note of a suspended order': {
    path: step,
    open: (app) => chooseMove(app, 'Suspend for handover'),
    ...field('Note for the next person', 'Left hinge is next'),
  },
  'a reason at the end': {
    path: step,
    open: (app) => chooseMove(app, 'Finish'),
    words: 'No wrench here',
    enter: (page) => page.getByRole('dialog').getByRole('textbox').first().fill('No wrench here'),
    shown: (page) => page.getByRole('dialog').getByRole('textbox').first().inputValue(),
  },
  'the note of a hand-over': {
    path: '/station',
    async open({ page }) {
      await button(page, /: sign out/).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText('Hand over').click();
    },
    ...field('Note for whoever takes over', 'Belt is off'),
  },
  'the number of a new order': {
    path: '/guides/9002',
    open: ({ page }) => button(page, 'Start work order').click(),
    ...field('Work order number', 'WO-77'),
  },
  'the number of an order that is started by its number': {
    path: '/work-orders',
    open: async () => undefined,
    ...field('Work order number', 'WO-78'),
    isOpenAgain: true,
  },
};

/** Each has one. */
function bothOrders() {
  return [ownOrder(), demoStationOrder()];
}

/** Nobody touches the station. */
async function lockIdle(app: AppPage): Promise<void> {
  const lock = { why: 'idle', userid: 9101, username: 'Ana Ruiz', at: Date.now() } as const;
  await app.change({ station: { ...demoStation(null), lock, running: bothOrders() } });
  await app.page.getByRole('heading', { name: 'Scan your badge' }).waitFor();
}

async function signIn(app: AppPage, badge: 'ANA' | 'BEN'): Promise<void> {
  await scan(app, badge);
  await app.page.getByRole('button', { name: badge === 'ANA' ? /^Ana Ruiz: / : /^Ben Okafor: / }).waitFor();
}

/** As a link would. */
async function go({ page }: AppPage, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
}

for (const [name, { path, open, words, enter, shown, isOpenAgain = false }] of Object.entries(places))
  test(`FORM-7 ${name} is there for the same person after a lock and a restart, and for nobody else`, async () => {
    await using app = await bench.open(path, { station: 'signed-in', running: true }, kiosk);
    await runOwn(app);
    await open(app);
    await enter(app.page);
    expect(await shown(app.page)).toBe(words);
    await lockIdle(app);

    await signIn(app, 'BEN');
    await go(app, path);
    await open(app);
    expect(await shown(app.page)).not.toBe(words);
    expect(await app.page.content()).not.toContain(words);
    await lockIdle(app);

    await signIn(app, 'ANA');
    if (!isOpenAgain) await open(app);
    await expect.poll(() => shown(app.page)).toBe(words);

    await app.page.reload();
    await runOwn(app);
    if (!isOpenAgain) await open(app);
    await expect.poll(() => shown(app.page)).toBe(words);
    expect(app.errors).toEqual([]);
  });

test('FORM-7 FORM-8 the note and the photos of a report are there after a lock and a restart, and are sent', async () => {
  await using app = await bench.open(step, { station: 'signed-in', running: true }, kiosk);
  const { page } = app;
  const panel = page.getByRole('region', { name: 'Screw torque after refitting' });
  const measure = async () => {
    await button(page, /^Screw torque/).click();
    const pad = page.getByRole('dialog');
    for (let times = 0; times < 3; times += 1) await button(page, 'Delete last digit').click();
    await pad.getByRole('button', { name: '9', exact: true }).click();
    await button(page, 'Save value').click();
  };
  await measure();
  await panel.getByLabel('What happened?').fill('Over-tightened');
  const chooser = page.waitForEvent('filechooser');
  await panel.getByRole('button', { name: 'Add a photo' }).click();
  const picture = { name: 'gap.png', mimeType: 'image/png', buffer: Buffer.from('not really a picture') };
  await (await chooser).setFiles([picture, { ...picture, name: 'thread.png' }]);
  await panel.getByAltText('Photo 2').waitFor();
  await panel.getByRole('button', { name: 'Remove photo 1' }).click();
  await panel.getByAltText('Photo 2').waitFor({ state: 'detached' });
  await lockIdle(app);
  await signIn(app, 'BEN');
  await go(app, step);
  await panel.getByLabel('What happened?').waitFor();
  expect(await panel.getByAltText('Photo 1').count()).toBe(0);
  await lockIdle(app);
  await signIn(app, 'ANA');
  await panel.getByAltText('Photo 1').waitFor();
  await page.reload();
  // The world of the fixture begins anew, with what the device keeps.
  await measure();
  await panel.getByAltText('Photo 1').waitFor();
  expect(await panel.getByLabel('What happened?').inputValue()).toBe('Over-tightened');
  await panel.getByRole('button', { name: 'Report and continue' }).click();
  await page.getByText('Waiting for a lead').waitFor();
  expect(await app.calls('reportDeviation')).toMatchObject([['501', { note: 'Over-tightened' }]]);
  const sent = await page.evaluate(() => {
    const call = window.fixture.calls.findLast(({ action }) => action === 'reportDeviation');
    const [, report] = (call?.args ?? []) as [string, { pictures: File[] }];
    return report.pictures.map(({ name }) => name);
  });
  expect(sent).toEqual(['thread.png']);
});

test('FORM-7 a number that its field refuses stays in it over a lock', async () => {
  await using app = await bench.open(step, { station: 'signed-in', running: true }, kiosk);
  const { page } = app;
  await button(page, /^Screw torque/).click();
  const pad = page.getByRole('dialog');
  for (let times = 0; times < 3; times += 1) await button(page, 'Delete last digit').click();
  await pad.getByRole('button', { name: 'Change sign' }).click();
  await button(page, 'Save value').click();
  await page.getByText('1 value is not recorded').waitFor();
  await lockIdle(app);
  await signIn(app, 'ANA');
  await page.getByText('1 value is not recorded').waitFor();
  await page.getByRole('button', { name: /^Screw torque after refitting - / }).waitFor();
  await page.reload();
  await page.getByText('1 value is not recorded').waitFor();
});

test('FORM-7 somebody who takes over the screen at the same place does not see what is being written', async () => {
  await using app = await bench.open(step, { station: 'signed-in', running: true }, kiosk);
  const { page } = app;
  await button(page, 'Add a comment').click();
  const comment = page.getByLabel('Comments on this step');
  await comment.fill('Of Ana');
  const switchTo = async (badge: 'ANA' | 'BEN') => {
    await button(page, 'Switch person').click();
    await page.getByRole('dialog').waitFor();
    await signIn(app, badge);
  };
  await switchTo('BEN');
  await go(app, step);
  await button(page, 'Add a comment').click();
  expect(await comment.inputValue()).toBe('');
  await comment.fill('Of Ben');
  await switchTo('ANA');
  await expect.poll(() => comment.inputValue()).toBe('Of Ana');
  await switchTo('BEN');
  await expect.poll(() => comment.inputValue()).toBe('Of Ben');
  await button(page, 'Post comment').click();
  await comment.waitFor({ state: 'detached' });
  await switchTo('ANA');
  await expect.poll(() => comment.inputValue()).toBe('Of Ana');
  await button(page, 'Discard').click();
  await switchTo('BEN');
  await switchTo('ANA');
  await button(page, 'Add a comment').waitFor();
  expect((await app.calls('comment')).map(([, , words]) => words)).toEqual(['Of Ben']);
});

test.each([
  { where: 'at a station', path: '/station', station: 'signed-in', look: kiosk },
  { where: 'in the app', path: '/work-orders', station: undefined, look: undefined },
] as const)(
  'FORM-9 what was typed in an order that ended meanwhile is shown until it is discarded, $where',
  async ({ path, station, look }) => {
    await using app = await bench.open(step, { running: true, ...(station && { station }) }, look);
    const { page } = app;
    await chooseMove(app, 'Suspend for handover');
    await page.getByRole('dialog').getByRole('textbox').fill('The guard is loose');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const left = page.getByRole('note').filter({ hasText: 'The guard is loose' });
    await go(app, path);
    await page.getByRole('main').waitFor();
    expect(await left.count()).toBe(0);
    await page.evaluate(() =>
      window.fixture.change(({ orders }) => ({
        orders: orders.map((one) => (one.mine ? { ...one, status: 'complete', running: false } : one)),
      })),
    );
    await left.getByText(/You typed this in WO-/).waitFor();
    await app.change({ orders: [] });
    await left.getByText(/no longer on this device/).waitFor();
    await left.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => left.count()).toBe(0);
  },
);
