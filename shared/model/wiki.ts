import { z } from 'zod';

import { documentRef } from './guide.ts';
import { imageRef } from './image.ts';
import { recordUid } from './record-uid.ts';

export const wikiNamespaces = ['CATEGORY', 'ITEM', 'TEAM', 'USER', 'INFO', 'WIKI'] as const;
export const wikiNamespace = z.enum(wikiNamespaces);
export type WikiNamespace = z.infer<typeof wikiNamespace>;

/** A property of a category, such as its manufacturer. */
export const namedValue = z.strictObject({ name: z.string(), value: z.string() }).meta({ id: 'NamedValue' });
export type NamedValue = z.infer<typeof namedValue>;

/** A supplier of an item. */
export const supplier = z
  .strictObject({ 'part_#': z.string(), type: z.string(), supplier: z.string(), url: z.string() })
  .meta({ id: 'Supplier' });
export type Supplier = z.infer<typeof supplier>;

const version = {
  wikiid: z.int(),
  revisionid: z.int(),
  /**
   * The temporary id with which a device created the wiki, stored so that earlier calls of the device still find it.
   */
  key: z.string().optional(),
  namespace: wikiNamespace,
  title: z.string(),
  display_title: z.string(),
  /** Title of the page in a browser; absent or empty: the shown title. */
  page_title: z.string().optional(),
  langid: z.string(),
  parent: z.string().nullable(),
  description: z.string(),
  contents_raw: z.string(),
  image: imageRef.nullable(),
  flags: z.array(z.string()),
  table_of_contents: z.boolean(),
  documents: z.array(documentRef).optional(),
  /** Of a CATEGORY. */
  info: z.array(namedValue).optional(),
  /** Of a CATEGORY; 0 to 10. */
  repairability_score: z.int().nullable().optional(),
  /** Of an ITEM. */
  suppliers: z.array(supplier).optional(),
  source_revisionid: z.int().nullable(),
  userid: z.int(),
  created_date: z.int(),
  modified_date: z.int(),
};

/** One version of a wiki. */
export const wikiVersion = z.strictObject(version);
export type WikiVersion = z.infer<typeof wikiVersion>;

/**
 * A wiki as facts (feed collection `wikis`): the version that readers see. `parent`: the title of the parent category,
 * null at the top. `unpatrolled`: the newest version, if it is not patrolled yet; edits are based on it.
 */
export const wikiFacts = z.strictObject({ ...version, uid: recordUid, unpatrolled: wikiVersion.optional() });
export type WikiFacts = z.infer<typeof wikiFacts>;

const everywhere = [
  'title',
  'contents',
  'display_title',
  'page_title',
  'description',
  'image',
  'table_of_contents',
  'flags',
  'documents',
] as const;

const ofNamespace = {
  CATEGORY: ['parent', 'info', 'repairability_score'],
  ITEM: ['suppliers'],
  TEAM: [],
  USER: [],
  INFO: [],
  WIKI: [],
} as const satisfies Record<WikiNamespace, readonly string[]>;

/** A field of a wiki that can be written in at least one namespace. */
export type WikiField = (typeof everywhere)[number] | (typeof ofNamespace)[WikiNamespace][number];

/** The fields that can be written in a namespace (spec, "Wiki"; as on live servers). */
export function wikiFieldsOf(namespace: WikiNamespace): ReadonlySet<WikiField> {
  return new Set<WikiField>([...everywhere, ...ofNamespace[namespace]]);
}
