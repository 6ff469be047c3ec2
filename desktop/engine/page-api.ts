import type { WikiNamespace } from '#shared/model/wiki.ts';

import type { Live } from './api.ts';
import type * as records from './views/page-records.ts';

/** Live reads of wiki pages and of people. */
export interface PageViews {
  /** Pages of a namespace, by the title that is shown. */
  pages(namespace: WikiNamespace): Live<records.PageCard[]>;
  /** One page, rendered. Null: not on this device. */
  page(wikiid: string): Live<records.WikiPage | null>;
  /** People and teams by name. */
  directory(): Live<records.Directory>;
  person(userid: number): Live<records.PersonProfile | null>;
  team(teamid: number): Live<records.TeamProfile | null>;
}

/** Writes of wiki pages and tags. A promise resolves when the change is journalled. */
export interface PageActions {
  /** Returns the (temporary) wikiid. */
  createPage(namespace: WikiNamespace, title: string, text: records.PageText): Promise<string>;
  savePage(wikiid: string, text: records.PageText): Promise<void>;
  deletePage(wikiid: string): Promise<void>;
  /** Adds a tag, or takes it off. */
  tagGuide(guideid: string, tag: string, on: boolean): Promise<void>;
  tagPage(wikiid: string, tag: string, on: boolean): Promise<void>;
  /** Who wrote which version, the newest first. Asks the server; throws `Problem` when it cannot be reached. */
  pageVersions(wikiid: string): Promise<records.PageVersion[]>;
}
