import { type ImageRef, imageObjectOf } from '#shared/model/image.ts';
import type { GuideContent, MediaContent } from '#shared/rules/guide-content.ts';
import { timeRequired } from '#shared/rules/guide-record.ts';
import {
  guidesNamedIn,
  guideTitled,
  listedGuides,
  type GuideNames,
  type LinkableGuide,
} from '#shared/rules/linked-guides.ts';
import { type NamedGuide, type WikiContext, plainContext } from '#shared/formats/wikitext/context.ts';
import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';
import { plainLine } from '#shared/formats/wikitext/plain-text.ts';
import { expandTemplates } from '#shared/formats/wikitext/templates.ts';

import { parseMarkers } from '#shared/rules/markers.ts';
import { encodingOf, videoKey } from '../media/needs.ts';
import { type LocalGuide, stepIdOf } from './overlay/guide.ts';
import { feedbackReason, feedbackWords } from '#shared/model/comment.ts';

import type { LocalComment } from './overlay/comments.ts';
import type {
  CommentView,
  FormFieldView,
  LineView,
  PictureView,
  PlayableGuide,
  StepView,
  SupplyView,
} from '#desktop/engine/api/records.ts';

/** The address of a guide in the app. Links in texts lead to it. */
export function guideAddress(guideid: string): string {
  return `/guides/${guideid}`;
}

/**
 * The context in which texts are rendered. `guides`: guides to which texts may link. `images`: pictures that texts
 * name, by id. `template`: finds the wiki text of a template by its name.
 */
export function wikiContext(
  server: string,
  guides: readonly LinkableGuide[],
  images: ReadonlyMap<number, ImageRef> = new Map(),
  template: WikiContext['template'] = plainContext.template,
): WikiContext {
  const byId = new Map(guides.map((guide) => [String(guide.id), guide]));
  const byTitle = Map.groupBy(guides, ({ title }) => title);
  return {
    ...plainContext,
    template,
    siteUrl: server,
    siteHosts: [hostOf(server)].filter((host) => host !== ''),
    guideTitle: (guideid) => {
      const found = byId.get(String(guideid));
      return found === undefined ? null : namedGuide(found);
    },
    guideTitled: (title) => {
      const found = guideTitled(byTitle.get(title) ?? [], title);
      return found === null ? null : namedGuide(found);
    },
    guidelist: (options) => listedGuides(guides, options)?.map(namedGuide) ?? null,
    image: (imageid) => {
      const image = images.get(imageid);
      if (image === undefined) return null;
      const urls = new Map<string, string>(
        Object.entries(imageObjectOf(image, server)).map(([size, url]) => [size, String(url)]),
      );
      return { id: image.id, guid: image.guid, url: (size) => urls.get(size) ?? urls.get('original') ?? '' };
    },
  };
}

function namedGuide({ id, title }: LinkableGuide): NamedGuide {
  return { guideid: Number(id), title, url: guideAddress(String(id)) };
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : '';
}

/** Guides that the texts of a guide, or the templates that they use, name. */
export function linkedGuides(content: GuideContent, template: WikiContext['template']): GuideNames {
  const texts = [
    content.introduction_raw,
    content.conclusion_raw,
    ...content.steps.flatMap((step) => step.lines.map((line) => line.text_raw)),
  ];
  return linkedIn(texts, template);
}

/** Guides that texts, or the templates that they use, name. */
export function linkedIn(texts: readonly string[], template: WikiContext['template']): GuideNames {
  return guidesNamedIn(texts.map((text) => expandTemplates(text, { template })));
}

/** The parts of a playable guide that depend on its content alone. */
export function renderGuide(
  guide: LocalGuide,
  wiki: WikiContext,
): Omit<
  PlayableGuide,
  | 'steps'
  | 'author'
  | 'prerequisites'
  | 'comments'
  | 'tags'
  | 'canTag'
  | 'favorite'
  | 'completed'
  | 'canEdit'
  | 'editState'
  | 'readiness'
  | 'documents'
  | 'archive'
  | 'release'
  | 'revision'
> {
  const { content } = guide;
  return {
    guideid: guide.guideid,
    title: content.title,
    category: content.category,
    type: content.type,
    summary: content.summary,
    difficulty: content.difficulty,
    timeRequired: timeRequired(content.time_required_min, content.time_required_max),
    revisionid: guide.facts?.revisionid ?? 0,
    public: guide.public,
    modifiedAt: guide.modifiedAt,
    introductionHtml: renderBlocks(content.introduction_raw, wiki),
    conclusionHtml: renderBlocks(content.conclusion_raw, wiki),
    flags: content.flags,
    imageGuid: content.image?.guid ?? null,
    parts: content.parts.map(supplyView),
    tools: content.tools.map(supplyView),
  };
}

