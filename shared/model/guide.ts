import { z } from 'zod';

import { guideApproval } from './approval.ts';
import { imageRef } from './image.ts';
import { surveyJson } from './quiz.ts';
import { recordUid } from './record-uid.ts';
import { countedRevision } from './revision.ts';
import { stepForm } from './step-form.ts';

/** Guide types of the spec, and `how-to`, which live servers add. The settings of a site select from them. */
export const guideTypes = [
  'replacement',
  'installation',
  'repair',
  'disassembly',
  'teardown',
  'technique',
  'maintenance',
  'how-to',
] as const;
export const guideType = z.enum(guideTypes);

export const difficulties = ['Very easy', 'Easy', 'Moderate', 'Difficult', 'Very difficult'] as const;
export const difficulty = z.enum(difficulties);

export const bullets = [
  'black',
  'red',
  'orange',
  'yellow',
  'green',
  'light_blue',
  'blue',
  'violet',
  'icon_note',
  'icon_caution',
  'icon_reminder',
] as const;
export const bullet = z.enum(bullets);
export type Bullet = z.infer<typeof bullet>;

/**
 * A line of a step as facts. `id`: its identity in merges, which never changes. `lineid`: its number in the API; null
 * for lines imported from a server that gave none.
 */
export const lineFacts = z.strictObject({
  id: z.string().min(1).max(64),
  lineid: z.int().nullable(),
  bullet,
  level: z.int().min(0),
  text_raw: z.string(),
});
export type LineFacts = z.infer<typeof lineFacts>;

/** One encoding of a video (as on live servers). */
export const videoEncoding = z.strictObject({
  column: z.string(),
  label: z.string(),
  width: z.int(),
  height: z.int(),
  codecs: z.string(),
  mime: z.string(),
  always_generate: z.boolean(),
  format: z.string(),
  url: z.string(),
  ffmpeg_args: z.string().optional(),
  max_video_bitrate: z.int().optional(),
});

export const videoMeta = z.strictObject({
  id: z.int(),
  format: z.string(),
  frame_rate: z.number(),
  duration_in_ms: z.int(),
  audio_sample_rate: z.int(),
  audio_bitrate_in_kbps: z.int(),
  audio_codec: z.string(),
  height: z.int(),
  width: z.int(),
  file_size_in_bytes: z.int(),
  video_codec: z.string(),
  total_bitrate_in_kbps: z.int(),
  channels: z.string(),
  video_bitrate_in_kbps: z.int(),
  state: z.string(),
  md5_checksum: z.string().nullable(),
});

/** A video as facts; URLs of our own files are site-relative. */
export const videoFacts = z.strictObject({
  videoid: z.int(),
  objectid: z.int(),
  srcid: z.int().nullable(),
  filename: z.string(),
  duration: z.int(),
  width: z.int(),
  height: z.int(),
  image: z
    .strictObject({
      image: imageRef,
      srcid: z.int().nullable(),
      width: z.int(),
      height: z.int(),
      ratio: z.enum(['ONE_ONE', 'FOUR_THREE', 'VARIABLE']),
      markup: z.string().nullable(),
      markupState: z.null().optional(),
      encoding: z.string().optional(),
    })
    .nullable(),
  meta: videoMeta.nullable(),
  encodings: z.array(videoEncoding),
});
export type VideoFacts = z.infer<typeof videoFacts>;

/** An embedded page (oEmbed, as on live servers). `html`: a frame of a known player only. */
export const embedFacts = z.strictObject({
  embedid: z.int(),
  objectid: z.int(),
  url: z.string(),
  width: z.int(),
  height: z.int(),
  title: z.string(),
  type: z.string(),
  version: z.string(),
  html: z.string(),
  provider_url: z.string(),
  provider_name: z.string(),
  author_url: z.string(),
  author_name: z.string(),
  cache_age: z.int(),
});
export type EmbedFacts = z.infer<typeof embedFacts>;

export const mediaFacts = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('image'), data: z.array(imageRef) }),
  z.strictObject({ type: z.literal('video'), data: videoFacts }),
  z.strictObject({ type: z.literal('embed'), data: embedFacts }),
]);
export type MediaFacts = z.infer<typeof mediaFacts>;

/**
 * A step as facts. `key`: the temporary id with which a device created it, stored so that earlier calls of the device
 * still find the step, or a key from the server; older steps may have none.
 */
export const stepFacts = z.strictObject({
  stepid: z.int(),
  revisionid: z.int(),
  key: z.string().optional(),
  title: z.string(),
  lines: z.array(lineFacts),
  media: mediaFacts,
  time_estimate: z.int(),
});
export type StepFacts = z.infer<typeof stepFacts>;

