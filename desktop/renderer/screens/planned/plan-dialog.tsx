import { useState } from 'react';

import type { PlannedOrderView, PlanningFor } from '#desktop/engine/api/planned-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { priorities } from '#shared/model/planned-orders.ts';

import { useGuideChoices } from '../work-orders/guide-choices.ts';
import { revisionWords } from '../work-orders/revision-words.ts';
import { blankForm, faultsOf, formOf, planOf, repeatNames, type PlanForm } from './plan-form.ts';
import styles from './planned.module.css';

interface PlanDialogProps {
  /** The planned order to change; absent: a new one. */
  seen?: PlannedOrderView;
  /** The deviation that the new order follows up, and what its form has at first. */
  follows?: { deviationid: string; title: string; form: PlanForm };
  onClose: () => void;
}

/** Asks what is to be done by whom, until when. */
export function PlanDialog({ seen, follows, onClose }: PlanDialogProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [form, setForm] = useState<PlanForm>(() =>
    seen === undefined ? (follows?.form ?? blankForm) : formOf(seen),
  );
  const [asked, setAsked] = useState(false);
  const { faults, due } = faultsOf(form);
  const save = () => {
    setAsked(true);
    const plan = planOf(form, due, seen);
    if (plan === null || Object.keys(faults).length > 0) return;
    act(async () => {
      if (follows !== undefined) await actions.planFollowUp(follows.deviationid, plan);
      else if (seen === undefined) await actions.planOrders([plan]);
      else await actions.changePlannedOrder(seen, plan);
      onClose();
    });
  };
  const change = (some: Partial<PlanForm>) => setForm((now) => ({ ...now, ...some }));
  return (
    <Dialog
      title={titleOf(seen, follows)}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.cancel}
      actions={
        <>
          <Button onPress={onClose}>{text.app.cancel}</Button>
          <Button tone="primary" onPress={save} isPending={busy}>
            {seen === undefined ? text.planned.plan : text.planned.save}
          </Button>
        </>
      }
    >
      <Fields
        form={form}
        change={change}
        faults={asked ? faults : {}}
        repeats={seen === undefined && follows === undefined}
      />
    </Dialog>
  );
}

function titleOf(seen: PlanDialogProps['seen'], follows: PlanDialogProps['follows']): string {
  if (follows !== undefined) return text.followUps.newTitle(follows.title);
  return seen === undefined ? text.planned.newTitle : text.planned.changeTitle(seen.workorderid);
}

interface FieldsProps {
  form: PlanForm;
  change: (some: Partial<PlanForm>) => void;
  faults: Partial<Record<keyof PlanForm, string>>;
  /** Whether it can repeat. */
  repeats: boolean;
}

function Fields({ form, change, faults, repeats }: FieldsProps) {
  const guides = useGuideChoices(form.guideWords);
  const targets = useLive('planningFor');
  return (
    <Stack>
      <TextField
        label={text.planned.number}
        value={form.workorderid}
        onChange={(workorderid) => change({ workorderid })}
        error={faults.workorderid}
        isRequired
      />
      <ComboField
        label={text.planned.guide}
        choices={guides}
        input={form.guideWords}
        onInput={(guideWords) => change({ guideWords })}
        onChoose={(guideid) => change(guideid === form.guideid ? {} : { guideid, release: null })}
        placeholder={text.workOrders.guidePlaceholder}
        emptyText={text.workOrders.noGuide}
        openLabel={text.workOrders.openGuides}
        error={faults.guideid}
        isRequired
      />
      <ReleaseField form={form} change={change} />
      <SelectField
        label={text.planned.who}
        choices={choicesOf(targets)}
        value={form.who}
        onChange={(who) => change({ who })}
        placeholder={text.planned.whoPlaceholder}
        error={faults.who}
        isRequired
      />
      <div className={classNames(styles, 'moment')}>
        <TextField
          kind="date"
          label={text.planned.day}
          value={form.day}
          onChange={(day) => change({ day })}
          error={faults.day}
        />
        <TextField
          label={text.planned.time}
          hint={text.planned.timeHint}
          value={form.time}
          onChange={(time) => change({ time })}
          error={faults.time}
        />
      </div>
      {repeats && (
        <SelectField
          label={text.planned.repeat}
          hint={text.planned.repeatHint}
          choices={repeatNames.map((id) => ({ id, name: text.planned.repeats[id] }))}
          value={form.repeat}
          onChange={(id) => change({ repeat: repeatNames.find((one) => one === id) ?? 'never' })}
          placeholder={text.planned.repeats.never}
        />
      )}
      <SegmentedField
        label={text.planned.priority}
        segments={priorities.map((id) => ({ id, name: text.planned.priorities[id] }))}
        value={form.priority}
        onChange={(id) => change({ priority: priorities.find((one) => one === id) ?? 'normal' })}
      />
      <TextField
        kind="long"
        label={text.planned.serialsField}
        hint={text.planned.serialsHint}
        value={form.serials}
        onChange={(serials) => change({ serials })}
      />
      <TextField
        kind="long"
        label={text.planned.note}
        hint={text.planned.noteHint}
        value={form.note}
        onChange={(note) => change({ note })}
      />
    </Stack>
  );
}

/** The revision to work by: the present one, or a release of the guide; nothing for a guide without releases. */
function ReleaseField({ form: { guideid, release }, change }: Pick<FieldsProps, 'form' | 'change'>) {
  const own = useLive('releases').filter((one) => one.guideid === guideid);
  const known = own.map(({ releaseid, title, revision }) => ({
    id: String(releaseid),
    name: text.planned.releaseName(title, revisionWords(revision)),
    release: { releaseid, title },
  }));
  // One that is not on this device any more stays named.
  const isKnown = release === null || own.some(({ releaseid }) => releaseid === release.releaseid);
  const named = isKnown ? [] : [{ id: String(release.releaseid), name: release.title, release }];
  const choices = [...named, ...known];
  if (choices.length === 0) return null;
  return (
    <SelectField
      label={text.planned.release}
      hint={text.planned.releaseHint}
      choices={[{ id: presentGuide, name: text.planned.presentGuide }, ...choices]}
      value={release === null ? presentGuide : String(release.releaseid)}
      onChange={(id) => change({ release: choices.find((one) => one.id === id)?.release ?? null })}
      placeholder={text.planned.presentGuide}
    />
  );
}

const presentGuide = 'present';

function choicesOf({ teams, people }: PlanningFor) {
  return [
    ...teams.map(({ teamid, name }) => ({ id: `team:${teamid}`, name: text.planned.team(name) })),
    ...people.map(({ userid, username }) => ({ id: `person:${userid}`, name: username })),
  ];
}
