import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { StorageState, SyncState } from '#desktop/engine/api/sync-records.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const busy = { busy: true };

async function setSync(app: AppPage, part: Partial<SyncState>): Promise<void> {
  await app.page.evaluate(
    (some) => window.fixture.change(({ sync }) => ({ sync: { ...sync, ...some } })),
    part,
  );
}

async function setStorage(app: AppPage, part: Partial<StorageState>): Promise<void> {
  await app.page.evaluate(
    (some) => window.fixture.change(({ storage }) => ({ storage: { ...storage, ...some } })),
    part,
  );
}

describe('is my work safe', () => {
  test('the answer is the heading and follows the state immediately', async () => {
    await using app = await bench.open('/sync');
    const answer = app.page.getByRole('heading', { level: 1 });
    expect(await answer.innerText()).toBe('All your work is on the server');
    await setSync(app, { connection: 'offline', pending: 3 });
    await expect.poll(() => answer.innerText()).toBe('Your work is safe on this device');
    await app.page.getByText('3 changes are waiting for the network.').waitFor();
    await setSync(app, { connection: 'online' });
    await app.page.getByText('3 changes are on the way to the server.').waitFor();
    await setSync(app, { parked: 1 });
    await expect.poll(() => answer.innerText()).toBe('1 change needs your attention');
    await setSync(app, { conflicts: 2 });
    await expect.poll(() => answer.innerText()).toBe('2 decisions are waiting for you');
  });

  test.for<[Partial<StorageState>, string]>([
    [{ journal: 'file' }, 'Written to the disk before it counts as saved.'],
    [
      { journal: 'private-file-system' },
      'It can still be lost if the disk is full or this site’s data is cleared',
    ],
    [{ journal: 'full' }, 'Not saved: the disk is full'],
    [{ readsWait: true }, 'Some records can’t be shown until there is room.'],
    [{ journal: 'none' }, 'Your work can’t be saved on this device right now'],
    [{ insecure: true }, 'This page cannot keep your work'],
  ])('the durability of the journal is explained plainly: %o', async ([storage, words]) => {
    await using app = await bench.open('/sync');
    await setStorage(app, storage);
    await app.page.getByText(words).first().waitFor();
  });

  test('Sync now requests a round; without a session it is Sign in', async () => {
    await using app = await bench.open('/sync');
    await app.page.getByRole('button', { name: 'Sync now' }).click();
    expect(await app.calls('syncNow')).toEqual([[]]);
    await setSync(app, { needsSignIn: true, pending: 2 });
    await app.page.getByText('Sign in to send 2 changes.').waitFor();
    await app.page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await app.page.getByRole('textbox', { name: /Password/ }).waitFor();
  });

  test('an empty list explains what the place is for', async () => {
    await using app = await bench.open('/sync');
    await app.page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
    await app.page.getByText('What you do is listed here with its state').waitFor();
  });
});

describe.for(['/sync', '/sync?item=call-value', '/sync/conflicts/9001'])(
  '%s',
  { concurrent: true },
  (path) => {
    test('axe finds nothing in any look', async () => {
      await using app = await bench.open(path, busy);
      for (const [name, look] of looks) {
        await app.wear(look);
        expect([name, await offences(app.page, look)]).toEqual([name, []]);
      }
      expect(app.errors).toEqual([]);
    });

    test('320, 390 or 1280 px wide, nothing extends beyond the window', async () => {
      await using app = await bench.open(path, busy, { width: 320, height: 640, density: 'touch' });
      for (const width of [320, 390, 1280]) {
        await app.wear({ width, height: 640, density: 'touch' });
        const beyond = await app.page.evaluate(() =>
          [...document.querySelectorAll('html, main, main > div, [class*="detail"], [class*="scroll"]')]
            .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
            .map((box) => box.className),
        );
        expect([width, beyond]).toEqual([width, []]);
      }
    });
  },
);
