import { Pencil, Reply, Trash2 } from 'lucide-react';
import { useState } from 'react';

import type { CommentView } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { CommentForm } from './comment-form.tsx';
import styles from './comments.module.css';

interface CommentThreadProps {
  comment: CommentView;
  context: 'guide' | 'step' | 'wiki';
  contextid: string;
}

/** A comment and its replies. */
export function CommentThread({ comment, context, contextid }: CommentThreadProps) {
  const actions = useActions();
  const [isReplying, setIsReplying] = useState(false);
  return (
    <li className={classNames(styles, 'thread')}>
      <Comment comment={comment} onReply={() => setIsReplying(true)} />
      {(comment.replies.length > 0 || isReplying) && (
        <div className={classNames(styles, 'replies')}>
          {comment.replies.map((reply) => (
            <Comment key={reply.commentid} comment={reply} />
          ))}
          {isReplying && (
            <CommentForm
              label={text.comments.replyTo(comment.author)}
              submitLabel={text.comments.postReply}
              onSubmit={(words) => actions.comment(context, contextid, words, comment.commentid)}
              onClose={() => setIsReplying(false)}
            />
          )}
        </div>
      )}
    </li>
  );
}

function Comment({ comment, onReply }: { comment: CommentView; onReply?: () => void }) {
  const actions = useActions();
  const now = useNow();
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) {
    return (
      <CommentForm
        label={text.comments.write}
        submitLabel={text.app.save}
        start={comment.text}
        onSubmit={(words) => actions.editComment(comment.commentid, words)}
        onClose={() => setIsEditing(false)}
      />
    );
  }
  const facts = [
    formatSince(comment.at, now),
    ...(comment.edited ? [text.comments.edited] : []),
    ...(comment.pending ? [text.app.savedOnDevice] : []),
  ];
  return (
    <article className={classNames(styles, 'comment')}>
      <p className={classNames(styles, 'byline')}>
        <strong>{comment.mine ? text.comments.you : comment.author}</strong>
        <span>{facts.join(' · ')}</span>
      </p>
      <RichHtml html={comment.html} />
      <div className={classNames(styles, 'tools')}>
        {onReply && (
          <Button tone="quiet" icon={<Reply aria-hidden="true" />} onPress={onReply}>
            {text.comments.reply}
          </Button>
        )}
        {comment.mine && comment.editable && (
          <Button tone="quiet" icon={<Pencil aria-hidden="true" />} onPress={() => setIsEditing(true)}>
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
