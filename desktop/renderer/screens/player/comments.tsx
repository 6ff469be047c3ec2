import { MessageSquarePlus } from 'lucide-react';
import { useId } from 'react';

import type { CommentView } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { CommentForm, useWrittenComment } from './comment-form.tsx';
import { CommentThread } from './comment-thread.tsx';
import styles from './comments.module.css';
import { usePlayerKeys } from './player-keys.tsx';

interface CommentsProps {
  context: 'guide' | 'step' | 'wiki';
  contextid: string;
  comments: readonly CommentView[];
}

/** The comments on a guide or step, and a form to add one. */
export function Comments({ context, contextid, comments }: CommentsProps) {
  const actions = useActions();
  const heading = useId();
  const written = useWrittenComment('comment', context, contextid);
  const begin = () => {
    if (written.words === null) written.begin();
  };
  usePlayerKeys({ c: begin });
  const total = comments.reduce((sum, comment) => sum + 1 + comment.replies.length, 0);
  return (
    <section className={classNames(styles, 'comments')} aria-labelledby={heading}>
      <div className={classNames(styles, 'head')}>
        <h2 id={heading} className={classNames(styles, 'title')}>
          {total === 0 ? text.comments.title : text.comments.titleWith(total)}
        </h2>
        {written.words === null && (
          <Button tone="quiet" icon={<MessageSquarePlus aria-hidden="true" />} onPress={begin}>
            {text.comments.add}
          </Button>
        )}
      </div>
      {comments.length > 0 && (
        <ul className={classNames(styles, 'list')}>
          {comments.map((comment) => (
            <CommentThread
              key={comment.commentid}
              comment={comment}
              context={context}
              contextid={contextid}
            />
          ))}
        </ul>
      )}
      <CommentForm
        label={text.comments.on[context]}
        submitLabel={text.comments.post}
        written={written}
        onSubmit={(words) => actions.comment(context, contextid, words)}
      />
    </section>
  );
}