/** A part or tool of a guide. `url`: the page of the item. */
export const supplyFacts = z.strictObject({
  text: z.string(),
  notes: z.string().nullable(),
  type: z.string(),
  quantity: z.int(),
  url: z.string(),
  thumbnail: z.string().nullable(),
  isoptional: z.boolean().optional(),
  featured: z.boolean().optional(),
});
export type SupplyFacts = z.infer<typeof supplyFacts>;

/**
 * A document of a guide (as on live servers). `url` is site-relative; `download_url` is derived, except of a foreign
 * document.
 */
export const documentRef = z.strictObject({
  documentid: z.int(),
  guid: z.string(),
  text: z.string(),
  extension: z.string(),
  icon: z.string(),
  url: z.string(),
  download_url: z.string(),
});
export type DocumentRef = z.infer<typeof documentRef>;

/** The fields of every stored version of a guide. */
export const guideVersion = z.strictObject({
  guideid: z.int(),
  revisionid: z.int(),
  guide_revisionid: z.int(),
  /** Absent in versions stored before revisions were counted. */
  revision: countedRevision.optional(),
  langid: z.string(),
  userid: z.int(),
  public: z.boolean(),
  type: z.string(),
  category: z.string(),
  subject: z.string(),
  title: z.string(),
  summary: z.string(),
  introduction_raw: z.string(),
  conclusion_raw: z.string(),
  difficulty: z.string(),
  time_required_min: z.int(),
  time_required_max: z.int(),
  flags: z.array(z.string()),
  image: imageRef.nullable(),
  parts: z.array(supplyFacts),
  tools: z.array(supplyFacts),
  documents: z.array(documentRef),
  featured_documentid: z.int().nullable(),
  featured_document_embed_url: z.string(),
  featured_document_thumbnail_url: z.string(),
  intro_video: videoFacts.nullable(),
  steps: z.array(stepFacts),
  created_date: z.int(),
  published_date: z.int(),
  modified_date: z.int(),
  patrol_threshold: z.int(),
  ogdc_enabled: z.string(),
  per_step_time_enabled: z.boolean(),
  work_log_enabled: z.boolean(),
  should_use_granular_permissions: z.boolean(),
});

/**
 * A released version of a prerequisite, for the devices of everyone who sees the guide that requires it. It contains
 * nothing that depends on the viewer. `title`: the name of the release ("v1.0").
 */
export const releasedGuide = z.strictObject({
  releaseid: z.int(),
  title: z.string(),
  guide: guideVersion,
  /** The approval state of this version when the server sent it; absent without a process. */
  approval: guideApproval.optional(),
  /**
   * The forms of its steps; absent in releases from before forms were stored, for which the current forms are shown.
   */
  forms: z.array(stepForm).optional(),
});
export type ReleasedGuide = z.infer<typeof releasedGuide>;

/**
 * A prerequisite that is shown as of a release. `releaseid` null: as of its last release. `released`: added when the
 * guide is sent to a device, never stored on the server; absent when the release does not exist.
 */
export const prerequisiteRelease = z.strictObject({
  guideid: z.int(),
  releaseid: z.int().nullable(),
  released: releasedGuide.optional(),
});

/**
 * A guide as facts: the record that is stored, versioned, synced and merged. It contains nothing rendered, no URLs that
 * follow from ids, and nothing that depends on the viewer. `prerequisites`: guideids, shown only if visible to the
 * viewer.
 */
export const guideFacts = z.strictObject({
  ...guideVersion.shape,
  uid: recordUid,
  key: z.string().optional(),
  prerequisites: z.array(z.int()),
  /** The user who last saved it; absent in guides stored before this field existed. */
  modified_userid: z.int().optional(),
  /** Users who can see the guide besides its owner while it is private; absent: none. */
  allowed_users: z.array(z.int()).optional(),
  allowed_teams: z.array(z.int()).optional(),
  /**
   * The author on the site from which it was imported, with the number there, as long as the guide belongs to the user
   * to whom the import gave it (`given_userid`). Absent when no archive named an author.
   */
  archived_author: z.strictObject({ given_userid: z.int(), userid: z.int(), name: z.string() }).optional(),
  prerequisite_releases: z.array(prerequisiteRelease).optional(),
  /** The attached version of a quiz, without correct answers; absent: none. */
  attached_quiz: z
    .strictObject({ quizid: z.int(), quiz_revisionid: z.int(), title: z.string(), survey: surveyJson })
    .optional(),
  /** The approval state of the guide; absent without a process. It is not part of the signed content. */
  approval: guideApproval.optional(),
});
export type GuideFacts = z.infer<typeof guideFacts>;
