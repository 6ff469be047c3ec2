import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { StationArrival, StationDetail } from '#shared/model/station.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { ok } from '#test/support/approvals.ts';
import type { TestPerson } from '#test/support/server.ts';
import { typeKeys } from '#test/support/type-keys.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { go, startWholeApp, status } from './whole-app.ts';

const proof = { current_password: 'a long password' };
/** The numbers of badges are like those of work orders, which readers cannot tell apart. */
const badges = { ana: 'WO-ANA-77' };
const pins = { ana: '2468', ben: '1357' };

/** A finger on the screen, which counts its taps. */
class Finger {
  taps = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async tap(target: Locator): Promise<void> {
    await target.tap();
    this.taps += 1;
  }

  press(name: string | RegExp): Promise<void> {
    return this.tap(this.page.getByRole('button', { name, exact: true }).last());
  }

  /** Types with the keyboard on the screen. */
  async type(text: string): Promise<void> {
    const keyboard = this.page.getByRole('group', { name: 'Keyboard on the screen' });
    for (const key of text)
      await this.tap(keyboard.getByRole('button', { name: key === ' ' ? 'Space' : key, exact: true }));
  }

  async pin(pin: string): Promise<void> {
    const pad = this.page.getByRole('group', { name: 'PIN' });
    for (const digit of pin) await this.tap(pad.getByRole('button', { name: digit, exact: true }));
    await this.tap(pad.getByRole('button', { name: 'Sign in' }));
  }

  /** The taps of `go`. */
  async count(go: () => Promise<void>): Promise<number> {
    const before = this.taps;
    await go();
    return this.taps - before;
  }
}

/** A reader of badges is a fast keyboard. */
const scan = (page: Page, number: string): Promise<void> => typeKeys({ page }, number, 0.01);

/** A station with Ana and Ben, and an order that is planned for Ana. Returns the code of enrolment. */
async function makeStation(admin: TestPerson, ana: TestPerson, ben: TestPerson, guideid: number) {
  const { teamid } = await ok<{ teamid: number }>(admin.call('POST', '/teams', { name: 'Press' }));
  for (const { userid } of [ana, ben]) await ok(admin.call('PUT', `/teams/${teamid}/users/${userid}`, {}));
  for (const [{ userid }, pin] of [
    [ana, pins.ana],
    [ben, pins.ben],
  ] as const)
    await ok(admin.call('PUT', `/users/${userid}/station_pin`, { pin, ...proof }));
  const badge = { userid: ana.userid, number: badges.ana };
  await ok(admin.call('POST', '/station_badges', { badges: [badge], ...proof }));
  await ok(admin.call('POST', '/work_orders', { workorderid: 'WO-1042', guideid, userid: ana.userid }));
  return ok<StationDetail & { enrolment_code: string }>(
    admin.call('POST', '/stations', {
      name: 'Press 2',
      place: 'Hall 3',
      teams: [teamid],
      settings: { idle_seconds: 15 },
      ...proof,
    }),
  );
}

/** Nothing is cut off at the side of the screen. */
async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

const secondsOn = (clock: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
};

/** Watches which headings are shown from now on. Returns a function that reads them. */
async function watchHeadings(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const note = (): void => {
      for (const { textContent } of document.querySelectorAll('h1')) window.headings?.push(textContent);
    };
    window.headings = [];
    new MutationObserver(note).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => window.headings ?? []);
}

declare global {
  interface Window {
    headings?: string[];
  }
}

