import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type InlineConfig } from 'vite';

import { buildAppIfStale } from '#server/bootstrap/build-app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds a page as for a release. */
export function buildForPeople(config: InlineConfig): Promise<void> {
  return forPeople(async () => void (await build(config)));
}

/** The folder of the app built for release; rebuilt if its sources are newer. */
export async function builtApp(): Promise<string> {
  await forPeople(() => buildAppIfStale(root, () => undefined));
  return join(root, 'desktop/out/renderer');
}

/** NODE_ENV outside of builds, and how many builds run. */
const usual = process.env['NODE_ENV'];
let running = 0;

/**
 * A test runner sets NODE_ENV to `test`; with that, React checks more and React Aria draws every row of a long list. Builds
 * may overlap: the last one that ends restores it.
 */
async function forPeople(work: () => Promise<void>): Promise<void> {
  running += 1;
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    running -= 1;
    if (running === 0) process.env['NODE_ENV'] = usual;
  }
}
