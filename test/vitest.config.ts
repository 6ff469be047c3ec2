import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { isLongRun } from './support/long-run.ts';
import { LongestFirst } from './support/longest-first.ts';
import { postgresSlice } from './support/postgres-slice.ts';

const root = new URL('..', import.meta.url).pathname;

/** Time limit of a test, ms: only ends tests that hang, also on slow machines. */
const patience = isLongRun ? 7_200_000 : 300_000;

/** `npm test -- --shuffle`: files and tests in the order of this seed. */
const seed = process.env['BENCHBOOK_TEST_SEED'];

/** Of projects without a browser. The files of a worker share its modules: loading the server takes longer than most files. */
const inNode = {
  isolate: false,
  setupFiles: ['test/support/fail-on-broken-answers.ts', 'test/support/set-up.ts'],
  testTimeout: patience,
  hookTimeout: patience,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  root,
  test: {
    // One more than processors, because tests in a browser wait for screens.
    maxWorkers: availableParallelism() + 1,
    ...(seed === undefined
      ? { sequence: { sequencer: LongestFirst } }
      : { sequence: { shuffle: { files: true, tests: true }, seed: Number(seed) } }),
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['test/{shared,desktop,sync-server,simulation,bootstrap,rules}/**/*.test.ts'],
          exclude: ['test/desktop/renderer/**'],
          ...inNode,
        },
      },
      {
        root,
        test: {
          name: 'postgres',
          include: [...postgresSlice],
          env: { BENCHBOOK_TEST_DATABASE: 'postgres' },
          ...inNode,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['test/{e2e,electron}/**/*.test.ts', 'test/desktop/renderer/**/*.test.ts'],
          // The files of a worker share its browser too.
          isolate: false,
          setupFiles: ['test/support/fail-on-broken-answers.ts'],
          testTimeout: 2 * patience,
          hookTimeout: 2 * patience,
          globalSetup: ['test/support/build-folder.ts'],
          maxConcurrency: 2,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
