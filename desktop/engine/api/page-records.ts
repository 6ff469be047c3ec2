import type { BadgeCounts } from '#shared/model/badge.ts';
import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { NamedValue, Supplier, WikiNamespace } from '#shared/model/wiki.ts';

import type { TemplatePage } from '#shared/rules/wiki-templates.ts';

import type { CommentView, DocumentView, PlayableGuide } from './records.ts';

/** An edit of one's own profile; absent fields stay. A picture that waits for upload has the number 0. */
export interface ProfileEdit {
  name?: string;
  uniqueName?: string | null;
  summary?: string;
  about?: string;
  location?: string;
  image?: ImageRef | null;
}

/** A wiki page in a list. */
export interface PageCard {
  /** The server's number, or `tmp:…` until it has one. */
  wikiid: string;
  namespace: WikiNamespace;
  /** Its title on the server. */
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

/** An edit of a page: its text, and other fields; absent fields stay. */
export interface PageText extends Partial<PageParts> {
  displayTitle: string;
  description: string;
  contents: string;
}

/** Fields of a page that an editor can change besides the text. A file that is not uploaded yet has the number 0. */
export interface PageParts {
  image: ImageRef | null;
  flags: string[];
  documents: DocumentRef[];
  /** Of a category. */
  info: NamedValue[];
  /** Of an item. */
  suppliers: Supplier[];
  /** Of a category: the title of the one above it. */
  parent: string | null;
}

/** The version of a page that an edit began with. */
export interface BegunText {
  revisionid: number;
  text: PageText;
}

/** Templates and pictures of the site that texts may use. */
export interface TextSources {
  templates: readonly TemplatePage[];
  images: readonly ImageRef[];
  langid: string;
}

/** A wiki page as it is read. */
export interface WikiPage extends PageCard {
  revisionid: number;
  /** Revision that an editor begins with; 0 while the server has none. */
  newestRevisionid: number;
  /** Safe HTML. */
  html: string;
  /** Content that an editor begins with: the newest one, even that of a refused save. */
  text: PageText & PageParts;
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
  /** Author of the version that is shown. */
  author: string;
  createdAt: number | null;
  /** `own`: the version that is shown is the person's own and not patrolled; `others`: a newer version waits for patrol. */
  patrol: 'none' | 'own' | 'others';
  canEdit: boolean;
  canDelete: boolean;
  canTag: boolean;
  /** Whether the person can patrol the newest version. */
  canPatrol: boolean;
  /** Flags that the person can set. */
  flagChoices: { flagid: string; title: string }[];
  isTranslation: boolean;
  /** Languages of the site into which the page can be translated. */
  translatable: string[];
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
  /** The page of the person, if it exists. */
  pageid: string | null;
  /** It does not exist, and the signed-in person may write it. */
  canWritePage: boolean;
  /** The server does not have an edit that is shown. */
  pending: boolean;
  /** The server's message about a refused edit. */
  refused: string | null;
  /** For one's own profile: content that an editor begins with. Null: the person may not edit it. */
  editable: Required<ProfileEdit> | null;
}

export interface TeamProfile extends Omit<TeamCard, 'members'> {
  location: string;
  /** Total reputation of its members. */
  reputation: number;
  owner: number | null;
  members: PersonCard[];
  pageid: string | null;
  canWritePage: boolean;
  /** The person joined or left, and the server does not know it yet. */
  pending: boolean;
  /** The server's message about a refused join or leave. */
  refused: string | null;
  canJoin: boolean;
  canLeave: boolean;
}
