import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;

/** How long a test may take, ms: what never comes fails in the end, and a slow machine fails nothing. */
const patience = 300_000;

export default defineConfig({
  root,
  test: {
    maxWorkers: '100%',
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['test/{shared,desktop,sync-server,simulation,bootstrap,api-coverage}/**/*.test.ts'],
          exclude: ['test/desktop/renderer/**'],
          testTimeout: patience,
          hookTimeout: patience,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/desktop/renderer/**/*.test.ts'],
          testTimeout: 2 * patience,
          hookTimeout: 2 * patience,
          globalSetup: ['test/desktop/renderer/page/folder.ts'],
          maxConcurrency: 2,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
