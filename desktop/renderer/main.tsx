import './platform/interpreted-schemas.ts';

import { startWorkerAhead } from '#desktop/engine/journal/opfs-worker-ahead.ts';

import { fetchRest } from './first/load-rest.ts';
import { startKey } from './first/start-key.ts';
import { showLoadFailure } from './load-failed.ts';
import { installTrustedTypes } from './platform/trusted-types.ts';
import { loadLanguage } from './text/language.ts';

/** By then the engine is open, even on a slow device; another tab has the journal, ms. */
const unusedMs = 60_000;

installTrustedTypes();
const isWindow = window.benchbook !== undefined;
const wasSignedIn = !isWindow && localStorage.getItem(startKey) === 'signed-in';
// Whoever was here before needs everything at once.
if (isWindow || wasSignedIn || navigator.serviceWorker?.controller != null) fetchRest();
if (wasSignedIn && isSecureContext) setTimeout(startWorkerAhead(), unusedMs);
// Modules read their texts when they are imported. Not awaited here: modules that are imported on demand import this
// one, and would wait for it.
void loadLanguage()
  .then(() => import('./start.tsx'))
  .catch(showLoadFailure);
