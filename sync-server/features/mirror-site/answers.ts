import { z } from 'zod';

import { namedValue, supplier, wikiNamespace } from '#shared/model/wiki.ts';

import {
  commentAnswer,
  documentAnswer,
  id,
  imageAnswer,
  imageOrNone,
  personAnswer,
  recordId,
  wholeOf,
} from '../guides/import/answer.ts';

/**
 * What is read of the answers of other sites. Unknown fields are ignored, and only what is needed is required: servers
 * differ in the fields that the specification does not name.
 *
 * - MIRRORSITE-13 A record whose number is not above 0, or so great that few would be left for new records here, is
 *   reported and not copied. Times that no date can have are left out.
 */

const text = z
  .union([z.string(), z.literal(false), z.null()])
  .optional()
  .transform((value) => (typeof value === 'string' ? value : ''));
const textOrNull = z
  .union([z.string(), z.literal(false), z.null()])
  .optional()
  .transform((value) => (typeof value === 'string' ? value : null));
const numberOrNull = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const seconds = z
  .union([z.number(), z.literal(false), z.null()])
  .optional()
  .transform((value) => (typeof value === 'number' ? (wholeOf(value) ?? 0) : 0));

/** Items of a list; each is parsed alone, so that one that is not understood does not hide the others. */
export const items = z.array(z.unknown());

/** A page of a list that is wrapped (`GET /work_log`). */
export const wrappedItems = z.union([
  items.transform((results) => ({ results, moreResults: true })),
  z.object({ results: items, moreResults: z.boolean().optional() }),
]);

export const viewerAnswer = z.object({
  userid: id,
  username: text,
  privileges: z.array(z.string()).default([]),
});

export const guideItem = z.object({
  guideid: recordId,
  revisionid: seconds,
  guide_revisionid: seconds,
  modified_date: seconds,
  public: z.boolean().default(true),
  title: text,
  category: text,
  userid: seconds,
  /** False or absent where the server does not say. */
  tags: z.union([z.array(z.string()), z.literal(false)]).optional(),
});
export type GuideItem = z.output<typeof guideItem>;

export const wikiItem = z.object({
  wikiid: id.optional(),
  title: z.string().min(1),
  langid: z.string().optional(),
  modified_date: seconds,
});
export type WikiItem = z.output<typeof wikiItem>;

/** Flags by id, or a list; empty ones come as a list. */
const flags = z
  .union([
    z.array(z.union([z.string(), z.object({ flagid: z.string() }).transform(({ flagid }) => flagid)])),
    z.record(z.string(), z.unknown()).transform((byId) => Object.keys(byId)),
  ])
  .nullish()
  .transform((value) => value ?? []);

export const wikiAnswer = z.object({
  wikiid: recordId,
  langid: z.string().optional(),
  namespace: wikiNamespace,
  title: z.string().min(1),
  display_title: text,
  page_title: text,
  revisionid: seconds,
  description: text,
  contents_raw: text,
  image: imageOrNone.catch(null),
  flags: flags.catch([]),
  table_of_contents: z.boolean().nullish().catch(false),
  documents: z.array(documentAnswer).catch([]),
  author: z.union([id, z.object({ userid: id }).transform(({ userid }) => userid)]).catch(0),
  authors: z.array(personAnswer).catch([]),
  info: z.array(namedValue).catch([]),
  suppliers: z.array(supplier).catch([]),
  repairability_score: z.int().min(0).max(10).nullable().catch(null),
  modified_date: seconds,
});
export type WikiAnswer = z.output<typeof wikiAnswer>;

/** A tree of categories; leaves are null or empty. */
export interface Tree {
  [title: string]: Tree;
}
const tree: z.ZodType<Tree> = z.lazy(() =>
  z.record(
    z.string(),
    z.union([tree, z.null().transform((): Tree => ({})), z.array(z.never()).transform((): Tree => ({}))]),
  ),
);
export const hierarchyAnswer = z.object({
  hierarchy: z.union([tree, z.array(z.never()).transform((): Tree => ({}))]),
});

/** A person in a list. */
export const personItem = personAnswer;

export const profileAnswer = z.object({
  ...personAnswer.shape,
  summary: textOrNull,
  about_raw: text,
  location: textOrNull,
  latitude: numberOrNull,
  longitude: numberOrNull,
});
export type ProfileAnswer = z.output<typeof profileAnswer>;

export const teamItem = z.object({
  teamid: recordId,
  name: z.string().min(1),
  description: text,
  owner: id.nullish().transform((value) => value ?? null),
  image: imageOrNone.catch(null),
  location: textOrNull,
  latitude: numberOrNull,
  longitude: numberOrNull,
});
export type TeamItem = z.output<typeof teamItem>;

const feedbackAnswer = z
  .object({ reason: z.string(), done: z.object({ userid: id, date: id }).optional() })
  .nullish()
  .catch(null);

const { replies: _replies, ...remark } = commentAnswer.shape;
const reply = z.object({ ...remark, feedback: feedbackAnswer });
export const commentItem = z.object({
  ...reply.shape,
  replies: z
    .array(reply)
    .nullish()
    .transform((list) => list ?? []),
});
export type CommentItem = z.output<typeof commentItem>;
export type ReplyItem = z.output<typeof reply>;
export const tagsAnswer = z.array(z.string());

export const imageDetails = z.object({
  image: imageAnswer,
  markup: textOrNull,
  srcImageInfo: z.object({ image: z.object({ original: z.string() }) }).nullish(),
});

const workValue = z.object({
  label: text,
  value: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => String(value ?? '')),
  field_revisionid: id,
  stepid: id,
  field_type: z.string(),
  image_src: imageOrNone.catch(null),
  more_photos: z.array(z.string()).optional(),
  more_photos_src: z.array(imageOrNone).optional().catch([]),
  limits: z.object({ min: z.number().nullable(), max: z.number().nullable() }).optional(),
  unit: z.string().optional(),
  computed: z.boolean().optional(),
  failed: z.boolean().optional(),
  reason: z.string().optional(),
});
export type WorkValue = z.output<typeof workValue>;

export const entryItem = z.object({ entryid: recordId });

export const entryAnswer = z.object({
  entryid: recordId,
  guideid: recordId,
  userid: recordId,
  workorderid: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => String(value ?? '')),
  starttime: id,
  endtime: id.nullish().transform((value) => value ?? null),
  status: z.string(),
  duration: seconds,
  active_duration: seconds,
  pause_duration: seconds,
  cancelled: z.union([z.number(), z.boolean()]).optional(),
  guide_revisionid: seconds,
  max_form_revisionid: seconds,
  work_data: z.array(workValue).default([]),
  step_durations: z.array(z.object({ stepid: id, duration: seconds })).default([]),
  active_stepid: id.nullish().transform((value) => value ?? null),
  gaps: z
    .array(
      z.object({
        field_revisionid: id,
        field_guid: z.string(),
        label: text,
        stepid: id,
        reason: textOrNull,
      }),
    )
    .default([]),
  handover: z.object({ note: z.string(), userid: id, at: id }).nullish(),
  serials: z.array(z.string()).optional(),
});
export type EntryAnswer = z.output<typeof entryAnswer>;
