import { useState, type FormEvent, type ReactNode } from 'react';

import { Button } from '#desktop/renderer/ui/button.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

interface SendFormProps {
  send: () => Promise<void>;
  submitLabel: string;
  /** The field, given the words of what was refused of it. */
  children: (refusal: string | undefined) => ReactNode;
}

/** A form of one field in a dialog: what is refused stands beside the field. */
export function SendForm({ send, submitLabel, children }: SendFormProps) {
  const [refusal, setRefusal] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send().catch((error: unknown) => setRefusal(errorMessage(error)));
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {children(refusal)}
        <Button type="submit" tone="primary">
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
