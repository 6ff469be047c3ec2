import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import type { CDPSession } from 'playwright-core';
import { build } from 'vite';

import { ensureBrowser, launchProfile } from '#test/support/browser.ts';
import { serveFolder } from '#test/support/serve-folder.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** What a device took for an archive, in seconds and bytes. */
export interface OnDevice {
  /** Every member unpacked by fflate in the same browser. */
  unzip: number;
  /** Copied to the device's own files, and every guide in the index. */
  keep: number;
  /** The largest JavaScript heap meanwhile, with what buffers hold, above that of the page before. */
  addedMemory: number;
}

/** Opens the archive at `path` in Chromium, on a fresh profile on disk. */
export async function openedOnDevice(path: string, guides: number): Promise<OnDevice> {
  ensureBrowser((line) => void process.stderr.write(`${line}\n`));
  await using built = await temporaryFolder('bench-archive-page');
  const root = fileURLToPath(new URL('../pages/', import.meta.url));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: built.path,
      emptyOutDir: true,
      target: 'chrome130',
      rolldownOptions: { input: join(root, 'archive.html') },
    },
    worker: { format: 'es' },
  });
  await using site = await serveFolder(built.path);
  await using profile = await temporaryFolder('bench-archive-device');
  await using context = await launchProfile(profile.path, { headless: true });
  const page = await context.newPage();
  await page.goto(`${site.url}/archive.html`);
  await page.waitForFunction(() => 'archive' in window);
  await page.setInputFiles('input', path);
  const unzip = await page.evaluate(() => window.archive.unzip());
  await using heap = await watchHeap(await context.newCDPSession(page));
  const keep = await page.evaluate((count) => window.archive.keep(count), guides);
  return { unzip: unzip / 1000, keep: keep / 1000, addedMemory: await heap.added() };
}

/** Between two looks at the heap, ms. */
const lookMs = 50;

/** Looks at the heap of a page again and again. */
async function watchHeap(session: CDPSession): Promise<AsyncDisposable & { added(): Promise<number> }> {
  const used = async (): Promise<number> => {
    const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  };
  await session.send('HeapProfiler.collectGarbage');
  const before = await used();
  let most = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await used());
      await setTimeout(lookMs);
    }
  })();
  return {
    added: async () => most - before,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await watching;
    },
  };
}
