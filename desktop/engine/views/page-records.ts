import type { BadgeCounts } from '#shared/model/badge.ts';
import type { NamedValue, Supplier, WikiNamespace } from '#shared/model/wiki.ts';

import type { CommentView, DocumentView, PlayableGuide } from './records.ts';

/** A wiki page in a list. */
export interface PageCard {
  /** The server's number, or `tmp:…` until it has one. */
  wikiid: string;
  namespace: WikiNamespace;
  /** What names it on the server. */
  title: string;
  displayTitle: string;
  description: string;
  langid: string;
  imageGuid: string | null;
  /** ms since 1970. */
  modifiedAt: number;
  /** Made or changed on this device and not yet on the server. */
  pending: boolean;
}

/** What an editor of a page can write. */
export interface PageText {
  displayTitle: string;
  description: string;
  contents: string;
}

/** A wiki page as it is read. */
export interface WikiPage extends PageCard {
  revisionid: number;
  /** Safe HTML. */
  html: string;
  /** What an editor begins with: the newest words, those of a refused save included. */
  text: PageText;
  /** Titles of the pages above and below it, for a category. */
  parent: PageLink | null;
  children: PageLink[];
  /** Pages of the same title in other languages. */
  translations: { wikiid: string; langid: string }[];
  info: NamedValue[];
  suppliers: Supplier[];
  repairability: number | null;
  documents: DocumentView[];
  flags: string[];
  tags: string[];
  comments: CommentView[];
  /** Who wrote the version that is shown. */
  author: string;
  createdAt: number | null;
  /** `own`: the version that is shown is the person's, and nobody patrolled it; `others`: a newer one waits. */
  patrol: 'none' | 'own' | 'others';
  canEdit: boolean;
  canDelete: boolean;
  canTag: boolean;
  editState: Exclude<PlayableGuide['editState'], 'draft'>;
}

export interface PageLink {
  wikiid: string;
  displayTitle: string;
}

/** One version of a page, for its history. */
export interface PageVersion {
  revisionid: number;
  author: string;
  /** ms since 1970. */
  at: number;
}

export interface PersonCard {
  userid: number;
  name: string;
  imageGuid: string | null;
  reputation: number;
  summary: string;
}

export interface TeamCard {
  teamid: number;
  name: string;
  imageGuid: string | null;
  description: string;
  members: number;
}

export interface Directory {
  people: PersonCard[];
  teams: TeamCard[];
}

export interface PersonProfile extends PersonCard {
  uniqueName: string | null;
  /** Safe HTML. */
  aboutHtml: string;
  location: string;
  /** ms since 1970. */
  joinedAt: number;
  badges: BadgeCounts;
  privileges: string[];
  teams: TeamCard[];
  /** The page that belongs to the person, if it is written. */
  pageid: string | null;
}

export interface TeamProfile extends Omit<TeamCard, 'members'> {
  location: string;
  /** Reputation of its members together. */
  reputation: number;
  owner: number | null;
  members: PersonCard[];
  pageid: string | null;
}
