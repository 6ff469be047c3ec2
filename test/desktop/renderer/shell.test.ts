import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SyncState } from '#desktop/engine/api/sync-records.ts';
import { statusOf } from '#desktop/renderer/screens/shell/status-words.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const now = 1_790_000_000_000;
const quiet: SyncState = {
  connection: 'online',
  phase: 'idle',
  progress: null,
  lastSyncedAt: now - 125_000,
  pending: 0,
  parked: 0,
  conflicts: 0,
  needsSignIn: false,
  interference: null,
  tooOld: null,
  waitUntil: null,
  trouble: null,
  troubleDetail: null,
};

const interference = {
  status: 200,
  contentType: 'text/html',
  excerpt: 'Welcome',
  path: '/sync/1/batch',
  at: now,
};

test.for<[Partial<SyncState>, string]>([
  [{}, 'Synced 2 minutes ago'],
  [{ lastSyncedAt: null }, 'Not synced yet'],
  [{ connection: 'offline', pending: 3 }, 'Offline · 3 changes saved on this device'],
  [{ connection: 'offline', pending: 1 }, 'Offline · 1 change saved on this device'],
  [{ connection: 'offline' }, 'Offline · synced 2 minutes ago'],
  [{ conflicts: 1, pending: 2 }, '1 decision is waiting for you'],
  [{ conflicts: 2, connection: 'offline' }, 'Offline · 2 decisions are waiting for you'],
  [{ parked: 1 }, '1 change needs your attention'],
  [{ needsSignIn: true, pending: 2 }, 'Sign in to send 2 changes'],
  [{ phase: 'syncing', pending: 2 }, 'Syncing · 2 changes saved on this device'],
  [{ phase: 'first-sync', progress: { received: 120, total: 5000 } }, 'First sync · 120 of 5,000'],
  [{ pending: 4 }, 'Online · 4 changes saved on this device'],
  [{ interference, pending: 2 }, 'Connection to the server blocked · 2 changes saved on this device'],
  [{ interference, connection: 'offline' }, 'Something is blocking the connection to the server'],
  [{ trouble: 'The disk is full', connection: 'offline' }, 'The disk is full'],
])('the status of %j reads "%s"', ([change, words]) => {
  expect(statusOf({ ...quiet, ...change }, [], now).words).toBe(words);
});

const there = { home: 'a', server: 'https://guides.example.org', username: 'Ana', changes: 4 };

test.for<[Partial<SyncState>, string]>([
  [{}, 'Synced 2 minutes ago · 4 changes waiting for https://guides.example.org'],
  [
    { connection: 'offline' },
    'Offline · synced 2 minutes ago · 4 changes waiting for https://guides.example.org',
  ],
  // The status of the open account comes first.
  [{ conflicts: 1 }, '1 decision is waiting for you'],
  [{ pending: 2 }, 'Online · 2 changes saved on this device'],
  [{ needsSignIn: true }, 'Sign in to sync'],
  [{ trouble: 'The disk is full' }, 'The disk is full'],
])('ACCOUNT-9 with work for another server the status of %j reads "%s"', ([change, words]) => {
  expect(statusOf({ ...quiet, ...change }, [there], now)).toMatchObject({ words, href: expect.any(String) });
  expect(statusOf({ ...quiet, ...change }, [there], now).tone).not.toBe('ok');
});

test('ACCOUNT-9 work for several servers is counted together', () => {
  const nowhere = { ...there, home: 'b', server: null, changes: 1 };
  expect(statusOf(quiet, [there, nowhere], now).words).toBe(
    'Synced 2 minutes ago · 5 changes waiting elsewhere',
  );
  expect(statusOf(quiet, [nowhere], now).words).toBe('Synced 2 minutes ago · 1 change waiting elsewhere');
});

test('a wait requested by the server is shown with its end', () => {
  const { words, tone } = statusOf({ ...quiet, waitUntil: now, pending: 1 }, [], now);
  expect(words).toMatch(/^The server asked this device to wait until \d.* · 1 change saved on this device$/);
  expect(tone).toBe('warn');
});

test('"Synced" is never shown while anything waits', () => {
  for (const waiting of [{ pending: 1 }, { parked: 1 }, { conflicts: 1 }, { needsSignIn: true }]) {
    expect(statusOf({ ...quiet, ...waiting }, [], now).tone).not.toBe('ok');
    expect(statusOf({ ...quiet, ...waiting }, [], now).words).not.toMatch(/^Synced/);
  }
});

async function setSync(app: AppPage, change: Partial<SyncState>): Promise<void> {
  const { sync } = await app.page.evaluate(() => window.fixture.world());
  await app.change({ sync: { ...sync, ...change } });
}

