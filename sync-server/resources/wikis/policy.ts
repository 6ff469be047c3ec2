import type { Viewer } from '#server/http/context.ts';
import type { Principal } from '#server/storage/feed.ts';

/** Privileges that let a person write wikis. */
const editors = ['Author', 'Moderator', 'Admin'];

/** Who may see a wiki: whoever may read the site. */
export function wikiAudience(): Principal[] {
  return ['public'];
}

export function canEditWikis(viewer: Viewer): boolean {
  return viewer.privileges.some((privilege) => editors.includes(privilege));
}