function supplyView({ text, type, quantity, notes, url }: GuideContent['parts'][number]): SupplyView {
  return { text, type, quantity, notes, url };
}

/** The steps of a guide with their forms and comments. `fields` and `comments`: by stepid. */
export function renderSteps(
  guide: LocalGuide,
  wiki: WikiContext,
  server: string,
  fields: ReadonlyMap<string, FormFieldView[]>,
  comments: ReadonlyMap<string, CommentView[]>,
): StepView[] {
  const budget = new RenderBudget(renderLimits.guide);
  return guide.content.steps.map((step) => {
    const stepid = stepIdOf(guide, step.key);
    return {
      stepid,
      key: step.key,
      guideid: guide.guideid,
      title: step.title,
      lines: step.lines.map(({ id, bullet, level, text_raw }): LineView => {
        return {
          id,
          bullet,
          level,
          text: plainLine(text_raw, wiki),
          html: renderLine(text_raw, wiki, budget),
        };
      }),
      ...mediaView(step.media, server),
      fields: fields.get(stepid) ?? [],
      comments: comments.get(stepid) ?? [],
    };
  });
}

function mediaView(media: MediaContent, server: string): Pick<StepView, 'pictures' | 'video' | 'embedHtml'> {
  const none = { pictures: [], video: null, embedHtml: null };
  switch (media.type) {
    case 'image':
      return { ...none, pictures: media.data.map(pictureView) };
    case 'video': {
      const encoding = encodingOf(media.data);
      if (encoding === undefined) return none;
      const poster =
        media.data.image === null ? null : imageObjectOf(media.data.image.image, server).original;
      return {
        ...none,
        video: {
          file: videoKey(encoding.url),
          url: absolute(encoding.url, server),
          poster,
          mime: encoding.mime,
        },
      };
    }
    case 'embed':
      return { ...none, embedHtml: media.data.html };
    default:
      return none;
  }
}

function pictureView(image: ImageRef): PictureView {
  const { guid, width, height, markup } = image;
  return { guid, width, height, markers: parseMarkers(markup, image) };
}

/** An absolute address. Site-relative ones are resolved against the server. */
export function absolute(url: string, server: string): string {
  return url.startsWith('/') ? server + url : url;
}

/** How long a sent comment can be edited, by server time, ms. */
export const commentEditMs = 5 * 60_000;

/** What is needed to render comments. */
export interface CommentAudience {
  me: number;
  nameOf: (userid: number) => string;
  /** Server time, ms since 1970. */
  serverNow: number;
  wiki: WikiContext;
}

/** Comments as threads, oldest first. */
export function renderComments(comments: readonly LocalComment[], audience: CommentAudience): CommentView[] {
  const budget = new RenderBudget(renderLimits.comments);
  const ids = new Set(comments.map((comment) => comment.commentid));
  const view = (comment: LocalComment): CommentView => ({
    ...oneComment(comment, audience, budget),
    replies: comments.filter(({ parentid }) => parentid === comment.commentid).map(view),
  });
  return comments.filter(({ parentid }) => parentid === null || !ids.has(parentid)).map(view);
}

function oneComment(
  comment: LocalComment,
  { me, nameOf, serverNow, wiki }: CommentAudience,
  budget: RenderBudget,
): Omit<CommentView, 'replies'> {
  const mine = comment.userid === me;
  const words = ownWordsOf(comment);
  return {
    commentid: comment.commentid,
    author: nameOf(comment.userid),
    mine,
    html: words === '' ? '' : renderComment(words, wiki, budget),
    text: words,
    at: comment.at,
    edited: comment.edited,
    editable: mine && (comment.unsent || serverNow - comment.at < commentEditMs),
    pending: comment.pending,
    feedback: feedbackView(comment, { me, nameOf }),
  };
}

/** The text of a comment; '' for feedback whose text only names its reason. */
export function ownWordsOf({ text, feedback }: Pick<LocalComment, 'text' | 'feedback'>): string {
  const { data: reason } = feedbackReason.safeParse(feedback?.reason);
  return reason !== undefined && text === feedbackWords[reason] ? '' : text;
}

/** What makes a comment feedback, with the name of who closed it. */
export function feedbackView(
  { feedback }: Pick<LocalComment, 'feedback'>,
  { me, nameOf }: Pick<CommentAudience, 'me' | 'nameOf'>,
): CommentView['feedback'] {
  if (feedback === null) return null;
  const { reason, done } = feedback;
  if (done === null) return { reason, done };
  const { userid, at, pending } = done;
  return { reason, done: { username: nameOf(userid), mine: userid === me, at, pending } };
}
