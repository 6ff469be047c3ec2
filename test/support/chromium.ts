import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext } from 'playwright-core';

import { launchProfile } from './browser.ts';

/** Opens the browser on the profile in `folder`. */
export function openProfile(folder: string): Promise<BrowserContext> {
  return launchProfile(folder, { headless: true });
}

/** A temporary folder that is gone when the scope ends. */
export async function temporaryFolder(name: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), `benchbook-${name}-`));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
