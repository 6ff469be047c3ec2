import { build } from 'vite';

import { serveFolder } from '#test/support/serve-folder.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** Builds pages of this folder and serves them until `resources` are disposed of; the address. */
export async function servePages(resources: AsyncDisposableStack, ...pages: string[]): Promise<string> {
  const site = resources.use(await temporaryFolder('pages'));
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: site.path,
      emptyOutDir: true,
      target: 'esnext',
      rolldownOptions: { input: pages.map((page) => `${import.meta.dirname}/${page}`) },
    },
  });
  return resources.use(await serveFolder(site.path)).url;
}
