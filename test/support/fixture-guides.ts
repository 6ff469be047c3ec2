import type { Found, FoundCategory } from '#desktop/engine/api/finder.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import type {
  CategoryNode,
  CommentView,
  GuideSummaryCard,
  LibraryPage,
  LibraryQuery,
  PlayableGuide,
} from '#desktop/engine/api/records.ts';

import { difficulties } from '#shared/model/guide.ts';

import { isIn, treeOf, type World } from './fixture-world.ts';

type GuideActions = Pick<
  Actions,
  | 'favorite'
  | 'complete'
  | 'comment'
  | 'postAsReply'
  | 'editComment'
  | 'removeComment'
  | 'downloadGuides'
  | 'readDocument'
>;

/** The engine's actions on guides and comments, in the fixture's world. */
export function guideActions(
  change: (make: (now: World) => Partial<World>) => void,
  newId: () => string,
): GuideActions {
  const changeGuide = (guideid: string, make: (guide: PlayableGuide) => Partial<PlayableGuide>) =>
    change((now) => ({
      guides: now.guides.map((guide) => (guide.guideid === guideid ? { ...guide, ...make(guide) } : guide)),
    }));
  return {
    async favorite(guideid, on) {
      changeGuide(guideid, () => ({ favorite: on }));
      change((now) => ({
        cards: now.cards.map((card) => (card.guideid === guideid ? { ...card, favorite: on } : card)),
      }));
    },
    async complete(guideid, on) {
      changeGuide(guideid, () => ({ completed: on }));
    },
    async comment(context, contextid, words, replyTo) {
      const comment = newComment(newId(), words);
      const add = (list: CommentView[]) =>
        replyTo === undefined
          ? [...list, comment]
          : list.map((other) =>
              other.commentid === replyTo ? { ...other, replies: [...other.replies, comment] } : other,
            );
      change((now) => ({
        guides: now.guides.map((guide) =>
          context === 'guide'
            ? guide.guideid === contextid
              ? { ...guide, comments: add(guide.comments) }
              : guide
            : {
                ...guide,
                steps: guide.steps.map((step) =>
                  step.stepid === contextid ? { ...step, comments: add(step.comments) } : step,
                ),
              },
        ),
      }));
      return comment.commentid;
    },
    async postAsReply() {
      return newId();
    },
    async editComment() {},
    async removeComment() {},
    readDocument: async () => new Blob(['%PDF-1.7']),
    async downloadGuides(guideids) {
      change((now) => ({
        cards: now.cards.map((card) =>
          guideids.includes(card.guideid) ? { ...card, readiness: { state: 'ready' } } : card,
        ),
      }));
    },
  };
}

function newComment(commentid: string, words: string): CommentView {
  return {
    commentid,
    author: 'Ana Ruiz',
    mine: true,
    html: `<p>${words.replace(/[<&]/g, '')}</p>`,
    text: words,
    at: Date.now(),
    edited: false,
    editable: true,
    pending: true,
    feedback: null,
    replies: [],
  };
}

/** Guides without their own content use the steps of the last demo guide. */
export function findGuide(world: World, guideid: string): PlayableGuide | null {
  const own = world.guides.find((guide) => guide.guideid === guideid);
  const card = world.cards.find((other) => other.guideid === guideid);
  const model = world.guides.at(-1);
  if (own || !card || !model) return own ?? null;
  const { title, category, difficulty, imageGuid, favorite, readiness } = card;
  return { ...model, guideid, title, category, difficulty, imageGuid, favorite, readiness };
}

/** The guides of a shelf, or the results of a search. */
export function findGuides(world: World, query: LibraryQuery): LibraryPage {
  const words = query.search?.toLowerCase();
  const { category, only = [], difficulty, type } = query;
  const ofCategory = world.cards.filter((card) => category === null || isIn(card, category));
  const guides = ofCategory
    .filter((card) => !only.includes('favorites') || card.favorite)
    .filter((card) => !only.includes('ready-offline') || card.readiness.state === 'ready')
    .filter(() => !only.includes('drafts'))
    .filter((card) => difficulty === undefined || card.difficulty === difficulty)
    .filter((card) => type === undefined || card.type === type)
    .flatMap((card) => found(card, words))
    .toSorted((a, b) => a.title.localeCompare(b.title));
  return {
    guides,
    total: guides.length,
    readyOffline: guides.filter((card) => card.readiness.state === 'ready').length,
    mediaBytes: world.storage.mediaBytes,
    choices: {
      difficulties: difficulties.filter((one) => ofCategory.some((card) => card.difficulty === one)),
      types: [...new Set(ofCategory.map((card) => card.type))].toSorted(),
    },
  };
}

/** What a text finds besides guides. */
export function findOthers(world: World, words: string): Found {
  const text = words.trim().toLowerCase();
  if (text === '') return { categories: [], pages: [], orders: [] };
  const has = (...texts: string[]): boolean => texts.some((one) => one.toLowerCase().includes(text));
  const below = (nodes: readonly CategoryNode[], path: string[]): FoundCategory[] =>
    nodes.flatMap(({ children, ...node }) => [
      { ...node, path },
      ...below(children, [...path, node.displayTitle]),
    ]);
  return {
    categories: below(treeOf(world), []).filter(({ title, displayTitle }) => has(title, displayTitle)),
    pages: world.pages.filter(({ displayTitle, description }) => has(displayTitle, description)),
    orders: world.orders.filter(({ workorderid, serials }) => has(workorderid, ...serials)),
  };
}

function found(card: GuideSummaryCard, words: string | undefined): GuideSummaryCard[] {
  if (words === undefined) return [card];
  const text = `${card.title}: what to do, step by step`;
  const start = text.toLowerCase().indexOf(words);
  return start < 0 ? [] : [{ ...card, snippet: { text, marks: [[start, start + words.length]] } }];
}
