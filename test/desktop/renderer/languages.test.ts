import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('LANGUAGE-1 the app is in the language that was chosen on this device', async () => {
  await using app = await bench.open('/board');
  await app.page.evaluate(() => localStorage.setItem('benchbook.language', 'de'));
  await app.page.reload();
  await app.page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  expect(await app.page.evaluate(() => document.documentElement.lang)).toBe('de');
  await app.page.evaluate(() => localStorage.setItem('benchbook.language', 'en-XA'));
  await app.page.reload();
  await app.page.getByRole('heading', { level: 1, name: '[Böåŕð~~]' }).waitFor();
});
