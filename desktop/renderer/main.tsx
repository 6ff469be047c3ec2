import './platform/interpreted-schemas.ts';

import { createRoot } from 'react-dom/client';

import { must } from '#shared/must.ts';

import { App } from './app.tsx';
import { openPlatformEngine } from './platform/open-engine.ts';
import { installTrustedTypes } from './platform/trusted-types.ts';
import { applyPreferences } from './preferences.ts';
import { Restoring, StartFailed } from '#desktop/renderer/screens/shell/starting.tsx';

installTrustedTypes();
applyPreferences();
const root = createRoot(must(document.getElementById('root'), 'the root element'));
root.render(<Restoring />);
try {
  root.render(<App engine={await openPlatformEngine()} />);
} catch (error) {
  root.render(<StartFailed error={error} />);
}
