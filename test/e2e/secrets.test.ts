/* oxlint-disable typescript/unbound-method -- the browser's own methods are put back as they were */
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedBrowser } from '#test/support/browser.ts';
import { servePages } from '#test/support/serve-pages.ts';

let resources: AsyncDisposableStack;
let url: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  url = await servePages(resources, join(import.meta.dirname, 'pages'), 'secrets.html');
});

afterAll(() => resources.disposeAsync());

/**
 * A page of a browser in which an earlier version of the app stored the secret `old` under a name, together with
 * others.
 */
async function openPage(stack: AsyncDisposableStack, name: string): Promise<Page> {
  const context = await (await sharedBrowser()).newContext();
  stack.defer(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/secrets.html`);
  await putOld(page, 'benchbook-secrets', name);
  expect(await read(page, name)).toBe('old');
  return page;
}

/** Writes a secret like an earlier version of the app, into a database of the common storage. */
async function putOld(page: Page, database: string, name: string): Promise<void> {
  await page.evaluate(
    async ([its, key]) => {
      const opening = indexedDB.open(its, 1);
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('secrets'));
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const writing = opening.result.transaction('secrets', 'readwrite');
      writing.objectStore('secrets').put('old', key);
      await new Promise((resolve) => writing.addEventListener('complete', resolve));
      opening.result.close();
    },
    [database, name] as const,
  );
}

function read(page: Page, name: string): Promise<string | undefined> {
  return page.evaluate((one) => window.secrets.read(one), name);
}

function write(page: Page, name: string): Promise<void> {
  return page.evaluate((one) => window.secrets.write(one, 'new'), name);
}

/** Names of the databases in the common storage, and of the separate storage. */
function whatIsThere(page: Page): Promise<string[]> {
  return page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...((await navigator.storageBuckets?.keys()) ?? []),
  ]);
}

describe.each(['copy', 'token-1'])('the secret %s', (name) => {
  test('LEAVING-7 a rewritten secret leaves no earlier one that would count when it is gone', async () => {
    await using stack = new AsyncDisposableStack();
    const page = await openPage(stack, name);
    await write(page, name);
    expect(await read(page, name)).toBe('new');
    await page.evaluate(async (one) => {
      await navigator.storageBuckets?.delete(`benchbook-secret-${one}`);
      const deleting = indexedDB.deleteDatabase(`benchbook-secret-${one}`);
      await new Promise((resolve) => deleting.addEventListener('success', resolve));
    }, name);
    expect(await read(page, name)).toBeUndefined();
  });

  test('LEAVING-7 a removal of a secret that fails halfway does not restore an earlier one', async () => {
    await using stack = new AsyncDisposableStack();
    const page = await openPage(stack, name);
    await write(page, name);
    // An earlier app and a current one have both written.
    await putOld(page, 'benchbook-secrets', name);
    const failed = await page.evaluate(async (one) => {
      const original = IDBObjectStore.prototype.delete;
      IDBObjectStore.prototype.delete = () => {
        throw new DOMException('The disk failed', 'UnknownError');
      };
      const outcome = await window.secrets.remove(one).then(
        () => 'removed',
        (error: unknown) => String(error),
      );
      IDBObjectStore.prototype.delete = original;
      return outcome;
    }, name);
    expect(failed).toContain('The disk failed');
    expect(await read(page, name)).toBe('new');
    await page.evaluate((one) => window.secrets.remove(one), name);
    expect(await read(page, name)).toBeUndefined();
  });

  test('LEAVING-7 a secret is removed even when the disk is full', async () => {
    await using stack = new AsyncDisposableStack();
    const page = await openPage(stack, name);
    await write(page, name);
    await page.evaluate(async (one) => {
      // The effect of a full disk on a transaction that writes.
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, key) {
        const request = put.call(this, value, key);
        this.transaction.abort();
        return request;
      };
      await window.secrets.remove(one);
    }, name);
    expect(await whatIsThere(page)).toEqual(['benchbook-secrets']);
    expect(await read(page, name)).toBeUndefined();
  });
});

test('LEAVING-7 a token has its own storage, and none is left in the common storage', async () => {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack, 'token-1');
  await putOld(page, 'benchbook-secret-token-1', 'token-1');
  expect(await read(page, 'token-1')).toBe('old');
  await write(page, 'token-1');
  // The first is in the common storage, the second beside it.
  expect(await whatIsThere(page)).toEqual(['benchbook-secrets', 'benchbook-secret-token-1']);
  expect(await page.evaluate(async () => navigator.storageBuckets?.keys())).toEqual([
    'benchbook-secret-token-1',
  ]);
  expect(await read(page, 'token-1')).toBe('new');
});

test('LEAVING-7 asking for a missing token creates no storage', async () => {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack, 'copy');
  expect(await read(page, 'token-1')).toBeUndefined();
  expect(await whatIsThere(page)).toEqual(['benchbook-secrets']);
});
