import { z } from 'zod';

import {
  categoryHierarchy,
  categoryObjects,
  orderedCategory,
  topic,
  wiki,
  wikiLight,
  wikiRevision,
} from '#shared/model/wiki-record.ts';
import { tagName } from '#shared/model/tag.ts';
import { namedValue, supplier, wikiNamespace } from '#shared/model/wiki.ts';

import { del, get, limit, offset, order, patch, post, presenceSwitch, put, querySwitch } from './endpoint.ts';

const langid = z.string().optional();
const langQuery = z.object({ langid });
const format = z.enum(['JSON', 'XML']).default('JSON');

/** The form of `GET /wikis/CATEGORY` (spec, "Wikis"; as on live servers). */
export const wikiDisplay = z.enum(['objects', 'leaves', 'hierarchy', 'hierarchyOrder']).default('objects');

/** Filters of a tree of categories. */
const treeFilter = {
  /** Only categories with published guides, or with such a category below them. */
  requireGuides: querySwitch,
  /** Also categories without a text. */
  includeStubs: querySwitch,
  langid,
};

/** Query of `GET /wikis/{namespace}`; `display` and the fields after it apply to CATEGORY only. */
export const wikiFilter = z.object({
  modifiedSince: z.coerce.number().int().optional(),
  offset,
  limit,
  display: wikiDisplay,
  ...treeFilter,
  machineTranslateLangid: langid,
  needsPatrol: querySwitch.meta({ description: 'Only wikis with edits that wait for a patrol' }),
});
export type WikiFilter = z.output<typeof wikiFilter>;

/** Query of GET /wikis/{namespace}/{title}. `revisionid` (extension): read an earlier version. */
export const wikiQuery = z.object({
  unpatrolled: presenceSwitch,
  /** Only for categories; `HTML`, one self-contained page, is an extension. */
  type: z.enum(['JSON', 'XML', 'HTML']).default('JSON'),
  langid,
  revisionid: z.coerce.number().int().positive().optional(),
});

/** Maximum lengths of the fields of a wiki in characters, and of its lists. */
export const wikiLimits = { title: 255, text: 500_000, description: 1000, value: 1000, list: 100 } as const;

const line = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^\P{Cc}*$/u, 'Must be one line');
const title = line(wikiLimits.title).trim().min(1);
const id = z.int().positive();

/** A supplier of an item; at least one field must be given. */
const supplierEdit = supplier
  .extend({
    'part_#': line(wikiLimits.title).default(''),
    type: line(wikiLimits.title).default(''),
    supplier: line(wikiLimits.title).trim().default(''),
    url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(wikiLimits.value)]).default(''),
  })
  .refine(
    (one) => Object.values(one).some((said) => said.trim() !== ''),
    'Say at least one thing of a supplier',
  );

/** The fields of a wiki in request bodies; the namespace decides which are allowed (as on live servers). */
const written = {
  contents: z.string().max(wikiLimits.text).optional(),
  display_title: line(wikiLimits.title).trim().optional(),
  page_title: line(wikiLimits.title).trim().optional(),
  description: z.string().trim().max(wikiLimits.description).optional(),
  image: id.nullable().optional(),
  table_of_contents: z.boolean().optional(),
  flags: z
    .array(z.string().regex(/^[A-Z][A-Z0-9_]{1,59}$/, 'Must be a flag id'))
    .max(wikiLimits.list)
    .optional(),
  documents: z
    .array(z.union([id, z.strictObject({ documentid: id })]))
    .max(wikiLimits.list)
    .optional(),
  parent: title.nullable().optional(),
  info: z
    .array(
      namedValue.extend({ name: line(wikiLimits.title).trim().min(1), value: line(wikiLimits.value).trim() }),
    )
    .max(wikiLimits.list)
    .optional(),
  repairability_score: z.int().min(0).max(10).nullable().optional(),
  suppliers: z.array(supplierEdit).max(wikiLimits.list).optional(),
};

/** Body of PATCH (not in the spec; as on live servers). `title` (extension) renames the wiki. */
export const wikiEdit = z.strictObject({ title: title.optional(), ...written });
export type WikiEdit = z.output<typeof wikiEdit>;

/** Body of POST (not in the spec; as on live servers). With `source_revisionid` it is a translation into `langid`. */
export const newWiki = z
  .strictObject({
    namespace: wikiNamespace,
    title,
    ...written,
    contents: z.string().max(wikiLimits.text),
    langid: z.string().max(35).optional(),
    source_revisionid: id.nullable().optional(),
    /** Another spelling that existing clients send. */
    source_revision_id: id.nullable().optional(),
  })
  .meta({
    examples: [
      {
        namespace: 'WIKI',
        title: 'Torque table',
        contents: "Screws M6: '''10 Nm'''.",
        description: 'How tight to fasten screws',
      },
    ],
  });
