import type { z } from 'zod';

import type { NewRelease } from '#shared/api/releases.ts';
import type { guideVersion } from '#shared/model/guide.ts';

import type { PlayableGuide } from './records.ts';

/** The text of one version of a guide. */
export type VersionText = z.infer<typeof guideVersion>;

/** One revision of a guide as people count them. */
export interface RevisionView {
  /** Null: on this device only by its text, without a count. */
  number: number | null;
  /** The stored version with its text. Versions that differ in their audience only have the same number. */
  guide_revisionid: number;
  /** When it was saved, ms since 1970. */
  at: number;
  /** '' if unknown. */
  author: string;
}

/** The revision that a guide has now. */
export interface PresentRevision extends RevisionView {
  /** Of the guide itself: it changes with every write, as when the guide is published. */
  revisionid: number;
}

/** What this device knows about the history of a guide. */
export interface GuideHistoryView {
  guideid: string;
  title: string;
  /** The revision that the guide has on the server, as far as this device knows; null: it is not there yet. */
  present: PresentRevision | null;
  editState: PlayableGuide['editState'];
  canEdit: boolean;
  /** Whether the person may release the present revision. */
  canRelease: boolean;
  /** The revisions whose text is on this device, newest first. */
  onDevice: RevisionView[];
  /** Names of releases, and whether a revision was approved, by its number. */
  releases: { number: number; title: string }[];
  approved: number[];
}

/** The revisions of guides, and who has one open. */
export interface GuideHistoryActions {
  /** All revisions of a guide, newest first. Throws `Problem` unavailable while the server cannot be reached. */
  guideRevisions(guideid: string): Promise<RevisionView[]>;
  /** The text of a version: from this device, else from the server. */
  guideVersion(guideid: string, guide_revisionid: number): Promise<VersionText>;
  /**
   * Queues an earlier version as a new revision of the guide. `seen`: the `revisionid` that the person saw. Throws `Problem`
   * conflict when it is another one by now, and while own changes wait.
   */
  restoreVersion(guideid: string, guide_revisionid: number, seen: number): Promise<void>;
  /** Releases on the server the version with this `revisionid`. Throws its `Problem`: conflict when there is a newer one. */
  releaseGuide(guideid: string, seen: number, release: NewRelease): Promise<void>;
  /**
   * Tells the server whether this person has a guide open for editing. Returns the names of the others who have; none for a
   * guide that the server does not have. Throws `Problem` unavailable while the server cannot be reached.
   */
  openedGuide(guideid: string, open: boolean): Promise<string[]>;
}
