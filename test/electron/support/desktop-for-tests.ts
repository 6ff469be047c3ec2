import { afterAll, beforeAll, beforeEach } from 'vitest';

import { prepareDesktop, type Desktop } from './desktop-app.ts';

/** The app for the tests of a file. */
interface DesktopForTests {
  /** The built app. Throws where there is none. */
  prepared: () => Desktop;
  /** Whether there is one; known as soon as the first `beforeAll` has run. */
  isThere: () => boolean;
}

/**
 * Builds the app before the tests of a file and removes it afterwards. Without an Electron or a display the tests are
 * skipped, and a line says what was not tested (`what`, such as "Kills").
 */
export function desktopForTests(
  what: string,
  ...options: Parameters<typeof prepareDesktop>
): DesktopForTests {
  let desktop: Desktop | { missing: string } = { missing: 'the app is not built yet' };
  beforeAll(async () => {
    desktop = await prepareDesktop(...options);
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
