import { z } from 'zod';

import { flagRecord, guideSummary } from './guide-record.ts';
import { imageObject } from './image.ts';
import { richText } from './rich-text.ts';
import { userSummary } from './user.ts';
import { namedValue, supplier, wikiNamespace } from './wiki.ts';

/** A wiki in lists (spec, "Wiki"; live servers add `modified_date` and `langid`). */
export const wikiLight = z
  .strictObject({
    dataType: z.literal('wiki'),
    wikiid: z.int(),
    langid: z.string(),
    namespace: wikiNamespace,
    title: z.string(),
    display_title: z.string(),
    summary: z.string(),
    url: z.string(),
    text: z.string(),
    image: imageObject.nullable(),
    modified_date: z.int(),
  })
  .meta({ id: 'WikiLight' });
export type WikiLight = z.infer<typeof wikiLight>;

const documentOfWiki = z.strictObject({
  documentid: z.int(),
  text: z.string(),
  url: z.string(),
  download_url: z.string(),
  extension: z.string(),
  icon: z.string(),
});

/** Fields of the full wiki in every namespace (spec, "Wiki"; the rest as on live servers). */
const wikiFields = {
  wikiid: z.int(),
  langid: z.string(),
  title: z.string(),
  display_title: z.string(),
  page_title: z.string(),
  revisionid: z.int(),
  /** The newest version, patrolled or not, which an edit names. Ours. */
  latest_revisionid: z.int(),
  source_revisionid: z.int().nullable(),
  url: z.string(),
  description: z.string(),
  contents_raw: z.string(),
  contents_json: richText,
  contents_rendered: z.string(),
  table_of_contents: z.boolean(),
  /** By flagid; an empty list when there are none, as live servers answer. */
  flags: z.union([z.array(z.never()), z.record(z.string(), flagRecord)]),
  image: imageObject.nullable(),
  documents: z.array(documentOfWiki),
  can_edit: z.boolean(),
  /** Userid of the first author. */
  author: z.int(),
  authors: z.array(userSummary),
  linked_wikis: z.array(wikiLight),
  tags: z.array(z.string()),
  available_langids: z.array(z.string()),
  created_date: z.int(),
  modified_date: z.int(),
  is_troubleshooting: z.boolean(),
};

/** Parts that the guides of a category need. `tag`: the name. `url`: the page of the item. */
export const categoryParts = z.strictObject({
  total: z.int(),
  categories: z.array(z.strictObject({ url: z.string(), tag: z.string(), count: z.int() })),
});
export type CategoryParts = z.infer<typeof categoryParts>;

const categoryFields = {
  guides: z.array(guideSummary),
  featured_guides: z.array(guideSummary),
  related_wikis: z.array(wikiLight),
  children: z.array(wikiLight),
  /** Closest first. */
  ancestors: z.array(wikiLight),
  /** Title of the parent category; null at the top. */
  parent: z.string().nullable(),
  solutions_url: z.string(),
  parts: categoryParts,
  tools: z.array(
    z.strictObject({ title: z.string(), target_url: z.string(), image_url: z.string().nullable() }),
  ),
  repairability_score: z.int().nullable(),
  info: z.array(namedValue),
  category_info: z.strictObject({}),
  category_lists: z.strictObject({}),
  diagrams: z.array(imageObject),
};

/** The full wiki; its fields depend on its namespace (spec, "Wiki"). */
export const wiki = z
  .discriminatedUnion('namespace', [
    z.strictObject({ namespace: z.literal('CATEGORY'), ...wikiFields, ...categoryFields }),
    z.strictObject({ namespace: z.literal('ITEM'), ...wikiFields, suppliers: z.array(supplier) }),
    z.strictObject({ namespace: wikiNamespace.exclude(['CATEGORY', 'ITEM']), ...wikiFields }),
  ])
  .meta({ id: 'Wiki' });
export type Wiki = z.infer<typeof wiki>;

/** One version in the history of a wiki (extension). */
export const wikiRevision = z
  .strictObject({
    revisionid: z.int(),
    wikiid: z.int(),
    langid: z.string(),
    /** When it was written, UNIX seconds. */
    date: z.int(),
    author: userSummary.nullable(),
    patrolled: z.boolean(),
    /** Whether it is the version that readers see. */
    current: z.boolean(),
    title: z.string(),
    display_title: z.string(),
    source_revisionid: z.int().nullable(),
  })
  .meta({ id: 'WikiRevision' });
export type WikiRevision = z.infer<typeof wikiRevision>;

/** Nested objects by category title; a leaf is null (spec, "Category hierarchy response"). */
export interface Hierarchy {
  [title: string]: Hierarchy | null;
}
const hierarchyNode: z.ZodType<Hierarchy> = z
  .lazy(() => z.record(z.string(), z.union([hierarchyNode, z.null()])))
  .meta({ id: 'Hierarchy' });

/** Answer of `display=hierarchy`. */
export const categoryHierarchy = z
  .strictObject({ hierarchy: hierarchyNode, display_titles: z.record(z.string(), z.string()) })
  .meta({ id: 'CategoryHierarchy' });

/** A node of `display=hierarchyOrder`; a leaf has no children. */
export interface OrderedCategory {
  title: string;
  display_title: string;
  children?: OrderedCategory[] | undefined;
}
export const orderedCategory: z.ZodType<OrderedCategory> = z
  .lazy(() =>
    z.strictObject({
      title: z.string(),
      display_title: z.string(),
      children: z.array(orderedCategory).optional(),
    }),
  )
  .meta({ id: 'OrderedCategory' });

/** Nested objects by category title; a leaf is `{}` (as on live servers). */
export interface CategoryObjects {
  [title: string]: CategoryObjects;
}
export const categoryObjects: z.ZodType<CategoryObjects> = z
  .lazy(() => z.record(z.string(), categoryObjects))
  .meta({ id: 'CategoryObjects' });

/** The topic record of `GET /categories/{categoryname}` (as on live servers). */
export const topic = z
  .strictObject({
    wiki_title: z.string(),
    display_title: z.string(),
    locale: z.string(),
    topic_info: z.strictObject({
      name: z.string(),
      manufacturer: z.string().nullable(),
      introduced: z.string().nullable(),
      discontinued: z.string().nullable(),
    }),
    image: imageObject.nullable(),
    description: z.string(),
    flags: z.array(z.string()),
    solutions: z.strictObject({ url: z.string(), count: z.int() }),
    parts: z.array(z.strictObject({ text: z.string(), url: z.string() })),
    tools: z.array(z.strictObject({ text: z.string(), url: z.string() })),
    guides: z.array(guideSummary),
    ancestors: z.array(z.string()),
    children: z.array(z.string()),
    documents: z.array(documentOfWiki),
    contents_raw: z.string(),
    contents_rendered: z.string(),
  })
  .meta({ id: 'Topic' });
export type Topic = z.infer<typeof topic>;
