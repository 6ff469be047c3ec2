import { z } from 'zod';

import { guideApproval } from './approval.ts';
import { comment } from './comment.ts';
import { embedFacts, supplyFacts, videoFacts } from './guide.ts';
import { imageObject, imageWithMetadata } from './image.ts';
import { richText } from './rich-text.ts';
import { userSummary } from './user.ts';

/** The bullet style of a line, as live servers send it. */
export const bulletStyle = z.strictObject({
  bullet_styleid: z.int(),
  type: z.string(),
  char: z.string().nullable(),
  label: z.string().nullable(),
  description: z.string().nullable(),
  size: z.string(),
  bullet_color: z.string(),
  color_locked: z.int(),
  imageid: z.int().nullable(),
  is_default: z.int(),
  is_disabled: z.int(),
  userid_modified: z.int(),
  last_modified: z.int(),
});

/** A line in the API (spec, "Step object", and the bullet style that live servers add). */
export const line = z
  .strictObject({
    lineid: z.int().nullable(),
    bullet: z.string(),
    bullet_styleid: z.int(),
    bullet_style: bulletStyle,
    level: z.int(),
    text_raw: z.string(),
    text_rendered: z.string(),
  })
  .meta({ id: 'Line' });

/** A video in the API: facts with image objects and absolute URLs. */
export const video = z
  .strictObject({
    ...videoFacts.shape,
    image: imageWithMetadata
      .extend({ markupState: z.null().optional(), encoding: z.string().optional() })
      .nullable(),
  })
  .meta({ id: 'Video' });

export const media = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('image'), data: z.array(imageObject) }),
    z.strictObject({ type: z.literal('video'), data: video }),
    z.strictObject({ type: z.literal('embed'), data: embedFacts }),
  ])
  .meta({ id: 'StepMedia' });

/** A step in the API (spec, "Step object"). `comment_count` only when requested with `stepComments`. */
export const step = z
  .strictObject({
    guideid: z.int(),
    stepid: z.int(),
    orderby: z.int(),
    revisionid: z.int(),
    title: z.string(),
    lines: z.array(line),
    media,
    comments: z.array(comment),
    time_estimate: z.int(),
    imageURL: z.string(),
    comment_count: z.int().optional(),
  })
  .meta({ id: 'Step' });
export type Step = z.infer<typeof step>;

const supply = supplyFacts.meta({ id: 'Supply' });

const documentOnGuide = z
  .strictObject({
    documentid: z.int(),
    text: z.string(),
    url: z.string(),
    download_url: z.string(),
    extension: z.string(),
    icon: z.string(),
  })
  .meta({ id: 'GuideDocument' });

/** A flag as an object, as existing apps read it in the full guide (site setting `compatibility`). */
export const flagRecord = z
  .strictObject({ flagid: z.string(), title: z.string(), text: z.string(), image: z.string() })
  .meta({ id: 'Flag' });
export type FlagRecord = z.infer<typeof flagRecord>;

const attachedQuiz = z
  .strictObject({ quizid: z.int(), quiz_revisionid: z.int(), title: z.string() })
  .nullable();

const summaryFields = {
  dataType: z.literal('guide'),
  guideid: z.int(),
  locale: z.string(),
  revisionid: z.int(),
  guide_revisionid: z.int(),
  modified_date: z.int(),
  prereq_modified_date: z.int(),
  url: z.string(),
  type: z.string(),
  category: z.string(),
  subject: z.string(),
  title: z.string(),
  summary: z.string(),
  difficulty: z.string(),
  time_required_max: z.int(),
  public: z.boolean(),
  userid: z.int(),
  username: z.string(),
  flags: z.array(z.string()),
  image: imageObject.nullable(),
  attachedQuiz,
  isArchived: z.boolean(),
  periodicReviewSchedule: z.null(),
  tags: z.union([z.array(z.string()), z.literal(false)]),
};

/** Guide summary (spec, "Guide summary"; live servers add the keys from `guide_revisionid` on). */
export const guideSummary = z.strictObject(summaryFields).meta({ id: 'GuideSummary' });
export type GuideSummary = z.infer<typeof guideSummary>;

/** Guides under a common title, for the start pages of apps (as on live servers). `date`: of the last change. */
export const guideCollection = z
  .strictObject({
    collectionid: z.int(),
    title: z.string(),
    date: z.int(),
    image: imageObject.nullable(),
    guides: z.array(guideSummary),
  })
  .meta({ id: 'GuideCollection' });
export type GuideCollection = z.infer<typeof guideCollection>;

/** The full guide (spec, "Guide"; the rest as live servers send it). */
export const guide = z
  .strictObject({
    guideid: z.int(),
    revisionid: z.int(),
    guide_revisionid: z.int(),
    langid: z.string(),
    locale: z.string(),
    /** Languages in which the guide exists; absent from servers that do not report them. */
    available_langids: z.array(z.string()).optional(),
    type: z.string(),
    category: z.string(),
    subject: z.string(),
    title: z.string(),
    summary: z.string(),
    url: z.string(),
    body_url_path: z.string(),
    public: z.boolean(),
    author: userSummary,
    difficulty: z.string(),
    time_required: z.string(),
    time_required_min: z.int(),
    time_required_max: z.int(),
    introduction_raw: z.string(),
    introduction_rendered: z.string(),
    introduction_json: richText,
    conclusion_raw: z.string(),
    conclusion_rendered: z.string(),
    flags: z.array(z.union([z.string(), flagRecord])),
    image: imageObject.nullable(),
    parts: z.array(supply),
    tools: z.array(supply),
    documents: z.array(documentOnGuide),
    featured_documentid: z.int().nullable(),
    featured_document_embed_url: z.string(),
    featured_document_thumbnail_url: z.string(),
    intro_video: video.nullable(),
    intro_video_url: z.string().nullable(),
    intro_video_media_item: video.nullable(),
    prerequisites: z.array(guideSummary),
    /** The prerequisites that are shown as of a release; `releaseid` null: as of their last release; absent: none. */
    prerequisite_releases: z
      .array(z.strictObject({ guideid: z.int(), releaseid: z.int().nullable() }))
      .optional(),
    steps: z.array(step),
    comments: z.array(comment),
    created_date: z.int(),
    published_date: z.int(),
    modified_date: z.int(),
    prereq_modified_date: z.int(),
    patrol_threshold: z.int(),
    can_edit: z.boolean(),
    can_delete: z.boolean(),
    can_edit_language: z.boolean(),
    can_edit_permissions: z.boolean(),
    should_use_granular_permissions: z.boolean(),
    favorited: z.boolean(),
    completed: z.boolean(),
    ogdc_enabled: z.string(),
    per_step_time_enabled: z.boolean(),
    number_of_dependent_guides: z.int(),
    work_log_enabled: z.boolean(),
    work_log_url: z.string(),
    /** The attached quiz, in the version that was attached. */
    attachedQuiz,
    /** The approval state of this version, with names, meanings and times of signatures; absent without a process. */
    approval: guideApproval.optional(),
  })
  .meta({ id: 'Guide' });
export type Guide = z.infer<typeof guide>;
