import { cpSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach } from 'vitest';

import { buildDesktop } from '#desktop/build/build.ts';
import { buildOnce } from '#test/support/build-once.ts';

import { prepareDesktop, type Desktop, type DesktopOptions } from './desktop-app.ts';

/** The app for the tests of a file. */
interface DesktopForTests {
  /** The built app. Throws where there is none. */
  prepared: () => Desktop;
  /** Whether there is one; known as soon as the first `beforeAll` has run. */
  isThere: () => boolean;
}

/** A copy of the app, which is built once for all files of a run. A build with plugins belongs to one file. */
const copyOfBuilt: typeof buildDesktop = async (out, options) => {
  if ((options?.plugins ?? []).length > 0) return buildDesktop(out, options);
  const built = await buildOnce('desktop app', (folder) => buildDesktop(folder, options));
  cpSync(built, out, { recursive: true });
};

/**
 * Builds the app before the tests of a file and removes it afterwards. Without an Electron or a display the tests are
 * skipped, and a line says what was not tested (`what`, such as "Kills").
 */
export function desktopForTests(what: string, options: DesktopOptions = {}): DesktopForTests {
  let desktop: Desktop | { missing: string } = { missing: 'the app is not built yet' };
  beforeAll(async () => {
    desktop = await prepareDesktop({ build: copyOfBuilt, ...options });
    if ('missing' in desktop)
      process.stderr.write(`\n*** NOT TESTED IN ELECTRON: ${what}, because ${desktop.missing}. ***\n\n`);
  });
  afterAll(async () => {
    if ('launch' in desktop) await desktop[Symbol.asyncDispose]();
  });
  beforeEach((context) => context.skip('missing' in desktop));
  return {
    prepared() {
      if ('missing' in desktop) throw new Error(desktop.missing);
      return desktop;
    },
    isThere: () => 'launch' in desktop,
  };
}
