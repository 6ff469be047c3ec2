import { createRoot } from 'react-dom/client';

import { comingWith } from '#desktop/renderer/app.tsx';
import { FirstApp } from '#desktop/renderer/first/first-app.tsx';
import { askBeforeLoss, handOverWhenHidden } from '#desktop/renderer/hand-over.ts';
import { installTrustedTypes } from '#desktop/renderer/platform/trusted-types.ts';
import { changePreferences } from '#desktop/renderer/preferences.ts';
import { must } from '#shared/must.ts';
import { makeFixtureEngine } from '#test/support/fixture-engine.ts';

installTrustedTypes();
const engine = makeFixtureEngine(window.fixtureOptions);
window.fixture = engine;
window.changePreferences = changePreferences;
handOverWhenHidden();
askBeforeLoss(engine);
createRoot(must(document.getElementById('root'), 'the root element')).render(
  <FirstApp coming={comingWith(engine)} />,
);
