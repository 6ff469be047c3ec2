import type { WikiFacts } from '#shared/model/wiki.ts';
import type { Viewer } from '#server/http/context.ts';

import { isAmong, wikiAudience } from './audience.ts';
import { editors, holds } from './roles.ts';

/** As much of a wiki as decides who may see and edit it. */
export type WikiAccess = Pick<WikiFacts, 'namespace' | 'title'>;

/** Wikis: whoever may read the site sees them, authors write them. */
export const wikiRules = {
  'wiki.see': (viewer: Viewer, _wiki: WikiAccess): boolean => isAmong(viewer, wikiAudience()),
  'wiki.edit': (viewer: Viewer, _wiki: WikiAccess): boolean => holds(viewer, editors),
};
