import './window.ts';

import { loadLanguage } from '#desktop/renderer/text/language.ts';

void loadLanguage().then(() => import('./start.tsx'));
