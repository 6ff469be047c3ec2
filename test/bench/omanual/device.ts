import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import type { CDPSession } from 'playwright-core';
import { build } from 'vite';

import { ensureBrowser, launchProfile } from '#test/support/browser.ts';
import { serveFolder } from '#test/support/serve-folder.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { forgetPeak, largestPage } from './page-process.ts';

/** A device's use of an archive, in seconds and bytes. */
export interface OnDevice {
  /** Every member extracted by fflate in the same browser. */
  unzip: number;
  /** Copying to the device's own files, */
  copy: number;
  /** and then indexing every guide. */
  index: number;
  /** Showing a guide with all its pictures. */
  show: number;
  pictures: number;
  /** Searching, until every guide was read. */
  search: number;
  /** The increase of the page's maximum JavaScript heap, including buffers; bytes. */
  addedMemory: number;
  /** The increase of the maximum resident memory of the page's process, with its workers; null except on Linux. */
  addedProcess: number | null;
}

/** Opens the archive at `path` in Chromium, on a fresh profile on disk. `word` is searched for; '' : none. */
export async function openedOnDevice(path: string, guides: number, word: string): Promise<OnDevice> {
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
  const before = largestPage(profile.path);
  if (before !== null) forgetPeak(before);
  const kept = await page.evaluate(([count, text]) => window.archive.keep(count, text), [
    guides,
    word,
  ] as const);
  const after = largestPage(profile.path);
  return {
    unzip: unzip / 1000,
    copy: kept.copy / 1000,
    index: kept.index / 1000,
    show: kept.show / 1000,
    search: kept.search / 1000,
    pictures: kept.pictures,
    addedMemory: await heap.added(),
    addedProcess: before === null || after === null ? null : after.peak - before.now,
  };
}

/** Interval of heap samples, ms. */
const lookMs = 50;

/** Samples the heap of a page. */
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