export type NewWiki = z.output<typeof newWiki>;

const namespace = wikiNamespace;
const wikiName = z.strictObject({ namespace, title: z.string().min(1) });
const tagBody = z.strictObject({ tag: tagName });
/** A tag to remove may be one that people can no longer give. */
const anyTag = z.strictObject({ tag: z.string().trim().min(1) });
const categoryName = z.strictObject({ categoryname: z.string().min(1) });

export const wikis = {
  list: get('/wikis/{namespace}', {
    lasts: 'until-written',
    summary: 'List the wikis of a namespace; of CATEGORY also as a hierarchy',
    access: 'public',
    params: z.strictObject({ namespace }),
    query: wikiFilter,
    result: z.union([z.array(wikiLight), categoryHierarchy, z.array(orderedCategory)]),
  }),
  read: get('/wikis/{namespace}/{title}', {
    lasts: 'until-written',
    summary: 'Read a wiki',
    access: 'public',
    params: wikiName,
    query: wikiQuery,
    result: wiki,
    produces: ['application/xml', 'text/html'],
  }),
  create: post('/wikis', {
    summary: 'Create a wiki, or a translation of one',
    status: 201,
    query: langQuery,
    body: newWiki,
    result: wiki,
    offline: 'wiki-create',
    refuses: [400, 403],
    extension: true,
  }),
  patch: patch('/wikis/{namespace}/{title}', {
    summary: 'Edit a wiki',
    params: wikiName,
    query: langQuery,
    revisioned: wiki,
    body: wikiEdit,
    result: wiki,
    offline: 'wiki-save',
    extension: true,
  }),
  remove: del('/wikis/{namespace}/{title}', {
    summary: 'Delete a wiki; of a translation only the translation',
    status: 204,
    params: wikiName,
    query: langQuery,
    revisioned: wiki,
    offline: 'wiki-delete',
    extension: true,
  }),
  revert: post('/wikis/{namespace}/{title}/revert', {
    summary: 'Write an earlier version of a wiki anew',
    params: wikiName,
    query: z.object({
      langid,
      to_revisionid: z.coerce
        .number()
        .int()
        .positive()
        .meta({ description: 'Id of the revision to write anew' }),
    }),
    revisioned: wiki,
    result: wiki,
    offline: 'wiki-revert',
    extension: true,
  }),
  patrol: post('/wikis/{namespace}/{title}/patrol', {
    summary: 'Show the newest version of a wiki to everybody',
    params: wikiName,
    query: langQuery,
    revisioned: wiki,
    result: wiki,
    offline: 'wiki-patrol',
    extension: true,
  }),
  revisions: get('/wikis/{namespace}/{title}/revisions', {
    summary: 'List the versions of a wiki, the newest first unless ordered otherwise',
    access: 'public',
    params: wikiName,
    query: z.object({ langid, offset, limit, order: order.default('DESC') }),
    result: z.array(wikiRevision),
    extension: true,
  }),
  tags: get('/wikis/{namespace}/{title}/tags', {
    summary: 'List the tags of a wiki',
    access: 'public',
    params: wikiName,
    query: langQuery,
    result: z.array(z.string()),
  }),
  addTag: put('/wikis/{namespace}/{title}/tag', {
    summary: 'Add a tag to a wiki',
    params: wikiName,
    query: langQuery,
    checks: wiki,
    body: tagBody,
    result: wiki,
    offline: 'wiki-tag',
  }),
  removeTag: del('/wikis/{namespace}/{title}/tag', {
    summary: 'Remove a tag from a wiki',
    params: wikiName,
    query: langQuery,
    checks: wiki,
    body: anyTag,
    result: wiki,
    offline: 'wiki-tag',
    extension: true,
  }),
};

/** Categories for existing clients: answers (not in the spec) as these read them. */
export const categories = {
  tree: get('/categories', {
    lasts: 'until-written',
    summary: 'List the category titles in their hierarchy',
    access: 'public',
    query: z.object({ ...treeFilter, withDisplayTitles: presenceSwitch }),
    result: z.union([
      z.strictObject({ hierarchy: categoryObjects, display_titles: z.record(z.string(), z.string()) }),
      categoryObjects,
    ]),
  }),
  all: get('/categories/all', {
    lasts: 'until-written',
    summary: 'List the category titles',
    access: 'public',
    // Existing clients request everything at once, so the limit of other lists does not apply here.
    query: z.object({ offset, limit: z.coerce.number().int().min(1).optional() }),
    result: z.array(z.string()),
  }),
  read: get('/categories/{categoryname}', {
    lasts: 'until-written',
    summary: 'Read a category with its text and guides',
    access: 'public',
    params: categoryName,
    query: z.object({ type: format, langid }),
    result: topic,
    produces: ['application/xml'],
  }),
};
