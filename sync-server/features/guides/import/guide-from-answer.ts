import type { CommentFacts } from '#shared/model/comment.ts';
import {
  bullet,
  type DocumentRef,
  type GuideFacts,
  type StepFacts,
  type SupplyFacts,
} from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { validateContent } from '#shared/rules/guide-limits.ts';

import {
  guideAnswer,
  type CommentAnswer,
  type DocumentAnswer,
  type GuideAnswer,
  type PersonAnswer,
  type StepAnswer,
  type SupplyAnswer,
} from './answer.ts';
import type { ImportedFile } from './files.ts';
import { imageRefOf, isServerAvatar, type ImportedImage } from './images.ts';
import { mediaFactsOf, videoFactsOf } from './media.ts';

/** A person in an answer, with the ids of the other site. */
export interface ImportedPerson {
  userid: number;
  username: string;
  unique_username: string | null;
  join_date: number;
  reputation: number;
  image: ImageRef | null;
  enabled: boolean;
}

/** The content of an answer, with the ids and revisions of the other site. */
export interface ImportedGuide {
  /** Host of the other site; '' if the addresses in the answer are relative. */
  site: string;
  /** Address of the other site without a trailing slash; '' if `site` is ''. */
  origin: string;
  facts: GuideFacts;
  /** Titles of categories that the guide needs. */
  categories: string[];
  /** The authors of the guide and its comments. */
  people: ImportedPerson[];
  images: ImportedImage[];
  /** The bytes of documents that came along, by the ids of the other site. */
  files?: ReadonlyMap<number, ImportedFile>;
  /** Comments on the guide and its steps; replies come after their parents. */
  comments: ImportedComment[];
  /** Exceeded limits that were accepted, and content that was left out. */
  notes: string[];
}

/** A comment with the title that it had on the other site. */
export interface ImportedComment extends CommentFacts {
  title: string | null;
}

/**
 * Reads an answer of `GET /guides/{guideid}`. Steps of prerequisites in the answer are ignored; they come with the
 * import of those guides. Throws a ZodError if the answer is not a guide.
 */
export function guideFromAnswer(answer: unknown): ImportedGuide {
  const parsed = guideAnswer.parse(answer);
  const site = hostOf(parsed.url);
  const relative = (url: string): string => relativeTo(site, url);
  const own = parsed.steps.filter((step) => step.guideid === undefined || step.guideid === parsed.guideid);
  const notes: string[] = [];
  const facts: GuideFacts = {
    ...plainFields(parsed),
    image: parsed.image === null ? null : imageRefOf(parsed.image),
    parts: parsed.parts.map((supply) => supplyFactsOf(supply, relative)),
    tools: parsed.tools.map((supply) => supplyFactsOf(supply, relative)),
    documents: parsed.documents.map((document) => documentRefOf(document, relative)),
    featured_document_embed_url: relative(parsed.featured_document_embed_url),
    featured_document_thumbnail_url: relative(parsed.featured_document_thumbnail_url),
    intro_video: parsed.intro_video === null ? null : videoFactsOf(parsed.intro_video, relative),
    prerequisites: [...new Set(parsed.prerequisites.map((one) => one.guideid))],
    steps: own.map((step) => stepFactsOf(step, relative, notes)),
  };
  const content = contentOf(facts);
  notes.push(
    ...validateContent(content).map(({ place, message }) => {
      const step = content.steps.findIndex((one) => one.key === place.step);
      return step < 0 ? message : `Step ${step + 1}: ${message}`;
    }),
  );
  const comments = commentsOf(parsed, own);
  return {
    site,
    origin: site === '' ? '' : new URL(parsed.url).origin,
    facts,
    categories: [facts.category],
    people: peopleOf(parsed, comments),
    images: imagesOf(facts),
    comments: comments.flatMap((comment) => [
      commentFactsOf(comment, parsed.guideid, null),
      ...comment.replies.map((reply) => commentFactsOf(reply, parsed.guideid, comment.commentid)),
    ]),
    notes,
  };
}

function plainFields(
  answer: GuideAnswer,
): Omit<
  GuideFacts,
  | 'image'
  | 'parts'
  | 'tools'
  | 'documents'
  | 'featured_document_embed_url'
  | 'featured_document_thumbnail_url'
  | 'intro_video'
  | 'prerequisites'
  | 'steps'
> {
  return {
    guideid: answer.guideid,
    revisionid: answer.revisionid,
    guide_revisionid: answer.guide_revisionid,
    langid: answer.langid ?? answer.locale ?? 'en',
    userid: answer.author.userid,
    public: answer.public,
    type: answer.type,
    category: answer.category,
    subject: answer.subject,
    title: answer.title,
    summary: answer.summary,
    introduction_raw: answer.introduction_raw,
    conclusion_raw: answer.conclusion_raw,
    difficulty: answer.difficulty,
    time_required_min: answer.time_required_min,
    time_required_max: answer.time_required_max,
    flags: answer.flags,
    featured_documentid: answer.featured_documentid,
    created_date: answer.created_date,
    published_date: answer.published_date,
    modified_date: answer.modified_date,
    patrol_threshold: answer.patrol_threshold,
    ogdc_enabled: answer.ogdc_enabled,
    per_step_time_enabled: answer.per_step_time_enabled,
    work_log_enabled: answer.work_log_enabled,
    should_use_granular_permissions: answer.should_use_granular_permissions,
  };
}

