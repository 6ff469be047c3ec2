import type { EntryFacts } from '#shared/model/work-log.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { guideAudience, isAmong, type GuideAccess } from '../audiences.ts';
import { guideRules } from '../guides/access.ts';
import { isSignedIn } from '#server/core/roles.ts';

/** An entry with its guide; `guide` undefined: it is gone. */
export interface EntryAccess {
  entry: EntryFacts;
  guide: GuideAccess | undefined;
}

/**
 * Who may see an entry: its holders, past and present, and administrators. Once suspended, it was offered to everybody
 * signed in who may see the guide, and stays readable for them: that is how the second who wants it learns who has it.
 */
export function entryAudience({ entry, guide }: EntryAccess): Principal[] {
  const { participants, wasSuspended } = foldEntry(entry);
  const offered = wasSuspended && guide !== undefined ? guideAudience(guide) : [];
  return [
    'admin',
    ...participants.map((userid): Principal => `user:${userid}`),
    ...offered.map((principal): Principal => (principal === 'public' ? 'members' : principal)),
  ];
}

/**
 * Work log: who sees a guide starts and assumes entries of it; who ever held one moves it, even when access to the guide
 * is lost (spec, "States and transitions"); the present holder deletes it. Administrators do all of it for others.
 */
export const workLogRules = {
  'entry.see': (viewer: Viewer, access: EntryAccess): boolean => isAmong(viewer, entryAudience(access)),
  'entry.start': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && guideRules['guide.see'](viewer, guide),
  'entry.act': (viewer: Viewer, { entry }: Pick<EntryAccess, 'entry'>): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && foldEntry(entry).participants.includes(viewer.userid)),
  'entry.assume': (viewer: Viewer, { guide }: Pick<EntryAccess, 'guide'>): boolean =>
    viewer.isAdmin || (guide !== undefined && isSignedIn(viewer) && guideRules['guide.see'](viewer, guide)),
  /** Moves an entry that somebody else holds at present. */
  'entry.actForHolder': (viewer: Viewer, _access: Pick<EntryAccess, 'entry'>): boolean => viewer.isAdmin,
  'entry.remove': (viewer: Viewer, { entry }: Pick<EntryAccess, 'entry'>): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && foldEntry(entry).userid === viewer.userid),
};
