import { useEffect, useRef, useState } from 'react';

import type { FormFieldView, RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useHandOver } from '#desktop/renderer/hand-over.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { noWords, typedWords } from '#desktop/renderer/typed-forms.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { reasonLimit } from '#shared/api/work-log.ts';

/** Delay between the last key and recording the reason, ms. */
const restMs = 400;

interface RecordReasonProps {
  field: FormFieldView;
  order: WorkOrder;
  recorded: RecordedValue;
}

/** Below a failed check: why it failed. It is recorded as it is typed, at the latest when the person leaves the field. */
export function RecordReason({ field, order, recorded }: RecordReasonProps) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const unrecorded = useFormDraftSoon({
    id: useFormId('reason', order.entryid, field.field_guid),
    schema: typedWords,
    start: noWords,
  });
  const [typed, setTyped] = useState<string | null>(null);
  const draft = typed ?? unrecorded.text.words;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const words = draft ?? recorded.reason;
  const save = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    const reason = words.trim();
    if (draft === null || reason === recorded.reason) return;
    act(async () => {
      try {
        await actions.recordValue(order.entryid, field, recorded.value, { reason });
        unrecorded.clear();
      } catch (error) {
        unrecorded.replace({ words });
        throw error;
      }
    });
  };
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useHandOver(save);
  return (
    <TextField
      kind="long"
      label={text.player.whyFailed(field.label)}
      hint={text.player.whyFailedHint}
      value={words}
      error={words.trim() === '' ? text.player.needReason : undefined}
      onChange={(next) => {
        setTyped(next.slice(0, reasonLimit));
        if (timer.current !== null) clearTimeout(timer.current);
        timer.current = setTimeout(() => latest.current(), restMs);
      }}
      onLeave={save}
      isRequired
    />
  );
}
