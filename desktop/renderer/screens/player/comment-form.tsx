import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { noWords, typedWords } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';

/** A comment that is being written. */
export interface WrittenComment {
  /** Null: none is. */
  words: string | null;
  /** It was begun here; what comes back does not call up the keyboard on the screen. */
  takesFocus: boolean;
  /** Opens its form, with these words at first. */
  begin: (start?: string) => void;
  write: (words: string) => void;
  /** Closes the form without its words. */
  end: () => void;
}

/** What a person writes about a record, kept on this device until it is sent or discarded. `of`: as in `useFormId`. */
export function useWrittenComment(...of: Parameters<typeof useFormId>): WrittenComment {
  const typed = useFormDraftSoon({ id: useFormId(...of), schema: typedWords, start: noWords });
  const [takesFocus, setTakesFocus] = useState(false);
  return {
    words: typed.text.words,
    takesFocus,
    begin: (start = '') => {
      setTakesFocus(true);
      typed.replace({ words: start });
    },
    write: (words) => typed.replace({ words }),
    end: typed.clear,
  };
}

interface CommentFormProps {
  label: string;
  submitLabel: string;
  /** The text that is edited; absent: a new one. */
  start?: string;
  written: WrittenComment;
  onSubmit: (words: string) => Promise<unknown>;
}

/** The text stays in the form until it is saved. Renders nothing while nothing is being written. */
export function CommentForm({ label, submitLabel, start = '', written, onSubmit }: CommentFormProps) {
  const { act, busy } = useAsyncAction();
  const { words } = written;
  if (words === null) return null;
  const submit = () =>
    act(async () => {
      await onSubmit(words.trim());
      written.end();
    });
  return (
    <Stack gap="s">
      <TextField
        label={label}
        kind="long"
        value={words}
        onChange={written.write}
        autoFocus={written.takesFocus}
      />
      <Row justify="end">
        <Button onPress={written.end}>{words === start ? text.app.cancel : text.pages.discard}</Button>
        <Button tone="primary" onPress={submit} isDisabled={words.trim() === ''} isPending={busy}>
          {submitLabel}
        </Button>
      </Row>
    </Stack>
  );
}
