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
import type { NamedRelease } from '#shared/model/release-facts.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import { useGuideChoices } from '../work-orders/guide-choices.ts';
import { revisionWords } from '../work-orders/revision-words.ts';
import { DiscardButton } from './discard-button.tsx';
import { faultsOf, planOf, repeatNames, type PlanForm } from './plan-form.ts';
import styles from './planned.module.css';
import { usePlanForm } from './use-plan-form.ts';

interface PlanDialogProps {
  /** The planned order to change; absent: a new one. */
  seen?: PlannedOrderView;
  /** The deviation that the new order follows up, and what its form has at first. */
  follows?: { deviationid: string; title: string; form: PlanForm };
  onClose: () => void;
}

/** Asks what is to be done by whom, until when. */
export function PlanDialog({ seen: present, follows, onClose }: PlanDialogProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const draft = usePlanForm(present, follows);
  const { form, seen } = draft;
  const releases = useLive('releases');
  const [asked, setAsked] = useState(false);
  const { faults, due } = faultsOf(form);
  const save = () => {
    setAsked(true);
    const plan = planOf(form, { due, releases, seen });
    if (plan === null || Object.keys(faults).length > 0) return;
    act(async () => {
      if (follows !== undefined) await actions.planFollowUp(follows.deviationid, plan);
      else if (seen === undefined) await actions.planOrders([plan]);
      else await actions.changePlannedOrder(seen, plan);
      draft.forget();
      onClose();
    });
  };
  return (
    <Dialog
      title={titleOf(seen, follows)}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        <>
          <DiscardButton draft={draft} onClose={onClose} />
          <Button tone="primary" onPress={save} isPending={busy}>
            {seen === undefined ? text.planned.plan : text.planned.save}
          </Button>
        </>
      }
    >
      <Stack>
        <FormNotices typed={draft} warning={draft.isBehind ? text.planned.changedSince : undefined} />
        <Fields
          form={form}
          named={seen?.release ?? null}
          change={draft.change}
          faults={asked ? faults : {}}
          repeats={seen === undefined && follows === undefined}
        />
      </Stack>
    </Dialog>
  );
}

function titleOf(seen: PlanDialogProps['seen'], follows: PlanDialogProps['follows']): string {
  if (follows !== undefined) return text.followUps.newTitle(follows.title);
  return seen === undefined ? text.planned.newTitle : text.planned.changeTitle(seen.workorderid);
}

interface FieldsProps {
  form: PlanForm;
  /** The release that the order names. */
  named: NamedRelease | null;
  change: (some: Partial<PlanForm>) => void;
  faults: Partial<Record<keyof PlanForm, string>>;
  /** Whether it can repeat. */
  repeats: boolean;
}

function Fields({ form, named, change, faults, repeats }: FieldsProps) {
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
        onChoose={(guideid) => change(guideid === form.guideid ? {} : { guideid, releaseid: null })}
        placeholder={text.workOrders.guidePlaceholder}
        emptyText={text.workOrders.noGuide}
        openLabel={text.workOrders.openGuides}
        error={faults.guideid}
        isRequired
      />
      <ReleaseField form={form} named={named} change={change} />
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
function ReleaseField({
  form: { guideid, releaseid },
  named,
  change,
}: Pick<FieldsProps, 'form' | 'named' | 'change'>) {
  const own = useLive('releases').filter((one) => one.guideid === guideid);
  // One that is not on this device any more stays named.
  const gone =
    own.some((one) => one.releaseid === releaseid) || named?.releaseid !== releaseid ? null : named;
  if (own.length === 0 && gone === null) return null;
  return (
    <SelectField
      label={text.planned.release}
      hint={text.planned.releaseHint}
      choices={[
        { id: presentGuide, name: text.planned.presentGuide },
        ...(gone === null ? [] : [{ id: String(gone.releaseid), name: gone.title }]),
        ...own.map((one) => ({
          id: String(one.releaseid),
          name: text.planned.releaseName(one.title, revisionWords(one.revision)),
        })),
      ]}
      value={releaseid === null ? presentGuide : String(releaseid)}
      onChange={(id) => change({ releaseid: id === presentGuide ? null : Number(id) })}
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
