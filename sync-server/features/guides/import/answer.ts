import { z } from 'zod';

import { imageSizes } from '#shared/model/image.ts';

/**
 * The fields that an import reads from an answer of `GET /guides/{guideid}` of this or another server. Unknown fields
 * are ignored. Fields that older versions leave out or send as false are empty. Only essential fields are required.
 */

const text = z.union([z.string(), z.literal(false), z.null()]).optional();
const words = text.transform((value) => (typeof value === 'string' ? value : ''));
const wordsOrNull = text.transform((value) => (typeof value === 'string' ? value : null));
const number = z.union([z.number(), z.literal(false), z.null()]).optional();
/**
 * The largest number that is taken from another site: the most seconds that a date can hold. A greater id would leave no
 * numbers for new records here.
 */
export const largest = 8_640_000_000_000;

/** A whole number; null for one that no time or id can have. */
export function wholeOf(value: number): number | null {
  return Math.abs(value) <= largest ? Math.floor(value) : null;
}

/** Times and ids, which older versions send as floating-point numbers. */
const integerOrNull = number.transform((value) => (typeof value === 'number' ? wholeOf(value) : null));
const integer = integerOrNull.transform((value) => value ?? 0);
/** A number that names a record or picture. Pictures that belong to a server have negative ones. */
export const id = z.number().min(-largest).max(largest).transform(Math.floor);
/** The number of a record. 0 means nobody or nothing here. */
export const recordId = z.number().min(1).max(largest).transform(Math.floor);
const truth = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

function list<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

const sizeKeys = Object.keys(imageSizes) as (keyof typeof imageSizes)[];
const url = z.string().optional();
const sizeUrls = Object.fromEntries(sizeKeys.map((key) => [key, url])) as Record<
  keyof typeof imageSizes,
  typeof url
>;

export const imageAnswer = z.object({ id, guid: z.string().min(1), original: url, ...sizeUrls });
export type ImageAnswer = z.output<typeof imageAnswer>;

export const imageOrNone = z
  .union([imageAnswer, z.null(), z.array(z.never())])
  .optional()
  .transform((image) => (image === undefined || image === null || Array.isArray(image) ? null : image));

export const personAnswer = z.object({
  userid: recordId,
  username: z.string().min(1),
  unique_username: wordsOrNull,
  join_date: integer,
  reputation: integer,
  image: imageOrNone,
  enabled: z.boolean().nullish(),
});
export type PersonAnswer = z.output<typeof personAnswer>;

const remark = {
  commentid: recordId,
  locale: wordsOrNull,
  context: z.string(),
  contextid: id,
  author: personAnswer,
  title: wordsOrNull,
  text_raw: words,
  date: integer,
  modified_date: integer,
  replied_date: integer,
  rating: integer,
  status: z.string().default('public'),
  status_reason: wordsOrNull,
};
export const commentAnswer = z.object({ ...remark, replies: list(z.object(remark)) });
export type CommentAnswer = z.output<typeof commentAnswer>;

const lineAnswer = z.object({
  lineid: integerOrNull,
  bullet: z.string().default('black'),
  level: integer,
  text_raw: words,
});

const encodingAnswer = z.object({
  column: words,
  label: words,
  width: integer,
  height: integer,
  codecs: words,
  mime: words,
  always_generate: truth,
  format: words,
  url: z.string(),
  ffmpeg_args: url,
  max_video_bitrate: z.int().optional(),
});

const videoMetaAnswer = z.object({
  id: integer,
  format: words,
  frame_rate: z.number().default(0),
  duration_in_ms: integer,
  audio_sample_rate: integer,
  audio_bitrate_in_kbps: integer,
  audio_codec: words,
  height: integer,
  width: integer,
  file_size_in_bytes: integer,
  video_codec: words,
  total_bitrate_in_kbps: integer,
  channels: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => String(value ?? '')),
  video_bitrate_in_kbps: integer,
  state: words,
  md5_checksum: wordsOrNull,
});

