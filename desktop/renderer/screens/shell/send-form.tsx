import { useState, type FormEvent, type ReactNode } from 'react';

import { Button } from '#desktop/renderer/ui/button.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

interface SendFormProps {
  send: () => Promise<void>;
  submitLabel: string;
  /** Renders the field; `refusal` is its error. */
  children: (refusal: string | undefined) => ReactNode;
}

/** A form with one field in a dialog. Errors are shown at the field. */
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
