import { useState } from 'react';

import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedReason } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { dispositions, type Disposition } from '#shared/model/deviations.ts';

import { DeviationFacts } from './deviation-facts.tsx';

/** A button that opens the question what happens to the part. */
export function DecideButton({ deviation }: { deviation: DeviationView }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!deviation.decides) return null;
  return (
    <>
      <Button tone={deviation.decision === null ? 'primary' : 'plain'} onPress={() => setIsOpen(true)}>
        {deviation.decision === null ? text.deviations.decide : text.deviations.decideAgain}
      </Button>
      {isOpen && <DecideDialog deviation={deviation} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** What a lead has to know before they choose. */
function knownOf({ measured, note, images, decision }: DeviationView): string {
  return JSON.stringify([measured, note, images, decision]);
}

/**
 * Asks a lead what happens to the part, and why. Nothing is chosen beforehand, and what was chosen is chosen again when the
 * deviation changes meanwhile, so that nobody decides about a value that they have not seen (DEVIATION-5).
 */
function DecideDialog({ deviation, onClose }: { deviation: DeviationView; onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [choice, setChoice] = useState<{ disposition: Disposition; known: string } | null>(null);
  const known = knownOf(deviation);
  const chosen = choice?.known === known ? choice.disposition : null;
  const choose = (id: string) => {
    const disposition = dispositions.find((one) => one === id);
    setChoice(disposition === undefined ? null : { disposition, known });
  };
  const fault = choice === null ? text.deviations.needDisposition : text.deviations.changedMeanwhile;
  const typed = useFormDraftSoon({
    id: useFormId('decision', deviation.deviationid),
    schema: typedReason,
    start: { reason: '' },
  });
  const { reason } = typed.text;
  const [asked, setAsked] = useState(false);
  const save = () => {
    setAsked(true);
    if (chosen === null || reason.trim() === '') return;
    act(async () => {
      await actions.decideDeviation(deviation.deviationid, chosen, reason);
      typed.forget();
      onClose();
    });
  };
  return (
    <FormDialog
      title={text.deviations.decideTitle(deviation.title)}
      size="medium"
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={text.deviations.save}
      onSubmit={save}
      isPending={busy}
    >
      <DeviationFacts deviation={deviation} />
      <SegmentedField
        label={text.deviations.disposition}
        segments={dispositions.map((id) => ({ id, name: text.deviations.dispositions[id] }))}
        value={chosen}
        onChange={choose}
        hint={chosen === null ? undefined : text.deviations.dispositionHints[chosen]}
        error={chosen === null && (asked || choice !== null) ? fault : undefined}
      />
      <TextField
        kind="long"
        label={text.deviations.reason}
        hint={text.deviations.reasonHint}
        value={reason}
        onChange={(words) => typed.change({ reason: words })}
        error={asked && reason.trim() === '' ? text.deviations.needReason : undefined}
        isRequired
      />
    </FormDialog>
  );
}
