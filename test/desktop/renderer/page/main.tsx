import { createRoot } from 'react-dom/client';

import { App } from '#desktop/renderer/app.tsx';
import { must } from '#shared/must.ts';
import { makeFixtureEngine, type FixtureEngine } from '#test/support/fixture-engine.ts';
import type { WorldOptions } from '#test/support/fixture-world.ts';

declare global {
  interface Window {
    /** Set by the test before the page opens. */
    fixtureOptions?: WorldOptions;
    fixture: FixtureEngine;
  }
}

const engine = makeFixtureEngine(window.fixtureOptions);
window.fixture = engine;
createRoot(must(document.getElementById('root'), 'the root element')).render(<App engine={engine} />);
