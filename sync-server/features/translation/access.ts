import type { Viewer } from '#server/core/viewer.ts';

import { deciding } from '#server/core/deciding.ts';
import { holds, isSignedIn, moderators } from '#server/core/roles.ts';

/** Everyone who is signed in can read the translation glossary; moderators edit it. */
const glossaryRules = {
  'glossary.see': (viewer: Viewer, _glossary: object): boolean => isSignedIn(viewer),
  'glossary.edit': (viewer: Viewer, _glossary: object): boolean => holds(viewer, moderators),
};

export const can = deciding(glossaryRules);
