import './platform/interpreted-schemas.ts';

import { showLoadFailure } from './load-failed.ts';
import { loadLanguage } from './text/language.ts';

// Modules read their texts when they are imported. Not awaited here: modules that are imported on demand import this
// one, and would wait for it.
void loadLanguage()
  .then(() => import('./start.tsx'))
  .catch(showLoadFailure);
