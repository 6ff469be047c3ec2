import { createRoot } from 'react-dom/client';

import { must } from '#shared/must.ts';

import { App } from './app.tsx';
import { findBridge } from './platform/bridge.ts';
import { keepAppOffline } from './platform/offline-app.ts';
import { openPlatformEngine } from './platform/open-engine.ts';

const root = createRoot(must(document.getElementById('root'), 'the root element'));
root.render(<App engine={await openPlatformEngine()} />);
if (findBridge() === undefined) await keepAppOffline();
