import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { killBrowser, launchProfile } from '#test/support/browser.ts';
import { servePages } from '#test/support/serve-pages.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let resources: AsyncDisposableStack;
let url: string;
let profile: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  url = await servePages(resources, join(import.meta.dirname, 'pages'), 'journal.html');
  profile = resources.use(await temporaryFolder('journal-profile')).path;
});

afterAll(() => resources.disposeAsync());

describe('the journal in the origin private file system', () => {
  it('JOURNAL-2 keeps every acknowledged append when the browser is killed', async () => {
    const acknowledged: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const context = await launchProfile(profile);
      const page = await openPage(context);
      expect(await readNumbers(page)).toEqual(expect.arrayContaining(acknowledged));
      const enough = Promise.withResolvers<void>();
      const before = acknowledged.length;
      await page.exposeFunction('acknowledge', (number: number) => {
        acknowledged.push(number);
        if (acknowledged.length > before + 60) enough.resolve();
      });
      await page.evaluate((from) => window.appendForever(from), round * 1_000_000);
      await enough.promise;
      killBrowser(profile);
      await context.close().catch(() => undefined);
    }
    const context = await launchProfile(profile);
    const page = await openPage(context);
    const numbers = await readNumbers(page);
    expect(numbers).toEqual(expect.arrayContaining(acknowledged));
    const health = await page.evaluate(async () => (await window.journal).health());
    expect(health).toMatchObject({ durability: 'private-file-system', writable: true, lowSpace: false });
    await context.close();
  });

  it('JOURNAL-14 lets a second tab write through the first, and take over when it is closed', async () => {
    const context = await launchProfile(profile);
    const first = await openPage(context);
    const second = await openPage(context);
    await putText(second, 'through the first');
    await first.evaluate(async () => {
      const bytes = new Uint8Array(300_000).fill(7);
      await (await window.journal).putFile('photo', new Blob([bytes]), { type: 'image/png', name: 'p.png' });
    });
    const saved = second.evaluate(async () => {
      const journal = await window.journal;
      const appends = Array.from({ length: 200 }, (_, number) =>
        journal.append([{ op: 'put', collection: 'drafts', id: `d${String(number)}`, value: number }]),
      );
      await Promise.all(appends);
    });
    await first.close();
    await saved;
    await putText(second, 'by itself');
    const third = await openPage(context);
    const read = await third.evaluate(async () => {
      const journal = await window.journal;
      const { meta, drafts } = await journal.entries();
      const { bytes } = await journal.readFile('photo');
      return { meta: [...meta.keys()], drafts: drafts.size, photo: bytes.length };
    });
    expect(read).toEqual({ meta: ['through the first', 'by itself'], drafts: 200, photo: 300_000 });
    await context.close();
  });
});

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/journal.html`);
  await page.evaluate(async () => void (await window.journal));
  return page;
}

function readNumbers(page: Page): Promise<number[]> {
  return page.evaluate(async () => [...(await (await window.journal).entries()).outbox.keys()].map(Number));
}

function putText(page: Page, id: string): Promise<void> {
  return page.evaluate(
    async (text) => (await window.journal).append([{ op: 'put', collection: 'meta', id: text, value: 1 }]),
    id,
  );
}
