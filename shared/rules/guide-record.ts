import type { Comment } from '#shared/model/comment.ts';
import type { GuideFacts, MediaFacts, StepFacts, VideoFacts } from '#shared/model/guide.ts';
import type { FlagRecord, Guide, GuideSummary, Step } from '#shared/model/guide-record.ts';
import { imageObjectOf } from '#shared/model/image.ts';
import type { UserSummary } from '#shared/model/user.ts';
import { bulletStyleOf } from '#shared/model/bullets.ts';
import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';
import { toRichText } from '#shared/formats/wikitext/rich-text.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { guidePath } from './urls.ts';

/** What the record of a guide contains besides its own facts, as this viewer may see it. */
export interface GuideSurroundings {
  /** Site origin without a trailing slash. */
  baseUrl: string;
  author: UserSummary;
  wiki: WikiContext;
  /** Prerequisites that the viewer may see, in order. */
  prerequisites: { facts: GuideFacts; summary: GuideSummary }[];
  /** Whether `steps` begins with the steps of prerequisites (in a read, not in an edit). */
  inlinePrerequisiteSteps: boolean;
  comments: { guide: Comment[]; byStep: Map<number, Comment[]> };
  /** Whether each step gets a `comment_count`. */
  stepCommentCounts: boolean;
  numberOfDependentGuides: number;
  /** Builds flag objects for sites that are compatible with existing apps; null: flags are ids (spec). */
  flagRecords: ((flagid: string) => FlagRecord) | null;
  viewer: { favorited: boolean; completed: boolean; canEdit: boolean; canShare: boolean; canDelete: boolean };
}

/** The full guide of the API (spec, "Guide"; as on live servers). */
export function guideRecord(facts: GuideFacts, around: GuideSurroundings): Guide {
  const { baseUrl, viewer } = around;
  const path = guidePath(facts);
  const shown = new Set(around.prerequisites.map(({ summary }) => summary.guideid));
  const pins = (facts.prerequisite_releases ?? []).flatMap(({ guideid, releaseid }) =>
    shown.has(guideid) ? [{ guideid, releaseid }] : [],
  );
  const budget = new RenderBudget(renderLimits.guide);
  // The guide's own texts come first, so that prerequisites cannot use up its budget.
  const introduction_rendered = renderBlocks(facts.introduction_raw, around.wiki, budget);
  const conclusion_rendered = renderBlocks(facts.conclusion_raw, around.wiki, budget);
  const steps = stepRecords(facts, around, budget);
  const inlined = around.inlinePrerequisiteSteps
    ? around.prerequisites.flatMap(({ facts: one }) => stepRecords(one, around, budget))
    : [];
  const introVideo = facts.intro_video === null ? null : videoRecord(facts.intro_video, baseUrl);
  return {
    guideid: facts.guideid,
    revisionid: facts.revisionid,
    guide_revisionid: facts.guide_revisionid,
    langid: facts.langid,
    locale: facts.langid,
    available_langids: [facts.langid],
    type: facts.type,
    category: facts.category,
    subject: facts.subject,
    title: facts.title,
    summary: facts.summary,
    url: baseUrl + path,
    body_url_path: path,
    public: facts.public,
    author: around.author,
    difficulty: facts.difficulty,
    time_required: timeRequiredText(facts.time_required_min, facts.time_required_max),
    time_required_min: facts.time_required_min,
    time_required_max: facts.time_required_max,
    introduction_raw: facts.introduction_raw,
    introduction_rendered,
    introduction_json: toRichText(facts.introduction_raw),
    conclusion_raw: facts.conclusion_raw,
    conclusion_rendered,
    flags: around.flagRecords === null ? facts.flags : facts.flags.map(around.flagRecords),
    image: facts.image === null ? null : imageObjectOf(facts.image, baseUrl),
    parts: facts.parts,
    tools: facts.tools,
    documents: facts.documents.map(({ guid: _guid, ...document }) => ({
      ...document,
      download_url: absolute(document.download_url, baseUrl),
    })),
    featured_documentid: facts.featured_documentid,
    featured_document_embed_url: absolute(facts.featured_document_embed_url, baseUrl),
    featured_document_thumbnail_url: absolute(facts.featured_document_thumbnail_url, baseUrl),
    intro_video: introVideo,
    intro_video_url: introVideo?.encodings[0]?.url ?? null,
    intro_video_media_item: introVideo,
    prerequisites: around.prerequisites.map(({ summary }) => summary),
    ...(pins.length === 0 ? {} : { prerequisite_releases: pins }),
    steps: [...inlined, ...steps],
    comments: around.comments.guide,
    created_date: facts.created_date,
    published_date: facts.published_date,
    modified_date: facts.modified_date,
    prereq_modified_date: Math.max(0, ...around.prerequisites.map(({ facts: one }) => one.modified_date)),
    patrol_threshold: facts.patrol_threshold,
    can_edit: viewer.canEdit,
    can_delete: viewer.canDelete,
    can_edit_language: viewer.canEdit,
    can_edit_permissions: viewer.canShare,
    should_use_granular_permissions: facts.should_use_granular_permissions,
    favorited: viewer.favorited,
    completed: viewer.completed,
    ogdc_enabled: facts.ogdc_enabled,
    per_step_time_enabled: facts.per_step_time_enabled,
    number_of_dependent_guides: around.numberOfDependentGuides,
    work_log_enabled: facts.work_log_enabled,
    work_log_url: `${baseUrl}/Guide/data-capture/${facts.guideid}`,
    attachedQuiz: attachedQuizOf(facts),
    ...(facts.approval === undefined ? {} : { approval: facts.approval }),
  };
}

