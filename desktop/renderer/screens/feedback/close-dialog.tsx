import { useState } from 'react';

import type { FeedbackTask } from '#desktop/engine/api/feedback-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { noWords, typedWords } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';

interface CloseProps {
  task: FeedbackTask;
  /** The guide and the step. */
  place: string;
}

/** A button that closes feedback, with an answer if the person writes one. */
export function CloseButton(props: CloseProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button label={text.feedback.closeAbout(props.place)} onPress={() => setIsOpen(true)}>
        {text.feedback.close}
      </Button>
      {isOpen && <CloseDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function CloseDialog({ task, place, onClose }: CloseProps & { onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const typed = useFormDraftSoon({
    id: useFormId('feedback-answer', task.commentid),
    schema: typedWords,
    start: noWords,
  });
  const words = typed.text.words ?? '';
  const close = () =>
    act(async () => {
      await actions.closeFeedback(task.commentid, words);
      typed.forget();
      onClose();
    });
  return (
    <FormDialog
      title={text.feedback.closeTitle}
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={text.feedback.close}
      onSubmit={close}
      isPending={busy}
    >
      <p>{place}</p>
      {!task.own && (
        <TextField
          kind="long"
          label={text.feedback.answer(task.username)}
          hint={text.feedback.answerHint}
          value={words}
          onChange={(answer) => typed.change({ words: answer })}
        />
      )}
    </FormDialog>
  );
}
