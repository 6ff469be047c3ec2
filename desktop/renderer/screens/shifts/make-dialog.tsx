import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { typedShiftNote } from '#desktop/renderer/typed-forms.ts';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import { blankForm, spansOf, spanWords, wishOf, type ShiftForm } from './shift-form.ts';
import styles from './shifts.module.css';

interface MakeDialogProps {
  onClose: () => void;
  /** Called with the id of the new summary. */
  onMade: (id: string) => void;
}

/** Asks a lead for the span of a shift, and for a note for the next one, which is kept until the summary is made. */
export function MakeDialog({ onClose, onMade }: MakeDialogProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const teams = useLive('shiftTeams');
  const now = useNow();
  const { user } = useLive('session');
  const typed = useFormDraft({
    id: `shift.${user?.userid ?? 0}`,
    schema: typedShiftNote,
    start: { note: '' },
  });
  const [form, setForm] = useState(() => blankForm(teams, now));
  const [asked, setAsked] = useState(false);
  const { wish, faults } = wishOf(form, teams, now);
  const change = (some: Partial<ShiftForm>) => setForm((before) => ({ ...before, ...some }));
  const save = () => {
    setAsked(true);
    if (wish === null) return;
    act(async () => {
      const id = await actions.makeShiftSummary({ ...wish, ...typed.text });
      typed.forget();
      onMade(id);
    });
  };
  const team = teams.find(({ teamid }) => teamid === form.teamid);
  const spans = spansOf(team, now);
  return (
    <FormDialog
      title={shiftWords.make}
      size="medium"
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={shiftWords.make}
      onSubmit={save}
      isPending={busy}
    >
      <FormNotices typed={typed} />
      <Note>{shiftWords.makeHint}</Note>
      {teams.length > 1 && (
        <SelectField
          label={shiftWords.team}
          choices={teams.map(({ teamid, name }) => ({ id: String(teamid), name }))}
          value={form.teamid === null ? null : String(form.teamid)}
          onChange={(id) => change({ teamid: Number(id), span: 'eight' })}
          placeholder={shiftWords.teamPlaceholder}
          error={asked ? faults?.teamid : undefined}
          isRequired
        />
      )}
      <SegmentedField
        label={shiftWords.span}
        segments={spans.map((id) => ({ id, name: shiftWords.spans[id] }))}
        value={form.span}
        onChange={(id) => change({ span: spans.find((one) => one === id) ?? 'eight' })}
        hint={wish === null ? undefined : spanWords(wish)}
        error={asked ? faults?.span : undefined}
      />
      {form.span === 'other' && <OtherSpan form={form} change={change} />}
      <TextField
        kind="long"
        label={shiftWords.note}
        hint={shiftWords.noteHint}
        value={typed.text.note}
        onChange={(note) => typed.change({ note })}
      />
    </FormDialog>
  );
}

interface OtherSpanProps {
  form: ShiftForm;
  change: (some: Partial<ShiftForm>) => void;
}

function OtherSpan({ form, change }: OtherSpanProps) {
  return (
    <div className={classNames(styles, 'span')}>
      <TextField
        kind="date"
        label={shiftWords.fromDay}
        value={form.fromDay}
        onChange={(fromDay) => change({ fromDay })}
      />
      <TextField
        label={shiftWords.time}
        hint={shiftWords.timeHint}
        value={form.fromTime}
        onChange={(fromTime) => change({ fromTime })}
      />
      <TextField
        kind="date"
        label={shiftWords.toDay}
        value={form.toDay}
        onChange={(toDay) => change({ toDay })}
      />
      <TextField label={shiftWords.time} value={form.toTime} onChange={(toTime) => change({ toTime })} />
    </div>
  );
}
