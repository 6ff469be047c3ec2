import { z } from 'zod';

import { guideApproval } from './approval.ts';
import { imageRef } from './image.ts';
import { surveyJson } from './quiz.ts';
import { recordUid } from './record-uid.ts';
import { stepForm } from './step-form.ts';

/** Guide types of the spec, and `how-to`, which live servers add; a site's settings choose among them. */
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
 * A line of a step as facts. `id` is its identity for merging and never changes; `lineid` is the number that the
 * API shows, null for lines imported from a server that gave none.
 */
export const lineFacts = z.strictObject({
  id: z.string().min(1).max(64),
  lineid: z.int().nullable(),
  bullet,
  level: z.int().min(0),
  text_raw: z.string(),
});
export type LineFacts = z.infer<typeof lineFacts>;

/** One encoding of a video (API facts 1.3). */
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

/** A video as facts; URLs in encodings are site-relative when the file is ours. */
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

/** An embedded page (oEmbed, API facts 1.4). `html` holds a frame of a known player only. */
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
 * A step as facts. Its place is its index. `key` is the temporary id under which a device made it, kept so that
 * what the device did meanwhile still finds its step, or one that the server gave it; older steps may have none.
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

/** A part or tool on a guide. `url` is the page of the item. */
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

/** A document on a guide (API facts 1.5). `url` is site-relative; `download_url` is derived unless foreign. */
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

/** What every version of a guide says of itself. */
const guideVersion = z.strictObject({
  guideid: z.int(),
  revisionid: z.int(),
  guide_revisionid: z.int(),
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
 * A prerequisite as it was released, for the devices of those who see the guide that asks for it: what a reader is
 * shown, and nothing that depends on who that is. `title`: the release's own name ("v1.0").
 */
export const releasedGuide = z.strictObject({
  releaseid: z.int(),
  title: z.string(),
  guide: guideVersion,
  /** How this version stood to its approval process when it left the server; absent: under none. */
  approval: guideApproval.optional(),
  /** The forms that its steps had; absent: released before they were kept, so that those of now are shown. */
  forms: z.array(stepForm).optional(),
});
export type ReleasedGuide = z.infer<typeof releasedGuide>;

/**
 * A prerequisite that is shown as it was released, not as it is now; `releaseid` null: as it was released last.
 * `released` is put in where a guide leaves to a device, and is never stored on the server; absent: there is no such
 * release.
 */
export const prerequisiteRelease = z.strictObject({
  guideid: z.int(),
  releaseid: z.int().nullable(),
  released: releasedGuide.optional(),
});

/**
 * A guide as facts: the aggregate that is stored, revised, fed to devices and merged. Nothing rendered, no URLs
 * that follow from ids, nothing that depends on the viewer. `prerequisites` are guideids, shown only if visible.
 */
export const guideFacts = z.strictObject({
  ...guideVersion.shape,
  uid: recordUid,
  key: z.string().optional(),
  prerequisites: z.array(z.int()),
  /** Who saved it last; unknown of guides that were stored before this was kept. */
  modified_userid: z.int().optional(),
  /** Who else sees the guide while it is private; absent: nobody. */
  allowed_users: z.array(z.int()).optional(),
  allowed_teams: z.array(z.int()).optional(),
  /**
   * Who wrote it on the site that it was imported from, with the number there, while it is whose the import made it
   * (`given_userid`); absent: it was not imported from an archive that names an author.
   */
  archived_author: z.strictObject({ given_userid: z.int(), userid: z.int(), name: z.string() }).optional(),
  prerequisite_releases: z.array(prerequisiteRelease).optional(),
  /** The version of a quiz that belongs to this version of the guide, without correct answers; absent: none. */
  attached_quiz: z
    .strictObject({ quizid: z.int(), quiz_revisionid: z.int(), title: z.string(), survey: surveyJson })
    .optional(),
  /** How it stands to the approval process that it is under; absent: under none. No part of what is signed. */
  approval: guideApproval.optional(),
});
export type GuideFacts = z.infer<typeof guideFacts>;
