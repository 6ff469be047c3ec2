import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs';

import { notFound } from '#shared/api/problem.ts';
import { feedbackWords, type FeedbackReason } from '#shared/model/comment.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { PersonFacts } from '#shared/model/user.ts';
import { stepKeyOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { FeedbackTask } from '../api/feedback-records.ts';
import type { ActionContext } from '../features/action-context.ts';
import { addComment, changeOfComment } from '../features/comment-calls.ts';
import { toLive } from '../features/live.ts';
import { canEdit } from '../features/records/guide-access.ts';
import { feedbackView, ownWordsOf } from '../features/records/rendering.ts';
import { overlayComments, type LocalComment } from '../features/records/overlay/comments.ts';
import type { Me, Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { commentTargetOf } from '../outbox/kinds/comments.ts';
import type { GuideRow } from '../platform/ports.ts';

/** Live reads of the feedback on guides that this person may edit. */
export function feedbackViews({ sources }: Services) {
  return {
    /** Feedback on the steps of guides that this person may edit: open first, what is unsafe before the rest, then latest first. */
    feedback: () => toLive(feedbackTasks(sources)),
  };
}

/** A guide that this person may edit. `mine`: feedback on it is their task. */
interface EditedGuide {
  title: string;
  mine: boolean;
}

/**
 * The guides that this person may edit, by guideid.
 *
 * - FEEDBACK-5 Feedback is a task of the guide's author. If the account of the author is closed or may no longer edit, it is a
 *   task of everybody who may edit the guide. The others who may edit it see it too, but not as their task.
 */
function editedGuides({ rows, me, people }: Sources): Observable<ReadonlyMap<string, EditedGuide>> {
  return combineLatest([rows, me, people]).pipe(
    map(([guides, self, { people: everybody }]) => {
      const byId = new Map(everybody.map((one) => [one.userid, one]));
      return new Map(guides.flatMap((row) => editedGuide(row, self, byId.get(row.userid))));
    }),
    distinctUntilChanged((a, b) => sameValue([...a], [...b])),
  );
}

function editedGuide(
  { id, title, userid }: GuideRow,
  me: Me,
  author: PersonFacts | undefined,
): [string, EditedGuide][] {
  if (!canEdit(me, userid)) return [];
  const authorEdits = author !== undefined && author.enabled && canEdit(author, userid);
  return [[id, { title, mine: userid === me.userid || !authorEdits }]];
}

/** Comments are read only for people who may edit a guide, since most may not. */
function feedbackTasks(sources: Sources): Observable<FeedbackTask[]> {
  return editedGuides(sources).pipe(
    switchMap((guides) => (guides.size === 0 ? of([]) : tasksOf(sources, guides))),
  );
}

/** A comment with the guide that it is about. */
interface Given {
  comment: LocalComment;
  guideid: string;
}

function tasksOf(sources: Sources, guides: ReadonlyMap<string, EditedGuide>): Observable<FeedbackTask[]> {
  const { core, calls, resolve, names, me } = sources;
  const found = combineLatest([core.mirror.all('comments'), calls]).pipe(
    map(([records, waiting]) => {
      const about = new Map(records.map(({ id, facts }) => [id, String(facts.guideid)]));
      for (const call of waiting) {
        const guideid = commentTargetOf(call)?.guideid ?? null;
        if (guideid !== null) about.set(resolve(call.target.id), resolve(guideid));
      }
      const all = overlayComments('all', records, waiting, resolve);
      const given = all.flatMap((comment): Given[] => {
        const guideid = about.get(comment.commentid);
        return comment.feedback === null || guideid === undefined || !guides.has(guideid)
          ? []
          : [{ comment, guideid }];
      });
      const ids = new Set(given.map(({ comment }) => comment.commentid));
      return { given, replies: all.filter(({ parentid }) => parentid !== null && ids.has(parentid)) };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
  return found.pipe(
    switchMap(({ given, replies }) =>
      combineLatest([factsOf(sources, new Set(given.map(({ guideid }) => guideid))), names, me]).pipe(
        map(([facts, people, { userid }]) =>
          given
            .map(({ comment, guideid }) =>
              taskOf(comment, replies, {
                guideid,
                guide: guides.get(guideid) ?? { title: '', mine: false },
                facts: facts.get(guideid),
                me: userid,
                nameOf: (id) => people.get(id) ?? '',
              }),
            )
            .toSorted(
              (a, b) =>
                Number(a.done !== null) - Number(b.done !== null) ||
                Number(b.reason === 'unsafe') - Number(a.reason === 'unsafe') ||
                b.at - a.at,
            ),
        ),
      ),
    ),
  );
}

/** The facts of these guides, by guideid. */
function factsOf({ core }: Sources, ids: ReadonlySet<string>): Observable<ReadonlyMap<string, GuideFacts>> {
  if (ids.size === 0) return of(new Map());
  return combineLatest([...ids].map((id) => core.mirror.one('guides', id))).pipe(
    map((found) => new Map(found.flatMap((one) => (one === null ? [] : [[one.id, one.facts] as const])))),
  );
}

interface Around {
  guideid: string;
  guide: EditedGuide;
  facts: GuideFacts | undefined;
  me: number;
  nameOf: (userid: number) => string;
}

function taskOf(
  comment: LocalComment,
  replies: readonly LocalComment[],
  { guideid, guide, facts, me, nameOf }: Around,
): FeedbackTask {
  const steps = facts?.steps ?? [];
  const index = steps.findIndex(({ stepid }) => String(stepid) === comment.contextid);
  const step = steps[index];
  const words = [comment, ...replies.filter(({ parentid }) => parentid === comment.commentid)];
  const { reason = '', done = null } = feedbackView(comment, { me, nameOf }) ?? {};
  return {
    reason,
    done,
    commentid: comment.commentid,
    guideid,
    guideTitle: guide.title,
    stepid: comment.contextid,
    stepNumber: index < 0 ? null : index + 1,
    stepKey: step === undefined ? comment.contextid : stepKeyOf(step),
    stepTitle: step?.title ?? '',
    username: nameOf(comment.userid),
    own: comment.userid === me,
    at: comment.at,
    pending: comment.pending,
    words: words
      .map((one) => ({
        id: one.commentid,
        username: nameOf(one.userid),
        own: one.userid === me,
        text: ownWordsOf(one),
        at: one.at,
        pending: one.pending,
      }))
      .filter(({ text }) => text !== ''),
    mine: guide.mine,
  };
}

/** Giving and closing feedback. Each promise resolves when the change is journalled; the outbox sends it. */
export function feedbackActions(context: ActionContext) {
  return {
    /** Gives feedback on a step. Returns the temporary commentid. `removeComment` takes it back. */
    giveFeedback: (stepid: string, reason: FeedbackReason) =>
      addComment(context, 'step', stepid, { text: feedbackWords[reason], feedback: reason }),
    /** Closes feedback; `answer` becomes a reply to it. */
    closeFeedback: (commentid: string, answer = '') => close(context, commentid, answer.trim()),
    /** Opens feedback again. */
    reopenFeedback: (commentid: string) => mark(context, commentid, 'DELETE'),
  };
}

async function close(context: ActionContext, commentid: string, answer: string): Promise<void> {
  const stepid = await stepOf(context, commentid);
  if (answer !== '') await addComment(context, 'step', stepid, { text: answer, replyTo: commentid });
  await mark(context, commentid, 'PUT');
}

/** The step that feedback is about. Throws `Problem` not-found when the feedback is gone. */
async function stepOf(context: ActionContext, commentid: string): Promise<string> {
  const { mirror, outbox } = context.sources.core;
  const id = context.resolve(commentid);
  const record = id.startsWith('tmp:') ? null : await mirror.get('comments', id);
  if (record !== null) return String(record.facts.contextid);
  const [added] = outbox.about('comments', id).flatMap((call) => commentTargetOf(call) ?? []);
  if (added === undefined) throw notFound('Comment');
  return added.contextid;
}

async function mark(context: ActionContext, commentid: string, method: 'PUT' | 'DELETE'): Promise<void> {
  const call = await changeOfComment(context, commentid);
  await context.sources.core.outbox.add([
    { ...call, path: `${call.path}/done`, kind: 'feedback-done', method },
  ]);
}