test.for(['/', '/work-orders', '/guides/9001', '/guides/9001#end', '/sync', '/settings', '/nowhere'])(
  'the status on %s is always current and leads to Sync',
  async (path) => {
    await using app = await bench.open(path);
    const status = app.page.getByRole('group', { name: 'Sync status' });
    await status.getByRole('link', { name: /^Synced 2 minutes ago/ }).waitFor();
    await setSync(app, { connection: 'offline', pending: 3 });
    await status.getByRole('link', { name: 'Offline · 3 changes saved on this device' }).waitFor();
    expect(await status.getByRole('status').innerText()).toBe('Offline · 3 changes saved on this device');
    await setSync(app, { connection: 'online', pending: 0, conflicts: 1 });
    await status.getByRole('link', { name: '1 decision is waiting for you' }).click();
    await app.page.waitForURL('**/sync');
  },
);

test.for(['/guides/9001/history', '/guides/9001/quizzes/3'])(
  'the navigation leads out of %s',
  async (path) => {
    await using app = await bench.open(path);
    await app.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click();
    await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  },
);

test('items that wait for a person are counted at Sync', async () => {
  await using app = await bench.open('/');
  await setSync(app, { conflicts: 1, parked: 2 });
  await app.page.getByRole('link', { name: 'Sync, 3 items need your attention' }).waitFor();
});

test('size and theme are chosen in the menu and stay after a reload', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: /^Ana Ruiz/ }).click();
  await app.page.getByRole('menuitemradio', { name: 'Kiosk' }).click();
  await app.page.getByRole('button', { name: /^Ana Ruiz/ }).click();
  await app.page.getByRole('menuitemradio', { name: 'Bright light' }).click();
  const root = app.page.locator('html');
  expect(await root.getAttribute('data-density')).toBe('kiosk');
  expect(await root.getAttribute('data-theme')).toBe('bright');
  await app.page.reload();
  await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  expect(await root.getAttribute('data-density')).toBe('kiosk');
  expect(await root.getAttribute('data-theme')).toBe('bright');
});

test('signing out leads to the sign-in', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: /^Ana Ruiz/ }).click();
  await app.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await app.page
    .getByRole('alertdialog')
    .or(app.page.getByRole('dialog'))
    .getByRole('button', { name: 'Sign out' })
    .click();
  await app.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await app.calls('signOut')).toEqual([[]]);
});

test('an unknown address says so and leads back', async () => {
  await using app = await bench.open('/nowhere');
  await app.page.getByRole('link', { name: 'Go to the library', exact: true }).click();
  await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});

test('the skip link is the first keyboard stop', async () => {
  await using app = await bench.open('/');
  await app.page.keyboard.press('Tab');
  await app.page.keyboard.press('Enter');
  await expect.poll(() => app.page.evaluate(() => document.activeElement?.id)).toBe('main');
});

test('on a narrow window the navigation is a menu', async () => {
  await using app = await bench.open('/', {}, { width: 390, height: 844, density: 'touch' });
  await app.page.getByRole('button', { name: 'Menu' }).click();
  await app.page.getByRole('menuitem', { name: 'Work orders' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Work orders' }).waitFor();
});

test.for(['en', 'de'] as const)(
  'at 1,440 px the header of an administrator is one row, and its status one line: %s',
  async (language) => {
    await using app = await bench.open('/administration', { administrator: true }, { language });
    await setSync(app, { connection: 'offline', pending: 13 });
    const words = app.page.locator('header a[class*="pill"] [class*="words"]');
    await words.filter({ hasText: '13' }).waitFor();
    const { cut, lines } = await words.evaluate((element) => ({
      cut: element.scrollWidth - element.clientWidth,
      lines: element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
    }));
    expect({ cut, lines: Math.round(lines) }).toEqual({ cut: 0, lines: 1 });
    expect((await app.page.getByRole('banner').boundingBox())?.height).toBeLessThan(60);
  },
);

test.for([
  ['/station', 'touch', 56],
  ['/', 'touch', 56],
  ['/guides/9001#s90004', 'touch', 56],
  ['/station', 'kiosk', 72],
] as const)('on a phone, a station has one row above %s (%s)', async ([path, density, most]) => {
  const look = { density, width: 390, height: 844, touch: true };
  await using app = await bench.open(path, { station: 'signed-in', running: true }, look);
  const header = app.page.getByRole('banner');
  expect((await header.boundingBox())?.height).toBeLessThan(most + 4);
  // Nothing in it covers something else.
  const places = await header
    .locator('a:visible, button:visible')
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().toJSON() as { left: number; right: number }),
    );
  const inOrder = places.toSorted((a, b) => a.left - b.left);
  expect(inOrder.slice(1).filter(({ left }, at) => left < (inOrder[at]?.right ?? 0))).toEqual([]);
  await header.getByRole('button', { name: 'Lock' }).waitFor();
  if (path === '/station') {
    await header.getByRole('button', { name: 'Menu' }).click();
    await app.page.getByRole('menuitem', { name: 'Work orders' }).click();
    await app.page.waitForURL('**/work-orders');
    await header.getByRole('button', { name: /: sign out/ }).click();
    await app.page.getByRole('menuitem', { name: 'Switch person' }).click();
    await app.page.getByRole('dialog').waitFor();
  }
});
