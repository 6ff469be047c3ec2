import type { GuideFacts } from '#shared/model/guide.ts';
import type { FlagRecord, GuideSummary } from '#shared/model/guide-record.ts';
import { imageObjectOf } from '#shared/model/image.ts';
import type { UserSummary } from '#shared/model/user.ts';
import type { CategoryParts, Topic, Wiki, WikiLight } from '#shared/model/wiki-record.ts';
import type { WikiFacts, WikiVersion } from '#shared/model/wiki.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';
import { plainBeginning } from '#shared/formats/wikitext/plain-text.ts';
import { toRichText } from '#shared/formats/wikitext/rich-text.ts';

import { wikiPath } from './urls.ts';

/** Length of the excerpt of a wiki in lists, in characters. */
const excerptCharacters = 280;

/** Whether a wiki has no text. */
export function isStub(facts: Pick<WikiFacts, 'contents_raw'>): boolean {
  return facts.contents_raw.trim() === '';
}

/** The version that readers see. */
export function shownVersion({ unpatrolled: _unpatrolled, ...shown }: WikiFacts): WikiVersion {
  return shown;
}

/** The newest version, patrolled or not; edits are based on it. */
export function newestVersion(facts: WikiFacts): WikiVersion {
  return facts.unpatrolled ?? shownVersion(facts);
}

/** The light wiki of the API (spec, "Wiki"). */
export function wikiLightRecord(facts: WikiVersion, baseUrl: string, wiki: WikiContext): WikiLight {
  return {
    dataType: 'wiki',
    wikiid: facts.wikiid,
    langid: facts.langid,
    namespace: facts.namespace,
    title: facts.title,
    display_title: shownTitle(facts),
    summary: facts.description,
    url: baseUrl + wikiPath(facts.namespace, facts.title),
    text: excerpt(plainBeginning(facts.contents_raw, wiki)),
    image: facts.image === null ? null : imageObjectOf(facts.image, baseUrl),
    modified_date: facts.modified_date,
  };
}

/** `display_title`, when present, is shown in place of `title` (spec, "Wiki"). */
export function shownTitle(facts: Pick<WikiFacts, 'title' | 'display_title'>): string {
  return facts.display_title === '' ? facts.title : facts.display_title;
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= excerptCharacters) return line;
  return `${characters
    .slice(0, excerptCharacters - 1)
    .join('')
    .trimEnd()}…`;
}

/** What the record of a wiki contains besides its own facts, as this viewer may see it. */
export interface WikiSurroundings {
  baseUrl: string;
  wiki: WikiContext;
  /** Userid of the first author. */
  author: number;
  authors: UserSummary[];
  availableLangids: string[];
  /** The newest revision, patrolled or not. */
  latestRevisionid: number;
  /** Wikis that the text links to. */
  linkedWikis: WikiVersion[];
  tags: string[];
  canEdit: boolean;
  flagRecord: (flagid: string) => FlagRecord;
  /** Of a CATEGORY only. */
  category: CategorySurroundings | null;
}

export interface CategorySurroundings {
  /** Guides of the category itself, by guideid. */
  guides: { facts: GuideFacts; summary: GuideSummary }[];
  children: WikiVersion[];
  /** Closest first. */
  ancestors: WikiVersion[];
  /** Other categories with the same parent. */
  siblings: WikiVersion[];
  isFeatured: (guide: GuideFacts) => boolean;
}

/**
 * The full wiki of the API; its fields depend on the namespace (spec, "Wiki"; as on live servers).
 *
 * - LIVE-1 `author` is the userid of the first author. `category_info` and `category_lists` are objects, `{}` when empty.
 *   `solutions_url` is a URI: questions about a category are comments on its page, so it is the address of that page.
 */
export function wikiRecord(facts: WikiVersion, around: WikiSurroundings): Wiki {
  const { namespace } = facts;
  const fields = commonFields(facts, around);
  if (namespace === 'ITEM') return { namespace, ...fields, suppliers: facts.suppliers ?? [] };
  if (namespace !== 'CATEGORY') return { namespace, ...fields };
  const category = around.category ?? noCategory;
  const light = (one: WikiVersion): WikiLight => wikiLightRecord(one, around.baseUrl, around.wiki);
  return {
    namespace,
    ...fields,
    guides: category.guides.map(({ summary }) => summary),
    featured_guides: category.guides
      .filter((guide) => category.isFeatured(guide.facts))
      .map(({ summary }) => summary),
    related_wikis: category.siblings.map(light),
    children: category.children.map(light),
    ancestors: category.ancestors.map(light),
    parent: facts.parent,
    solutions_url: fields.url,
    parts: partsOf(category, around.baseUrl),
    tools: suppliesOf(category, 'tools').map((tool) => ({
      title: tool.text,
      target_url: around.baseUrl + tool.url,
      image_url: tool.thumbnail,
    })),
    repairability_score: facts.repairability_score ?? null,
    info: facts.info ?? [],
    category_info: {},
    category_lists: {},
    diagrams: [],
  };
}

