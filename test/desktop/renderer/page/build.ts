import { join } from 'node:path';

import react from '@vitejs/plugin-react';

import { buildOnce } from '#test/support/build-once.ts';
import { buildForPeople } from '#test/support/production-build.ts';

/** Builds the page with the fixture engine into a folder. */
export async function buildPage(outDir: string): Promise<void> {
  await buildForPeople({
    root: import.meta.dirname,
    base: '/',
    publicDir: join(import.meta.dirname, '../../../../desktop/renderer/public'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome130',
      minify: false,
      // Each test loads the page anew: one file instead of sixty saves a third of the time. The survey is large and
      // rarely used.
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [{ name: 'app', test: (id) => !id.includes('survey') }] },
          // Texts are read when their module runs, which is after the language is loaded.
          strictExecutionOrder: true,
        },
      },
    },
  });
}

/** The built page, once for all test files of a run. */
export const builtPage = (): Promise<string> => buildOnce('page', buildPage);
