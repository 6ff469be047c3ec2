import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { seenBy } from '#test/support/workshop.ts';

import { go, keptOffline, signIn, startOrder, startWithForm, status, takePhoto } from './whole-app.ts';

/** A device that is signed in, has everything, and is offline. */
async function startOffline(
  resources: AsyncDisposableStack,
): Promise<Awaited<ReturnType<typeof startWithForm>> & { page: Page }> {
  const started = await startWithForm(resources);
  const page = await started.device.context.newPage();
  await page.goto(started.device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);
  await started.device.goOffline();
  await status(page, /^Offline/);
  return { ...started, page };
}

test('OUTBOX-9 JOURNAL-1 the app restores a work order, its values and its photo after all its databases were deleted', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, guide, device, page } = await startOffline(resources);
  const { context, wire } = device;
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

/** What the pages of the tests below can do to their databases. */
interface DatabaseFaults {
  /** Closes every connection, as the browser does when it cannot write. */
  closeAll: () => number;
  /** Whether opening a database fails because the disk is full. */
  isFull: boolean;
  /** How often it failed. */
  refused: number;
  /** Whether the first read of each database by a cursor is cut, together with its connection. */
  cutsReads: boolean;
  /** Names of the databases whose read was cut. */
  cut: string[];
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
    const openCursor = Reflect.get(IDBIndex.prototype, 'openCursor') as IDBIndex['openCursor'];
    IDBIndex.prototype.openCursor = function (...args): IDBRequest<IDBCursorWithValue | null> {
      const request = Reflect.apply(openCursor, this, args);
      const { transaction } = this.objectStore;
      const { cutsReads, cut } = window.databaseFaults;
      if (cutsReads && !cut.includes(transaction.db.name)) {
        cut.push(transaction.db.name);
        // What Chromium does on a full disk: an error of the read without a reason, sometimes with the end of its transaction.
        if (cut.length % 2 === 1) {
          request.addEventListener('success', (event) => event.stopImmediatePropagation());
          request.dispatchEvent(new Event('error', { bubbles: true }));
        } else transaction.abort();
        transaction.db.close();
        transaction.db.dispatchEvent(new Event('close'));
      }
      return request;
    };
    window.databaseFaults = {
      isFull: false,
      refused: 0,
      cutsReads: false,
      cut: [],
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

  await page.addInitScript(() => {
    window.databaseFaults.cutsReads = true;
  });
  await page.goto(`${wire.url}/work-orders`);
  await expect.poll(() => page.evaluate(() => window.databaseFaults.cut.length)).toBeGreaterThan(2);
  await page.getByText('WO-6').first().waitFor();
  await status(page, /^Synced/);

  await page.evaluate(() => {
    window.databaseFaults.isFull = true;
    window.databaseFaults.closeAll();
  });
  await go(page, '/people');
  await expect.poll(() => page.evaluate(() => window.databaseFaults.refused)).toBeGreaterThan(3);
  await go(page, '/work-orders/board');
  await go(page, '/work-orders/history');
  await status(page, /^The disk is full/);
  await go(page, '/people');
  await page.evaluate(() => {
    window.databaseFaults.isFull = false;
  });
  await page.getByRole('main').getByText('Ada').first().waitFor();
  await status(page, /^Synced/);
});

test('DATABASE-1 a start on a full disk waits for space, says so, and goes on by itself', async () => {
  await using resources = new AsyncDisposableStack();
  const { guide, device, page } = await startOffline(resources);
  const { wire } = device;
  // What Chromium reports of a full disk when it opens a database.
  await page.addInitScript(() => {
    const open = Reflect.get(IDBFactory.prototype, 'open') as IDBFactory['open'];
    IDBFactory.prototype.open = function (...args): IDBOpenDBRequest {
      if (window.databaseFaults.isFull && args[0].startsWith('rxdb-')) {
        window.databaseFaults.refused += 1;
        throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
      }
      return Reflect.apply(open, this, args);
    };
    const estimate = navigator.storage.estimate.bind(navigator.storage);
    navigator.storage.estimate = async () => {
      const space = await estimate();
      return window.databaseFaults.isFull ? { ...space, quota: (space.usage ?? 0) + 4096 } : space;
    };
    window.databaseFaults = { isFull: true, refused: 0, cutsReads: false, cut: [], closeAll: () => 0 };
  });
  await page.goto(`${wire.url}/guides/${guide.guideid}`);
  await page.getByText('If nothing appears, check that the disk has free space').waitFor();
  await expect.poll(() => page.evaluate(() => window.databaseFaults.refused)).toBeGreaterThan(10);
  await page.evaluate(() => {
    window.databaseFaults.isFull = false;
  });
  await startOrder(page, 'WO-7');
  await status(page, /^Offline/);
  await page.reload();
  await page.evaluate(() => {
    window.databaseFaults.isFull = false;
  });
  await go(page, '/sync');
  await page.getByText('WO-7').first().waitFor();
});
