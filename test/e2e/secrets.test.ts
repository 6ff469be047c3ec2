/* oxlint-disable typescript/unbound-method -- the browser's own methods are put back as they were */
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sharedBrowser } from '#test/support/browser.ts';
import { servePages } from '#test/support/serve-pages.ts';

let resources: AsyncDisposableStack;
let url: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  url = await servePages(resources, join(import.meta.dirname, 'pages'), 'secrets.html');
});

afterAll(() => resources.disposeAsync());

/** A page of a browser in which an earlier version of the app left the secret `old`, together with others. */
async function openPage(stack: AsyncDisposableStack): Promise<Page> {
  const context = await (await sharedBrowser()).newContext();
  stack.defer(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/secrets.html`);
  await page.evaluate(async () => {
    const opening = indexedDB.open('benchbook-secrets', 1);
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('secrets').put('old', 'token');
    });
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    opening.result.close();
  });
  expect(await read(page)).toBe('old');
  return page;
}

function read(page: Page): Promise<string | undefined> {
  return page.evaluate(() => window.secrets.read('token'));
}

test('LV7 a secret that was written anew leaves no earlier one that would count when it is gone', async () => {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack);
  await page.evaluate(() => window.secrets.write('token', 'new'));
  expect(await read(page)).toBe('new');
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        indexedDB.deleteDatabase('benchbook-secret-token').addEventListener('success', resolve),
      ),
  );
  expect(await read(page)).toBeUndefined();
});

test('LV7 removing a secret that fails halfway does not bring an earlier one back', async () => {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack);
  await page.evaluate(async () => {
    await window.secrets.write('token', 'new');
    // An app of before and one of now have both written.
    const opening = indexedDB.open('benchbook-secrets', 1);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    opening.result.transaction('secrets', 'readwrite').objectStore('secrets').put('old', 'token');
    opening.result.close();
  });
  const failed = await page.evaluate(async () => {
    const original = IDBObjectStore.prototype.delete;
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The disk failed', 'UnknownError');
    };
    const outcome = await window.secrets.remove('token').then(
      () => 'removed',
      (error: unknown) => String(error),
    );
    IDBObjectStore.prototype.delete = original;
    return outcome;
  });
  expect(failed).toContain('The disk failed');
  expect(await read(page)).toBe('new');
  await page.evaluate(() => window.secrets.remove('token'));
  expect(await read(page)).toBeUndefined();
});

test('LV7 a secret is removed where the disk has no room for anything more', async () => {
  await using stack = new AsyncDisposableStack();
  const page = await openPage(stack);
  await page.evaluate(() => window.secrets.write('token', 'new'));
  const databases = await page.evaluate(async () => {
    // What a full disk does to a transaction that writes.
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value, key) {
      const request = put.call(this, value, key);
      this.transaction.abort();
      return request;
    };
    await window.secrets.remove('token');
    return (await indexedDB.databases()).map(({ name }) => name);
  });
  expect(databases).toEqual(['benchbook-secrets']);
  expect(await read(page)).toBeUndefined();
});
