import type { WikiNamespace } from '#shared/model/wiki.ts';

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

/** A field of a wiki that can be written in some namespace. */
export type WikiField = (typeof everywhere)[number] | (typeof ofNamespace)[WikiNamespace][number];

/** The fields that can be written in a namespace (spec, "Wiki"; API facts 1.11 and 4). */
export function wikiFieldsOf(namespace: WikiNamespace): ReadonlySet<WikiField> {
  return new Set<WikiField>([...everywhere, ...ofNamespace[namespace]]);
}
