import type { Actions } from '#desktop/engine/engine.ts';
import type {
  CommentView,
  GuideSummaryCard,
  LibraryPage,
  LibraryQuery,
  PlayableGuide,
} from '#desktop/engine/api/records.ts';

import { isIn, type World } from './fixture-world.ts';

type GuideActions = Pick<
  Actions,
  'favorite' | 'complete' | 'comment' | 'postAsReply' | 'editComment' | 'removeComment' | 'downloadGuides'
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
  const guides = world.cards
    .filter((card) => query.category === null || isIn(card, query.category))
    .filter((card) => query.only !== 'favorites' || card.favorite)
    .filter((card) => query.only !== 'ready-offline' || card.readiness.state === 'ready')
    .filter(() => query.only !== 'drafts')
    .flatMap((card) => found(card, words))
    .toSorted((a, b) => a.title.localeCompare(b.title));
  return {
    guides,
    total: guides.length,
    readyOffline: guides.filter((card) => card.readiness.state === 'ready').length,
    mediaBytes: world.storage.mediaBytes,
  };
}

function found(card: GuideSummaryCard, words: string | undefined): GuideSummaryCard[] {
  if (words === undefined) return [card];
  const text = `${card.title}: what to do, step by step`;
  const start = text.toLowerCase().indexOf(words);
  return start < 0 ? [] : [{ ...card, snippet: { text, marks: [[start, start + words.length]] } }];
}
