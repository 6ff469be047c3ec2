import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { launchProfile } from '#test/support/browser.ts';

import type { Measurements } from './page/main.ts';

/** A page in a browser with a fresh profile on disk. */
export interface FreshDevice extends AsyncDisposable {
  /** Runs one of the page's measurements. */
  measure<M extends keyof Measurements>(
    name: M,
    ...args: Parameters<Measurements[M]>
  ): Promise<Awaited<ReturnType<Measurements[M]>>>;
  /** Bytes received over the network since the last call. */
  bytes(): Promise<number>;
}

/** Starts a browser on a fresh profile and opens the page of measurements at `url`. */
export async function freshDevice(url: string): Promise<FreshDevice> {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-bench-'));
  const context = await launchProfile(dir, { headless: true });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(url);
  await page.waitForFunction(() => 'measurements' in window);
  const bytes = await countBytes(page);
  return {
    measure: (name, ...args) =>
      page.evaluate(
        ([method, given]) => Reflect.apply(window.measurements[method], window.measurements, given),
        [name, args] as const,
      ),
    bytes,
    async [Symbol.asyncDispose]() {
      await context.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The browser reports network activity a little later than the data. */
const countsSettle = 300;

async function countBytes(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength));
  session.on('Network.responseReceived', ({ response }) => (bytes += response.encodedDataLength));
  await session.send('Network.enable');
  return async () => {
    await setTimeout(countsSettle);
    const seen = bytes;
    bytes = 0;
    return seen;
  };
}
