import { fetchRest } from './first/load-rest.ts';
import { showLoadFailure } from './load-failed.ts';
import { loadLanguage } from './text/language.ts';

// Whoever was here before needs everything at once, and the service worker has it.
if (window.benchbook !== undefined || navigator.serviceWorker?.controller != null) fetchRest();
// Modules read their texts when they are imported. Not awaited here: modules that are imported on demand import this
// one, and would wait for it.
void loadLanguage()
  .then(() => import('./start.tsx'))
  .catch(showLoadFailure);
