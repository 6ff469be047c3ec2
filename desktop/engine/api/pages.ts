import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';

import type { Live } from './engine.ts';
import type { ProfileEdit } from './page-records.ts';
import type * as records from './page-records.ts';

/** Live reads of wiki pages and of people. */
export interface PageViews {
  /** Pages of a namespace, by the title that is shown. */
  pages(namespace: WikiNamespace): Live<records.PageCard[]>;
  /** One page, rendered. Null: not on this device. */
  page(wikiid: string): Live<records.WikiPage | null>;
  /** Templates and pictures that texts on this device may use. */
  textSources(): Live<records.TextSources>;
  /** People and teams by name. */
  directory(): Live<records.Directory>;
  person(userid: number): Live<records.PersonProfile | null>;
  team(teamid: number): Live<records.TeamProfile | null>;
}

/** Writes of wiki pages and tags. A promise resolves when the change is journalled. */
export interface PageActions {
  /** Returns the (temporary) wikiid. */
  createPage(namespace: WikiNamespace, title: string, text: records.PageText): Promise<string>;
  /** `began`: the version at the beginning of the edit, so that changes of others since then are not lost. */
  savePage(wikiid: string, text: records.PageText, began?: records.BegunText): Promise<void>;
  deletePage(wikiid: string): Promise<void>;
  /** Creates a translation of the page; returns the (temporary) wikiid. */
  translatePage(wikiid: string, langid: string, text: records.PageText): Promise<string>;
  /** Patrols the newest version, so that everybody sees it; for moderators. */
  patrolPage(wikiid: string): Promise<void>;
  /** Restores an earlier version. */
  revertPage(wikiid: string, revisionid: number): Promise<void>;
  /** Changes one's own profile; absent fields stay. Throws `Problem` invalid when a field is invalid. */
  saveProfile(edit: ProfileEdit): Promise<void>;
  /** Makes the person a member of a team. The server checks the code. */
  joinTeam(teamid: number, joinCode: string): Promise<void>;
  leaveTeam(teamid: number): Promise<void>;
  /** Stores a file for a page or profile. It is uploaded like any other file, and the next save names it. */
  keepPagePicture(file: Blob, filename: string): Promise<ImageRef>;
  keepPageDocument(file: Blob, filename: string): Promise<DocumentRef>;
  /** Adds or removes a tag. */
  tagGuide(guideid: string, tag: string, on: boolean): Promise<void>;
  tagPage(wikiid: string, tag: string, on: boolean): Promise<void>;
  /** The versions with their authors, newest first. Asks the server; throws `Problem` when it cannot be reached. */
  pageVersions(wikiid: string): Promise<records.PageVersion[]>;
}
