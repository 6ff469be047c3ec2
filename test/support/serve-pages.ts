import { join } from 'node:path';

import { build } from 'vite';

import { serveFolder } from './serve-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Builds pages of the folder `root` and serves them until `resources` are disposed. Returns the address. */
export async function servePages(
  resources: AsyncDisposableStack,
  root: string,
  ...pages: string[]
): Promise<string> {
  const site = resources.use(await temporaryFolder('pages'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: site.path,
      emptyOutDir: true,
      target: 'esnext',
      // Profiles should show the function names of the sources.
      minify: false,
      rolldownOptions: { input: pages.map((page) => join(root, page)) },
    },
  });
  return resources.use(await serveFolder(site.path)).url;
}
