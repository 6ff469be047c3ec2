import { z } from 'zod';

import { imageRef } from './image.ts';

export const wikiNamespaces = ['CATEGORY', 'ITEM', 'TEAM', 'USER', 'INFO', 'WIKI'] as const;
export const wikiNamespace = z.enum(wikiNamespaces);
export type WikiNamespace = z.infer<typeof wikiNamespace>;

/** A wiki as facts (feed collection `wikis`). `parent` is the title of the parent category, null at the top. */
export const wikiFacts = z.strictObject({
  wikiid: z.int(),
  revisionid: z.int(),
  namespace: wikiNamespace,
  title: z.string(),
  display_title: z.string(),
  langid: z.string(),
  parent: z.string().nullable(),
  description: z.string(),
  contents_raw: z.string(),
  image: imageRef.nullable(),
  flags: z.array(z.string()),
  table_of_contents: z.boolean(),
  source_revisionid: z.int().nullable(),
  userid: z.int(),
  created_date: z.int(),
  modified_date: z.int(),
});
export type WikiFacts = z.infer<typeof wikiFacts>;
