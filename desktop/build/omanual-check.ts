import { join } from 'node:path';

import { build } from 'vite';

/**
 * Builds the page that checks archives (`/omanual/check`) into `outDir`, which is served as `/omanual`. It is separate
 * from the app, so that it loads nothing of it.
 */
export async function buildOmanualCheck(outDir: string): Promise<void> {
  await build({
    root: join(import.meta.dirname, '../omanual-check'),
    base: '/omanual/',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome130',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}
