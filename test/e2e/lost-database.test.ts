import { expect, test } from 'vitest';

import { seenBy } from '#test/support/workshop.ts';

import { go, keptOffline, signIn, startOrder, startWithForm, status, takePhoto } from './whole-app.ts';

test('OUTBOX-9 JOURNAL-1 the app restores a work order, its values and its photo after all its databases were deleted', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, guide, device } = await startWithForm(resources);
  const { context, wire } = device;

  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);
  await device.goOffline();
  await status(page, /^Offline/);
  await go(page, `/guides/${guide.guideid}`);
  await startOrder(page, 'WO-5');
  await page.getByLabel('Torque').fill('12.5');
  await takePhoto(page);
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByRole('main').getByText('Saved on this device').first().waitFor();
  await page.close();

  const blank = await context.newPage();
  const devtools = await context.newCDPSession(blank);
  await devtools.send('Storage.clearDataForOrigin', { origin: wire.url, storageTypes: 'indexeddb' });
  await blank.goto(`${wire.url}/icon.svg`);
  await blank.evaluate(async () => {
    for (const name of (await navigator.storageBuckets?.keys()) ?? [])
      await navigator.storageBuckets?.delete(name);
  });
  await blank.close();
  await device.goOnline();

  const again = await context.newPage();
  await again.goto(`${wire.url}/sync`);
  await again.getByText('WO-5').first().waitFor();
  expect(await seenBy(server, ada, 'workLog')).toEqual([]);
  // The token was in the databases: a browser has no other place for it.
  await again.goto(`${wire.url}/sign-in`);
  await signIn(again);
  await status(again, /^Synced/);
  const [entry, ...others] = (await seenBy(server, ada, 'workLog')).map(({ doc }) => JSON.stringify(doc));
  expect(others).toEqual([]);
  expect(entry).toContain('"WO-5"');
  expect(entry).toContain('"12.5"');
  const images = await ada.call('GET', '/user/media/images');
  expect(images.body).toHaveLength(1);
});

/** What the page of the test below can do to its databases. */
interface DatabaseFaults {
  /** Closes every connection, as the browser does when it cannot write. */
  closeAll: () => number;
  /** Whether opening a database fails because the disk is full. */
  isFull: boolean;
  /** How often it failed. */
  refused: number;
}

declare global {
  interface Window {
    databaseFaults: DatabaseFaults;
  }
}

test('DATABASE-1 the app goes on after the browser closed its databases', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, guide, device } = await startWithForm(resources);
  const { context, wire } = device;
  await context.addInitScript(() => {
    const connections = new Set<IDBDatabase>();
    const open = Reflect.get(IDBFactory.prototype, 'open') as IDBFactory['open'];
    IDBFactory.prototype.open = function (...args): IDBOpenDBRequest {
      if (window.databaseFaults.isFull) {
        window.databaseFaults.refused += 1;
        throw new DOMException('Encountered full disk', 'QuotaExceededError');
      }
      const request = Reflect.apply(open, this, args);
      request.addEventListener('success', () => connections.add(request.result));
      return request;
    };
    window.databaseFaults = {
      isFull: false,
      refused: 0,
      closeAll: () => {
        const all = [...connections];
        connections.clear();
        for (const connection of all) {
          connection.close();
          connection.dispatchEvent(new Event('close'));
        }
        return all.length;
      },
    };
  });
  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page);
  await status(page, /^Synced/);

  expect(await page.evaluate(() => window.databaseFaults.closeAll())).toBeGreaterThan(5);
  await go(page, '/work-orders');
  await go(page, `/guides/${guide.guideid}`);
  await startOrder(page, 'WO-6');
  await status(page, /^Synced/);
  await expect.poll(() => seenBy(server, ada, 'workLog')).toHaveLength(1);

  await page.evaluate(() => {
    window.databaseFaults.isFull = true;
    window.databaseFaults.closeAll();
  });
  await go(page, '/people');
  await expect.poll(() => page.evaluate(() => window.databaseFaults.refused)).toBeGreaterThan(3);
  await page.evaluate(() => {
    window.databaseFaults.isFull = false;
  });
  await page.getByRole('main').getByText('Ada').first().waitFor();
});