function stepRecords(facts: GuideFacts, around: GuideSurroundings, budget: RenderBudget): Step[] {
  return facts.steps.map((step, index) => stepRecord(facts.guideid, step, index, around, budget));
}

/**
 * One step of the API (spec, "Step object"). `index`: its position in the guide, from 0. `budget`: the HTML budget of
 * the guide.
 */
export function stepRecord(
  guideid: number,
  step: StepFacts,
  index: number,
  around: Pick<GuideSurroundings, 'baseUrl' | 'wiki' | 'comments' | 'stepCommentCounts'>,
  budget = new RenderBudget(renderLimits.guide),
): Step {
  const comments = around.comments.byStep.get(step.stepid) ?? [];
  const first = step.media.type === 'image' ? step.media.data[0] : undefined;
  const record: Step = {
    guideid,
    stepid: step.stepid,
    orderby: index + 1,
    revisionid: step.revisionid,
    title: step.title,
    lines: step.lines.map((line) => ({
      lineid: line.lineid,
      bullet: line.bullet,
      ...bulletStyleOf(line.bullet),
      level: line.level,
      text_raw: line.text_raw,
      text_rendered: renderLine(line.text_raw, around.wiki, budget),
    })),
    media: mediaRecord(step.media, around.baseUrl),
    comments,
    time_estimate: step.time_estimate,
    imageURL: first === undefined ? '' : (imageObjectOf(first, around.baseUrl).mini ?? ''),
  };
  if (around.stepCommentCounts)
    record.comment_count = comments.reduce((sum, one) => sum + 1 + one.replies.length, 0);
  return record;
}

function mediaRecord(media: MediaFacts, baseUrl: string): Step['media'] {
  switch (media.type) {
    case 'image':
      return { type: 'image', data: media.data.map((image) => imageObjectOf(image, baseUrl)) };
    case 'video':
      return { type: 'video', data: videoRecord(media.data, baseUrl) };
    case 'embed':
      return media;
  }
}

/** A video of the API (as on live servers). */
export function videoRecord(
  video: VideoFacts,
  baseUrl: string,
): Extract<Step['media'], { type: 'video' }>['data'] {
  return {
    ...video,
    image:
      video.image === null
        ? null
        : { ...video.image, image: imageObjectOf(video.image.image, baseUrl), exif: [] },
    encodings: video.encodings.map((encoding) => ({ ...encoding, url: absolute(encoding.url, baseUrl) })),
  };
}

/** What a guide summary contains besides the guide's own facts. */
export type SummarySurroundings = Pick<GuideSummary, 'prereq_modified_date' | 'username' | 'tags'>;

/** Guide summary of the API (spec, "Guide summary"). `tags`: false when there are none, as live servers answer. */
export function guideSummaryRecord(
  facts: GuideFacts,
  around: { baseUrl: string; username: string; prereqModifiedDate: number; tags: string[] },
): GuideSummary {
  return {
    ...ownSummary(facts, around.baseUrl),
    prereq_modified_date: around.prereqModifiedDate,
    username: around.username,
    tags: around.tags.length === 0 ? false : around.tags,
  };
}

/** The part of a guide summary that depends on the guide and the address of the site alone. */
export function ownSummary(
  facts: GuideFacts,
  baseUrl: string,
): Omit<GuideSummary, keyof SummarySurroundings> {
  return {
    dataType: 'guide',
    guideid: facts.guideid,
    locale: facts.langid,
    revisionid: facts.revisionid,
    guide_revisionid: facts.guide_revisionid,
    modified_date: facts.modified_date,
    url: baseUrl + guidePath(facts),
    type: facts.type,
    category: facts.category,
    subject: facts.subject,
    title: facts.title,
    summary: facts.summary,
    difficulty: facts.difficulty,
    time_required_max: facts.time_required_max,
    public: facts.public,
    userid: facts.userid,
    flags: facts.flags,
    image: facts.image === null ? null : imageObjectOf(facts.image, baseUrl),
    attachedQuiz: attachedQuizOf(facts),
    isArchived: facts.flags.includes('GUIDE_ARCHIVED'),
    periodicReviewSchedule: null,
  };
}

function attachedQuizOf({ attached_quiz: quiz }: GuideFacts): GuideSummary['attachedQuiz'] {
  if (quiz === undefined) return null;
  const { quizid, quiz_revisionid, title } = quiz;
  return { quizid, quiz_revisionid, title };
}

const units = [
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A whole number of a unit of time. */
export interface TimeCount {
  count: number;
  unit: (typeof units)[number][0];
}

/** `from`: null for a single time. */
export interface TimeRequired {
  from: TimeCount | null;
  to: TimeCount;
}

/**
 * The time that a guide requires, in whole units, rounded down (as on live servers). Null without an estimate. Seconds
 * in.
 */
export function timeRequired(min: number, max: number): TimeRequired | null {
  if (min <= 0 && max <= 0) return null;
  const to = inUnits(Math.max(min, max));
  if (min <= 0 || min >= max) return { from: null, to };
  const from = inUnits(min);
  return { from: from.count === to.count && from.unit === to.unit ? null : from, to };
}

/** In the words of the API: "No estimate", "30 minutes", "2 - 3 hours". */
export function timeRequiredText(min: number, max: number): string {
  const time = timeRequired(min, max);
  if (time === null) return 'No estimate';
  const { from, to } = time;
  if (from === null) return named(to);
  return from.unit === to.unit ? `${from.count} - ${named(to)}` : `${named(from)} - ${named(to)}`;
}

function named({ count, unit }: TimeCount): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function inUnits(seconds: number): TimeCount {
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['minute', 60];
  return { count: Math.max(1, Math.floor(seconds / size)), unit };
}

function absolute(url: string, baseUrl: string): string {
  return url.startsWith('/') ? baseUrl + url : url;
}
