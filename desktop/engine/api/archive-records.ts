import type { CategoryNode, GuideSummaryCard } from './records.ts';

/** A line of the report of an archive. */
export interface ArchiveFinding {
  kind: 'dropped' | 'guessed' | 'repaired' | 'unresolved';
  message: string;
  /** Member and place in it; '' for the package itself. */
  place: string;
}

/**
 * `reading`: guides appear as they are read. `fetching`, `paused`, `broken-off`: not complete yet. `unusable`: the file was
 * refused, or does not exist any more.
 */
export type ArchiveState = 'ready' | 'reading' | 'fetching' | 'paused' | 'broken-off' | 'unusable';

export interface ArchiveCard {
  archiveid: string;
  title: string;
  filename: string;
  bytes: number;
  /** ms since 1970. */
  addedAt: number;
  origin: 'opened' | 'made' | 'url' | 'server';
  /** The site that created it, or the address it came from; '': unknown. */
  from: string;
  producer: 'benchbook' | 'ifixit' | 'dita' | 'unknown';
  /** Version of the format; '' while unknown. */
  version: string;
  guides: number;
  /** Number of things in the file that were dropped, guessed, repaired or left unresolved. */
  findings: number;
  state: ArchiveState;
  /** Bytes while fetching, guides while reading. */
  progress: { done: number; total: number } | null;
  /** What is wrong and what to do, in plain words. */
  problem: string | null;
  /** Created for this person from guides that are not public. */
  private: boolean;
  /** Its name in the server's collection; null: not from there. */
  serverName: string | null;
  /** The server has another version. */
  isOutdated: boolean;
  /** Some of its pictures or videos are only links, which need a connection. */
  linked: boolean;
}

export interface ArchiveQuery {
  archiveid: string;
  /** Null: all. */
  category: string | null;
  search?: string;
}

export interface ArchivedGuideCard extends GuideSummaryCard {
  same: string | null;
}

export interface ArchivePage {
  archive: ArchiveCard;
  categories: CategoryNode[];
  /** Description of the requested category in the archive; safe HTML. */
  aboutHtml: string;
  guides: ArchivedGuideCard[];
  report: ArchiveFinding[];
}

/** An import of an archive into the server's library. */
export interface ImportCard {
  importid: number;
  filename: string;
  /** ms since 1970. */
  at: number;
  isTrial: boolean;
  state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone';
  progress: { done: number; total: number } | null;
  /** What it did, or would do; null until it is done. */
  result: { created: number; changed: number; skipped: number; media: number } | null;
  /** What it did, or would do, for each guide and category, in the order of the file. */
  items: { kind: 'guide' | 'category'; title: string; action: 'created' | 'changed' | 'skipped' }[];
  report: ArchiveFinding[];
  /** Why it failed, in the server's words. */
  problem: string | null;
  /** Its file is no longer on the server: it cannot be imported again, but the import can be undone. */
  isFileGone: boolean;
  rules: {
    existing: 'skip' | 'new' | 'revision';
    visibility: 'archived' | 'private' | 'public';
    author: 'importer' | 'name';
  };
}

/** A tag and the guides of this device that have it. */
export interface TaggedGuides {
  tag: string;
  guideids: string[];
}

/** An archive of the server's collection. */
export interface ServerArchive {
  name: string;
  title: string;
  bytes: number;
  guides: number;
  /** ms since 1970. */
  madeAt: number;
  /** The copy on this device, if there is one. */
  archiveid: string | null;
}
