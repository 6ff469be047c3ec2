import type { Viewer } from '#server/core/viewer.ts';

import { holds, isSignedIn, moderators } from '#server/core/roles.ts';

/** The translation glossary: everybody signed in reads it, moderators write it. */
export const glossaryRules = {
  'glossary.see': (viewer: Viewer, _glossary: object): boolean => isSignedIn(viewer),
  'glossary.edit': (viewer: Viewer, _glossary: object): boolean => holds(viewer, moderators),
};
