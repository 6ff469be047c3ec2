import { z } from 'zod';

import {
  categoryHierarchy,
  categoryObjects,
  orderedCategory,
  topic,
  wiki,
  wikiLight,
} from '#shared/model/wiki-record.ts';
import { wikiNamespace } from '#shared/model/wiki.ts';

import { get, limit, offset, presenceSwitch, querySwitch } from './endpoint.ts';

const langid = z.string().optional();
const format = z.enum(['JSON', 'XML']).default('JSON');

/** How `GET /wikis/CATEGORY` shows categories (spec, "Wikis"; API facts 4). */
export const wikiDisplay = z.enum(['objects', 'leaves', 'hierarchy', 'hierarchyOrder']).default('objects');

/** Which categories a tree shows. */
const treeFilter = {
  /** Only categories with published guides, or with such a category below them. */
  requireGuides: querySwitch,
  /** Also categories that nobody has written about. */
  includeStubs: querySwitch,
  langid,
};

/** Query of `GET /wikis/{namespace}`; `display` and what follows it are for CATEGORY. */
export const wikiFilter = z.object({
  modifiedSince: z.coerce.number().int().optional(),
  offset,
  limit,
  display: wikiDisplay,
  ...treeFilter,
  machineTranslateLangid: langid,
});
export type WikiFilter = z.output<typeof wikiFilter>;

export const wikiQuery = z.object({ unpatrolled: presenceSwitch, type: format, langid });

const namespace = wikiNamespace;
const categoryName = z.strictObject({ categoryname: z.string().min(1) });

export const wikis = {
  list: get('/wikis/{namespace}', {
    summary: 'List the wikis of a namespace; of CATEGORY also as a hierarchy',
    access: 'public',
    params: z.strictObject({ namespace }),
    query: wikiFilter,
    result: z.union([z.array(wikiLight), categoryHierarchy, z.array(orderedCategory)]),
  }),
  read: get('/wikis/{namespace}/{title}', {
    summary: 'Read a wiki',
    access: 'public',
    params: z.strictObject({ namespace, title: z.string().min(1) }),
    query: wikiQuery,
    result: wiki,
  }),
};

/** Answers (spec: not shown) as existing clients read them (API facts 16). */
export const categories = {
  tree: get('/categories', {
    summary: 'List the category titles in their hierarchy',
    access: 'public',
    query: z.object({ ...treeFilter, withDisplayTitles: presenceSwitch }),
    result: z.union([
      z.strictObject({ hierarchy: categoryObjects, display_titles: z.record(z.string(), z.string()) }),
      categoryObjects,
    ]),
  }),
  all: get('/categories/all', {
    summary: 'List the category titles',
    access: 'public',
    // Existing clients ask once for everything, so that the limit of other lists does not hold here.
    query: z.object({ offset, limit: z.coerce.number().int().min(1).optional() }),
    result: z.array(z.string()),
  }),
  read: get('/categories/{categoryname}', {
    summary: 'Read a category with its text and guides',
    access: 'public',
    params: categoryName,
    query: z.object({ type: format, langid }),
    result: topic,
  }),
};