export const videoAnswer = z.object({
  videoid: id,
  objectid: integerOrNull,
  srcid: integerOrNull,
  filename: words,
  duration: integer,
  width: integer,
  height: integer,
  image: z
    .object({
      image: imageAnswer,
      srcid: integerOrNull,
      width: integer,
      height: integer,
      ratio: z.enum(['ONE_ONE', 'FOUR_THREE', 'VARIABLE']).catch('VARIABLE'),
      markup: wordsOrNull,
      markupState: z.null().optional(),
      encoding: z.string().optional(),
    })
    .nullish()
    .transform((image) => image ?? null),
  meta: videoMetaAnswer.nullish().transform((meta) => meta ?? null),
  encodings: list(encodingAnswer),
});
export type VideoAnswer = z.output<typeof videoAnswer>;

export const embedAnswer = z.object({
  embedid: integer,
  objectid: integer,
  url: words,
  width: integer,
  height: integer,
  title: words,
  type: words,
  version: words,
  html: words,
  provider_url: words,
  provider_name: words,
  author_url: words,
  author_name: words,
  cache_age: integer,
});
export type EmbedAnswer = z.output<typeof embedAnswer>;

const mediaAnswer = z.union([
  z.object({ type: z.literal('image'), data: list(imageAnswer) }),
  z.object({ type: z.literal('video'), data: videoAnswer }),
  z.object({ type: z.literal('embed'), data: embedAnswer }),
  z.union([z.null(), z.array(z.never())]).transform(() => ({ type: 'image' as const, data: [] })),
]);
export type MediaAnswer = z.output<typeof mediaAnswer>;

export const stepAnswer = z.object({
  guideid: z.number().optional(),
  stepid: recordId,
  revisionid: integer,
  title: words,
  lines: list(lineAnswer),
  media: mediaAnswer.default({ type: 'image', data: [] }),
  comments: list(commentAnswer),
  time_estimate: integer,
});
export type StepAnswer = z.output<typeof stepAnswer>;

const supplyAnswer = z.object({
  text: z.string(),
  notes: wordsOrNull,
  type: words,
  quantity: z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => Math.max(1, Math.floor(Number(value ?? 1)) || 1)),
  url: words,
  thumbnail: wordsOrNull,
  isoptional: z.boolean().optional(),
  featured: z.boolean().optional(),
});
export type SupplyAnswer = z.output<typeof supplyAnswer>;

export const documentAnswer = z.object({
  documentid: id,
  text: words,
  url: words,
  download_url: words,
  extension: words,
  icon: words,
});
export type DocumentAnswer = z.output<typeof documentAnswer>;

/** Flags come as ids (spec) or as objects (full guides of live servers). */
const flag = z.union([z.string(), z.object({ flagid: z.string() }).transform(({ flagid }) => flagid)]);

export const guideAnswer = z.object({
  guideid: recordId,
  revisionid: integer,
  guide_revisionid: integer,
  langid: url,
  locale: url,
  type: z.string(),
  category: z.string().min(1),
  subject: words,
  title: z.string(),
  summary: words,
  url: words,
  public: z.boolean().default(true),
  author: personAnswer,
  difficulty: words,
  time_required_min: integer,
  time_required_max: integer,
  introduction_raw: words,
  conclusion_raw: words,
  flags: list(flag),
  image: imageOrNone,
  parts: list(supplyAnswer),
  tools: list(supplyAnswer),
  documents: list(documentAnswer),
  featured_documentid: integerOrNull,
  featured_document_embed_url: words,
  featured_document_thumbnail_url: words,
  intro_video: z.union([videoAnswer, z.null()]).catch(null),
  prerequisites: list(z.object({ guideid: id })),
  steps: list(stepAnswer),
  comments: list(commentAnswer),
  created_date: integer,
  published_date: integer,
  modified_date: integer,
  patrol_threshold: integer,
  ogdc_enabled: z.string().default('inherit'),
  per_step_time_enabled: truth,
  work_log_enabled: z.boolean().default(true),
  should_use_granular_permissions: truth,
});
export type GuideAnswer = z.output<typeof guideAnswer>;
