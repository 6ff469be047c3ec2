import { MessageSquareWarning, NotebookPen, Undo2 } from 'lucide-react';

import type { CommentView, StepView } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { feedbackReasons, type FeedbackReason } from '#shared/model/comment.ts';

import { reasonName } from '../feedback/feedback-words.ts';
import { CommentForm, useWrittenComment } from './comment-form.tsx';
import styles from './step-feedback.module.css';

/**
 * Feedback on a step: a button with the reasons, and the person's own feedback that is open.
 *
 * - FEEDBACK-6 Feedback takes two taps: the button and a reason. Then it can be taken back, and a note can be added.
 */
export function StepFeedback({ step }: { step: StepView }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const own = step.comments.filter(({ mine, feedback }) => mine && feedback?.done === null);
  const give = (reason: FeedbackReason) =>
    act(async () => {
      await actions.giveFeedback(step.stepid, reason);
      showToast(text.feedback.sent);
    });
  return (
    <div className={classNames(styles, 'feedback')}>
      <Menu
        label={text.feedback.ask}
        trigger={<Button icon={<MessageSquareWarning aria-hidden="true" />}>{text.feedback.give}</Button>}
        groups={[
          {
            id: 'reasons',
            title: text.feedback.ask,
            items: feedbackReasons.map((reason) => ({
              id: reason,
              name: text.feedback.reasons[reason],
              onAction: () => give(reason),
            })),
          },
        ]}
      />
      {own.map((comment) => (
        <Given key={comment.at} comment={comment} stepid={step.stepid} />
      ))}
    </div>
  );
}

/** Own feedback that is open. The note becomes a reply to it, which is possible at any time and at stations. */
function Given({ comment, stepid }: { comment: CommentView; stepid: string }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { commentid, editable, feedback } = comment;
  const note = useWrittenComment('feedback-note', commentid);
  return (
    <div className={classNames(styles, 'given')}>
      <p>{text.feedback.given(reasonName(feedback?.reason ?? ''))}</p>
      {note.words === null && (
        <Button tone="quiet" icon={<NotebookPen aria-hidden="true" />} onPress={() => note.begin()}>
          {text.feedback.addNote}
        </Button>
      )}
      {editable && (
        <Button
          tone="quiet"
          icon={<Undo2 aria-hidden="true" />}
          onPress={() => act(() => actions.removeComment(commentid))}
          isPending={busy}
        >
          {text.feedback.takeBack}
        </Button>
      )}
      <div className={classNames(styles, 'note')}>
        <CommentForm
          label={text.feedback.note}
          submitLabel={text.feedback.saveNote}
          written={note}
          onSubmit={(words) => actions.comment('step', stepid, words, commentid)}
        />
      </div>
    </div>
  );
}
