import './window.ts';

import { loadAllTexts, loadLanguage } from '#desktop/renderer/text/language.ts';

void loadLanguage()
  .then(loadAllTexts)
  .then(() => import('./start.tsx'));
