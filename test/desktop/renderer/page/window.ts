import type { Preferences } from '#desktop/renderer/preferences.ts';
import type { FixtureEngine } from '#test/support/fixture-engine.ts';
import type { WorldOptions } from '#test/support/fixture-world.ts';

declare global {
  interface Window {
    /** Set by the test before the page opens. */
    fixtureOptions?: WorldOptions;
    /** The engine of the page, for tests to read and change. */
    fixture: FixtureEngine;
    /** Changes density and theme like the settings. */
    changePreferences: (change: Partial<Preferences>) => void;
  }
}
