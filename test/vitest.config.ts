import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;

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
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/desktop/renderer/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          globalSetup: ['test/desktop/renderer/page/folder.ts'],
          maxConcurrency: 2,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