const noCategory: CategorySurroundings = {
  guides: [],
  children: [],
  ancestors: [],
  siblings: [],
  isFeatured: () => false,
};

function commonFields(facts: WikiVersion, around: WikiSurroundings) {
  const flags = Object.fromEntries(facts.flags.map((flagid) => [flagid, around.flagRecord(flagid)]));
  return {
    wikiid: facts.wikiid,
    langid: facts.langid,
    title: facts.title,
    display_title: shownTitle(facts),
    page_title:
      facts.page_title === undefined || facts.page_title === '' ? shownTitle(facts) : facts.page_title,
    revisionid: facts.revisionid,
    latest_revisionid: around.latestRevisionid,
    source_revisionid: facts.source_revisionid,
    url: around.baseUrl + wikiPath(facts.namespace, facts.title),
    description: facts.description,
    contents_raw: facts.contents_raw,
    contents_json: toRichText(facts.contents_raw),
    contents_rendered: renderBlocks(facts.contents_raw, around.wiki),
    table_of_contents: facts.table_of_contents,
    flags: facts.flags.length === 0 ? [] : flags,
    image: facts.image === null ? null : imageObjectOf(facts.image, around.baseUrl),
    documents: documentsOf(facts, around.baseUrl),
    can_edit: around.canEdit,
    author: around.author,
    authors: around.authors,
    linked_wikis: around.linkedWikis.map((one) => wikiLightRecord(one, around.baseUrl, around.wiki)),
    tags: around.tags,
    available_langids: around.availableLangids,
    created_date: facts.created_date,
    modified_date: facts.modified_date,
    is_troubleshooting: false,
  };
}

function documentsOf(facts: WikiVersion, baseUrl: string): Wiki['documents'] {
  return (facts.documents ?? []).map(({ guid: _guid, ...document }) => ({
    ...document,
    download_url: absolute(document.download_url, baseUrl),
  }));
}

function absolute(url: string, baseUrl: string): string {
  return url.startsWith('/') ? baseUrl + url : url;
}

type Supply = GuideFacts['parts'][number] & { count: number };

/** The parts or tools of the guides of a category: each name once, with the number of guides that need it. */
function suppliesOf(category: CategorySurroundings, list: 'parts' | 'tools'): Supply[] {
  const supplies = new Map<string, Supply>();
  for (const { facts } of category.guides) {
    for (const text of new Set(facts[list].map((supply) => supply.text))) {
      const supply = facts[list].find((one) => one.text === text);
      const known = supplies.get(text);
      if (known !== undefined) known.count += 1;
      else if (supply !== undefined) supplies.set(text, { ...supply, count: 1 });
    }
  }
  return [...supplies.values()];
}

function partsOf(category: CategorySurroundings, baseUrl: string): CategoryParts {
  const parts = suppliesOf(category, 'parts');
  return {
    total: parts.length,
    categories: parts.map(({ text, url, count }) => ({ url: baseUrl + url, tag: text, count })),
  };
}

/** The topic record of `GET /categories/{categoryname}` (as on live servers). */
export function topicRecord(facts: WikiVersion, around: WikiSurroundings): Topic {
  const category = around.category ?? noCategory;
  const said = (name: string): string | null =>
    facts.info?.find((one) => one.name.trim().toLowerCase() === name)?.value ?? null;
  const named = (list: 'parts' | 'tools') =>
    suppliesOf(category, list).map(({ text, url }) => ({ text, url: around.baseUrl + url }));
  return {
    wiki_title: facts.title,
    display_title: shownTitle(facts),
    locale: facts.langid,
    topic_info: {
      name: facts.title,
      manufacturer: said('manufacturer'),
      introduced: said('introduced'),
      discontinued: said('discontinued'),
    },
    image: facts.image === null ? null : imageObjectOf(facts.image, around.baseUrl),
    description: facts.description,
    flags: facts.flags,
    solutions: { url: around.baseUrl + wikiPath(facts.namespace, facts.title), count: 0 },
    parts: named('parts'),
    tools: named('tools'),
    guides: category.guides.map(({ summary }) => summary),
    ancestors: category.ancestors.map((one) => one.title),
    children: category.children.map((one) => one.title),
    documents: documentsOf(facts, around.baseUrl),
    contents_raw: facts.contents_raw,
    contents_rendered: renderBlocks(facts.contents_raw, around.wiki),
  };
}
