import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

interface CommentFormProps {
  label: string;
  submitLabel: string;
  start?: string;
  onSubmit: (words: string) => Promise<unknown>;
  onClose: () => void;
}

/** The text stays in the form until it is saved. */
export function CommentForm({ label, submitLabel, start = '', onSubmit, onClose }: CommentFormProps) {
  const [words, setWords] = useState(start);
  const { act, busy } = useAsyncAction();
  const submit = () =>
    act(async () => {
      await onSubmit(words.trim());
      onClose();
    });
  return (
    <Stack gap="s">
      <TextField label={label} kind="long" value={words} onChange={setWords} autoFocus />
      <Row justify="end">
        <Button onPress={onClose}>{text.app.cancel}</Button>
        <Button tone="primary" onPress={submit} isDisabled={words.trim() === ''} isPending={busy}>
          {submitLabel}
        </Button>
      </Row>
    </Stack>
  );
}