test('two people work at a station by badge and PIN, and hand an order over', async ({ annotate }) => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  const admin = await server.person('Mira', ['User', 'Admin']);
  const [ana, ben] = [await server.person('Ana', ['User']), await server.person('Ben', ['User'])];
  const guide = await makeGuide(ada);
  await makeForm(ada, guide);
  const station = await makeStation(admin, ana, ben, guide.guideid);

  const screen = { viewport: { width: 1920, height: 1080 }, hasTouch: true };
  const device = await openDevice(screen);
  const { context, wire } = device;
  const page = await context.newPage();
  const finger = new Finger(page);
  await page.goto(`${wire.url}/enrol#${station.enrolment_code}`);
  await finger.press('Make it a station');
  await page.getByRole('heading', { name: 'Scan your badge' }).waitFor();
  await fits(page);

  // The badge, and the step that is next.
  await scan(page, badges.ana);
  const toStep = await finger.count(async () => {
    await finger.press('Start WO-1042');
    await finger.press('First step');
  });
  expect(toStep).toBeLessThanOrEqual(3);
  await finger.press(/^Torque/);
  const pad = page.getByRole('dialog');
  for (const key of ['1', '2']) await finger.tap(pad.getByRole('button', { name: key, exact: true }));
  await finger.press('Save value');
  await status(page, /^Synced/);
  await fits(page);

  // What she does not finish: a comment, and another value.
  await finger.press('Add a comment');
  const comment = page.getByLabel('Comments on this step');
  await finger.tap(comment);
  await finger.type('belt is worn');
  await finger.press(/^Torque/);
  await finger.tap(pad.getByRole('button', { name: '3', exact: true }));
  await pad.getByText('123', { exact: true }).waitFor();
  const place = await page.evaluate(() => location.pathname + location.hash);

  // Nobody touches it: it locks, and the order goes on.
  const clock = page.getByRole('timer');
  await page.getByText(/^Locks in \d+ s$/).waitFor();
  await page.getByRole('heading', { name: 'Scan your badge' }).waitFor();
  await page.getByText('step 1, Open').waitFor();
  const before = secondsOn(await clock.innerText());
  const at = Date.now();

  // The app starts again. Ben sees the order, and at her place nothing of what she left.
  await page.reload();
  await finger.press('Ben');
  await finger.pin(pins.ben);
  await page.getByText('Also running here').waitFor();
  await fits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await fits(page);
  await go(page, place);
  await finger.press('Add a comment');
  expect(await comment.inputValue()).toBe('');
  await comment.fill('Of Ben');
  expect(await page.content()).not.toContain('belt is worn');
  await page.setViewportSize({ width: 1920, height: 1080 });

  // Ana goes on where she was, without the lock screen between, and without the server.
  await device.goOffline();
  await finger.press('Switch person');
  await page.getByRole('dialog').waitFor();
  const seen = await watchHeadings(page);
  const scanned = performance.now();
  await scan(page, badges.ana);
  await pad.getByText('123', { exact: true }).waitFor();
  const took = Math.round(performance.now() - scanned);
  // For people: what is expected is the order of events, without the lock screen and without the server.
  await annotate(`Ana was where she had been ${took} ms after her badge`);
  expect(await seen()).not.toContain('Scan your badge');
  await device.goOnline();
  await finger.press('Close');
  await page.getByRole('button', { name: /^Torque 12/ }).waitFor();
  expect(await comment.inputValue()).toBe('belt is worn');
  await finger.press('Post comment');
  await page.getByText('belt is worn').waitFor();
  await comment.waitFor({ state: 'detached' });
  const passed = (Date.now() - at) / 1000;
  const on = secondsOn(await clock.first().innerText()) - before;
  expect(on).toBeGreaterThanOrEqual(Math.floor(passed) - 2);
  expect(on).toBeLessThanOrEqual(Math.ceil(passed) + 2);

  // She hands it over, and writes the note on the screen.
  await finger.press(/^Ana: sign out/);
  await finger.tap(page.getByRole('menuitem', { name: 'Sign out' }));
  await finger.tap(page.getByText('Hand over'));
  await finger.tap(page.getByLabel('Note for whoever takes over'));
  await finger.type('belt off');
  await finger.press('Sign out');
  await page.getByText('Ana signed out.').waitFor();
  await finger.press('Ben');
  await finger.pin(pins.ben);
  // He is where he was, and his comment waits there.
  await expect.poll(() => comment.inputValue()).toBe('Of Ben');
  await go(page, '/station');
  await page.getByText('belt off').waitFor();
  const toTaken = await finger.count(async () => {
    await finger.press(/^Take over/);
    await finger.tap(page.getByRole('link', { name: 'Continue at step 1' }));
  });
  await page.getByRole('button', { name: /^Torque 12/ }).waitFor();
  expect(toTaken).toBeLessThanOrEqual(3);

  // What the support is told.
  await finger.press('Lock');
  await finger.press('When something is wrong');
  await page.getByText('Press 2, number ').waitFor();
  await page.getByText('Everything recorded here is on the server.').waitFor();
  await page.getByRole('img', { name: 'The same as a QR code' }).waitFor();
  await fits(page);

  const { results } = await ok<{ results: WorkLogEntry[] }>(admin.call('GET', '/work_log'));
  expect(results).toMatchObject([{ userid: ben.userid, stations: [station.stationid] }]);
  const arrivals = await ok<StationArrival[]>(admin.call('GET', `/stations/${station.stationid}/arrivals`));
  expect(new Set(arrivals.map(({ username }) => username))).toEqual(new Set(['Ana', 'Ben']));
});
