import { z } from 'zod';

/**
 * Records that depend on the person (feed collection `viewer`). Ids: `me:{userid}`, `site`,
 * `favorite:{userid}:{guideid}`, `completion:{userid}:{guideid}`, `guideTags:{guideid}` and `wikiTags:{wikiid}`, which
 * everyone who sees the guide or wiki gets, and `approval:{guideid}` while an approval of the guide is open, for those
 * who take part in it.
 */
export const viewerFacts = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('me'),
    userid: z.int(),
    email: z.string(),
    privileges: z.array(z.string()),
    flags: z.array(z.strictObject({ flagid: z.string(), title: z.string(), text: z.string() })),
  }),
  z.strictObject({
    kind: z.literal('site'),
    name: z.string(),
    langid: z.string(),
    guideTypes: z.array(z.string()),
    title: z.string().optional(),
    description: z.string().optional(),
    languages: z.array(z.string()).optional(),
    releases: z.boolean().optional(),
    supportUrl: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('favorite'), guideid: z.int(), date: z.int() }),
  z.strictObject({ kind: z.literal('completion'), guideid: z.int(), date: z.int() }),
  z.strictObject({ kind: z.literal('guideTags'), guideid: z.int(), tags: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('wikiTags'), wikiid: z.int(), tags: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('approval'), guideid: z.int(), approval_requestid: z.int() }),
]);
export type ViewerFacts = z.infer<typeof viewerFacts>;
