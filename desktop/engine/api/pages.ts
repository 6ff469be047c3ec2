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
  /** What texts on this device may call. */
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
  /** `began`: what the page said when the person began, so that what others wrote meanwhile is not lost. */
  savePage(wikiid: string, text: records.PageText, began?: records.BegunText): Promise<void>;
  deletePage(wikiid: string): Promise<void>;
  /** Begins the page in another language; returns the (temporary) wikiid. */
  translatePage(wikiid: string, langid: string, text: records.PageText): Promise<string>;
  /** Shows the newest version to everybody; for moderators. */
  patrolPage(wikiid: string): Promise<void>;
  /** Writes an earlier version anew. */
  revertPage(wikiid: string, revisionid: number): Promise<void>;
  /** Changes one's own profile; what the edit does not name stays. Throws `Problem` invalid when a field cannot be so. */
  saveProfile(edit: ProfileEdit): Promise<void>;
  /** Makes the person a member of a team. The server judges the code. */
  joinTeam(teamid: number, joinCode: string): Promise<void>;
  leaveTeam(teamid: number): Promise<void>;
  /** Keeps a file for a page or profile; it is uploaded like every other, and named by the save that follows. */
  keepPagePicture(file: Blob, filename: string): Promise<ImageRef>;
  keepPageDocument(file: Blob, filename: string): Promise<DocumentRef>;
  /** Adds a tag, or takes it off. */
  tagGuide(guideid: string, tag: string, on: boolean): Promise<void>;
  tagPage(wikiid: string, tag: string, on: boolean): Promise<void>;
  /** Who wrote which version, the newest first. Asks the server; throws `Problem` when it cannot be reached. */
  pageVersions(wikiid: string): Promise<records.PageVersion[]>;
}
