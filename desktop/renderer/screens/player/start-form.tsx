import { useState, type FormEvent } from 'react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedOrder } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { readSerials } from '../work-orders/read-serials.ts';
import { revisionWords } from '../work-orders/revision-words.ts';
import { SerialsField } from '../work-orders/serials-field.tsx';

/** Asks for the number of a work order, and for what it is about. */
export function StartForm({ guide, onStarted }: { guide: PlayableGuide; onStarted: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const typed = useFormDraft({
    id: useFormId('start-order', guide.guideid),
    schema: typedOrder,
    start: { number: '', serials: '' },
  });
  const { number, serials } = typed.text;
  const [error, setError] = useState<string>();
  const approval = useLiveSoon('guideApproval', guide.guideid) ?? null;
  // A release was approved under its name.
  const isUnapproved = approval !== null && approval.state !== 'approved' && guide.release === null;
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (number.trim() === '') return setError(text.player.needNumber);
    act(async () => {
      const seen = guide.release === null ? null : guide.revision;
      await actions.startWorkOrder(guide.guideid, number.trim(), {
        ...(seen !== null && { seen }),
        serials: readSerials(serials),
      });
      typed.forget();
      onStarted();
    });
  };
  return (
    <form onSubmit={start} noValidate>
      <Stack>
        <p>{text.player.startHint(guide.title)}</p>
        {guide.revision !== null && <p>{revisionWords(guide.revision)}</p>}
        {isUnapproved && (
          <Notice tone="warn" title={text.player.startUnapproved}>
            {text.player.startUnapprovedHint}
          </Notice>
        )}
        <TextField
          label={text.player.orderNumber}
          hint={text.workOrders.numberHint}
          value={number}
          onChange={(next) => typed.change({ number: next })}
          error={error}
          autoFocus
        />
        <SerialsField
          guideid={guide.guideid}
          value={serials}
          onChange={(next) => typed.change({ serials: next })}
        />
        <Button type="submit" tone="primary" size="large" wide isPending={busy}>
          {text.player.startNow}
        </Button>
      </Stack>
    </form>
  );
}
