import type { FeedbackTask } from '#desktop/engine/api/feedback-records.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import type { CommentView } from '#desktop/engine/api/records.ts';

import type { World } from './fixture-world.ts';

const at = Date.UTC(2026, 4, 4, 8);

/** Feedback for the person, for another author, and some that is done. */
export function demoFeedback(): FeedbackTask[] {
  const task: FeedbackTask = {
    commentid: '7101',
    guideid: '9001',
    guideTitle: 'Bench Grinder Drive Belt Replacement',
    stepid: '90004',
    stepKey: '90004',
    stepNumber: 4,
    stepTitle: 'Fit the belt',
    username: 'Tim Okafor',
    own: false,
    at,
    pending: false,
    reason: 'unsafe',
    words: [{ id: '7102', username: 'Tim Okafor', own: false, text: 'No guard.', at, pending: false }],
    mine: true,
    done: null,
  };
  const done = { username: 'Ana Ruiz', mine: true, at: at + 60_000, pending: false };
  return [
    task,
    {
      ...task,
      commentid: '7103',
      reason: 'unclear',
      stepid: '90002',
      stepKey: '90002',
      stepNumber: 2,
      words: [],
      mine: false,
    },
    { ...task, commentid: '7104', reason: 'picture', words: [], done },
  ];
}

type FeedbackActions = Pick<Actions, 'giveFeedback' | 'closeFeedback' | 'reopenFeedback'>;

/** The engine's actions on feedback, in the fixture's world. */
export function feedbackActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
  newId: () => string,
): FeedbackActions {
  const mark = (commentid: string, make: (task: FeedbackTask) => Partial<FeedbackTask>) =>
    change(({ feedback }) => ({
      feedback: feedback.map((one) => (one.commentid === commentid ? { ...one, ...make(one) } : one)),
    }));
  return {
    async giveFeedback(stepid, reason) {
      const commentid = newId();
      const comment: CommentView = {
        commentid,
        author: 'Ana Ruiz',
        mine: true,
        html: '',
        text: '',
        at: Date.now(),
        edited: false,
        editable: true,
        pending: true,
        feedback: { reason, done: null },
        replies: [],
      };
      change(({ guides }) => ({
        guides: guides.map((guide) => ({
          ...guide,
          steps: guide.steps.map((step) =>
            step.stepid === stepid ? { ...step, comments: [...step.comments, comment] } : step,
          ),
        })),
      }));
      return commentid;
    },
    async closeFeedback(commentid, answer = '') {
      const username = world().session.user?.username ?? '';
      const now = Date.now();
      mark(commentid, ({ words }) => ({
        done: { username, mine: true, at: now, pending: true },
        words:
          answer === ''
            ? words
            : [...words, { id: newId(), username, own: true, text: answer, at: now, pending: true }],
      }));
    },
    async reopenFeedback(commentid) {
      mark(commentid, () => ({ done: null }));
    },
  };
}