/** Lines get ids made of their step and position, so that the same answer always results in the same facts. */
function stepFactsOf(step: StepAnswer, relative: (url: string) => string, notes: string[]): StepFacts {
  const { media, notes: leftOut } = mediaFactsOf(step.media, relative);
  notes.push(...leftOut);
  return {
    stepid: step.stepid,
    revisionid: step.revisionid,
    title: step.title,
    lines: step.lines.map((line, index) => {
      const known = bullet.safeParse(line.bullet);
      if (!known.success)
        notes.push(`Line ${index + 1} of step ${step.stepid} had the unknown bullet ${line.bullet}`);
      return {
        id: `${step.stepid}.${index + 1}`,
        lineid: line.lineid,
        bullet: known.data ?? 'black',
        level: Math.max(0, line.level),
        text_raw: line.text_raw,
      };
    }),
    media,
    time_estimate: step.time_estimate,
  };
}

function supplyFactsOf(supply: SupplyAnswer, relative: (url: string) => string): SupplyFacts {
  const { isoptional, featured, ...fields } = supply;
  return {
    ...fields,
    url: relative(supply.url),
    thumbnail: supply.thumbnail === null ? null : relative(supply.thumbnail),
    ...(isoptional === undefined ? {} : { isoptional }),
    ...(featured === undefined ? {} : { featured }),
  };
}

function documentRefOf(document: DocumentAnswer, relative: (url: string) => string): DocumentRef {
  const url = relative(document.url);
  const guid = /\/Document\/(\w+)/i.exec(url)?.[1] ?? `document${document.documentid}`;
  return { ...document, guid, url };
}

/** Comments on this guide and its own steps, without deleted ones. */
function commentsOf(answer: GuideAnswer, steps: StepAnswer[]): CommentAnswer[] {
  const all = [...answer.comments, ...steps.flatMap((step) => step.comments)];
  return all
    .filter((comment) => comment.status !== 'deleted')
    .map((comment) => ({
      ...comment,
      replies: comment.replies.filter((reply) => reply.status !== 'deleted'),
    }));
}

function commentFactsOf(
  comment: Omit<CommentAnswer, 'replies'>,
  guideid: number,
  parentid: number | null,
): ImportedComment {
  return {
    title: comment.title || null,
    commentid: comment.commentid,
    langid: comment.locale,
    context: comment.context === 'step' ? 'step' : 'guide',
    contextid: comment.contextid,
    guideid,
    parentid,
    userid: comment.author.userid,
    text_raw: comment.text_raw,
    date: comment.date,
    modified_date: comment.modified_date,
    replied_date: comment.replied_date,
    rating: comment.rating,
    status: comment.status,
    status_reason: comment.status_reason,
  };
}

function peopleOf(answer: GuideAnswer, comments: CommentAnswer[]): ImportedPerson[] {
  const authors = [
    answer.author,
    ...comments.flatMap((comment) => [comment.author, ...comment.replies.map((reply) => reply.author)]),
  ];
  const byId = new Map<number, PersonAnswer>();
  for (const author of authors) if (!byId.has(author.userid)) byId.set(author.userid, author);
  return [...byId.values()].map(({ image, enabled, ...person }) => ({
    ...person,
    image: image === null ? null : imageRefOf(image),
    enabled: enabled ?? true,
  }));
}

/** Every picture of a guide once, with the description for its placeholder. */
function imagesOf(facts: GuideFacts): ImportedImage[] {
  const images = new Map<number, ImportedImage>();
  const add = (
    ref: ImageRef,
    about: { stepTitle?: string; stepNumber?: number; pictureNumber?: number },
  ): void => {
    if (isServerAvatar(ref) || images.has(ref.id)) return;
    images.set(ref.id, {
      ref,
      drawing: { placeholder: { guid: ref.guid, guideTitle: facts.title, ...about } },
    });
  };
  for (const [index, step] of facts.steps.entries()) {
    const about = { stepNumber: index + 1, ...(step.title === '' ? {} : { stepTitle: step.title }) };
    if (step.media.type === 'image') {
      for (const [place, ref] of step.media.data.entries()) add(ref, { ...about, pictureNumber: place + 1 });
    }
    if (step.media.type === 'video' && step.media.data.image !== null)
      add(step.media.data.image.image, about);
  }
  if (facts.image !== null) add(facts.image, {});
  if (facts.intro_video?.image != null) add(facts.intro_video.image.image, {});
  return [...images.values()];
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

/** Makes addresses of the answer's own site relative. */
function relativeTo(site: string, url: string): string {
  if (site === '' || hostOf(url) !== site) return url;
  return url.replace(/^https?:\/\/[^/]+/i, '') || '/';
}
