import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('LANGUAGE-1 the app is in the language that was chosen on this device', async () => {
  await using inGerman = await bench.open('/board', {}, { language: 'de' });
  await inGerman.page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  expect(await inGerman.page.evaluate(() => document.documentElement.lang)).toBe('de');
  await using inPseudo = await bench.open('/board', {}, { language: 'en-XA' });
  await inPseudo.page.getByRole('heading', { level: 1, name: '[Böåŕð~~]' }).waitFor();
});
