import { Pencil, Reply, Trash2 } from 'lucide-react';
import { useState } from 'react';

import type { CommentView } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { doneWords, reasonName } from '../feedback/feedback-words.ts';
import { CommentForm, useWrittenComment } from './comment-form.tsx';
import styles from './comments.module.css';

interface CommentThreadProps {
  comment: CommentView;
  context: 'guide' | 'step' | 'wiki';
  contextid: string;
}

/** A comment and its replies. */
export function CommentThread({ comment, context, contextid }: CommentThreadProps) {
  const actions = useActions();
  const reply = useWrittenComment('reply', comment.commentid);
  return (
    <li className={classNames(styles, 'thread')}>
      <Comment comment={comment} onReply={() => reply.begin(reply.words ?? '')} />
      {(comment.replies.length > 0 || reply.words !== null) && (
        <div className={classNames(styles, 'replies')}>
          {comment.replies.map((one) => (
            <Comment key={one.commentid} comment={one} />
          ))}
          <CommentForm
            label={text.comments.replyTo(comment.author)}
            submitLabel={text.comments.postReply}
            written={reply}
            onSubmit={(words) => actions.comment(context, contextid, words, comment.commentid)}
          />
        </div>
      )}
    </li>
  );
}

interface CommentProps {
  comment: CommentView;
  onReply?: () => void;
}

function Comment(props: CommentProps) {
  return props.comment.mine ? <OwnComment {...props} /> : <WholeComment {...props} />;
}

/** What was being written stays when the time for changes is over meanwhile. */
function OwnComment(props: CommentProps) {
  const { comment } = props;
  const actions = useActions();
  const written = useWrittenComment('comment-edit', comment.commentid);
  // Feedback with a reason only has no text to edit; a note is a reply.
  const isEditable = comment.editable && comment.text !== '';
  if (written.words === null)
    return <WholeComment {...props} {...(isEditable && { onEdit: () => written.begin(comment.text) })} />;
  return (
    <CommentForm
      label={text.comments.write}
      submitLabel={text.app.save}
      start={comment.text}
      written={written}
      onSubmit={(words) => actions.editComment(comment.commentid, words)}
    />
  );
}

function WholeComment({ comment, onReply, onEdit }: CommentProps & { onEdit?: () => void }) {
  const now = useNow();
  const facts = [
    formatSince(comment.at, now),
    ...(comment.edited ? [text.comments.edited] : []),
    ...(comment.pending ? [text.app.savedOnDevice] : []),
  ];
  const done = comment.feedback === null ? null : doneWords(comment.feedback, now);
  return (
    <article className={classNames(styles, 'comment')}>
      <p className={classNames(styles, 'byline')}>
        <strong>{comment.mine ? text.comments.you : comment.author}</strong>
        <span>{facts.join(' · ')}</span>
      </p>
      {comment.feedback !== null && (
        <p className={classNames(styles, 'state')}>
          <Badge>{reasonName(comment.feedback.reason)}</Badge>
          {done}
        </p>
      )}
      {comment.html !== '' && <RichHtml html={comment.html} />}
      <div className={classNames(styles, 'tools')}>
        {onReply && (
          <Button tone="quiet" icon={<Reply aria-hidden="true" />} onPress={onReply}>
            {text.comments.reply}
          </Button>
        )}
        {onEdit && (
          <Button tone="quiet" icon={<Pencil aria-hidden="true" />} onPress={onEdit}>
            {text.comments.edit}
          </Button>
        )}
        {comment.mine && <RemoveButton comment={comment} />}
      </div>
    </article>
  );
}

function RemoveButton({ comment }: { comment: CommentView }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button tone="quiet" icon={<Trash2 aria-hidden="true" />} onPress={() => setIsAsking(true)}>
        {text.comments.remove}
      </Button>
      <ConfirmDialog
        title={text.comments.removeTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.comments.remove}
        cancelLabel={text.app.cancel}
        onConfirm={() => act(() => actions.removeComment(comment.commentid))}
      >
        {text.comments.removeBody(comment.replies.length)}
      </ConfirmDialog>
    </>
  );
}
