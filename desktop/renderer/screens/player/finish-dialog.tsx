import { Button as AriaButton } from 'react-aria-components';

import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedReasons } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import styles from './finish-dialog.module.css';
import { missingFields, type MissingField, unexplainedFailures } from './missing-fields.ts';
import type { PlayerPages } from './player-page.ts';

interface FinishDialogProps {
  guide: PlayableGuide;
  order: WorkOrder;
  places: PlayerPages;
  isOpen: boolean;
  onClose: () => void;
}

/**
 * Confirms the end of a work order, and asks for a reason for each required field without a value and for each failed check
 * that has none.
 */
export function FinishDialog({ guide, order, places, isOpen, onClose }: FinishDialogProps) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const typed = useFormDraft({
    id: useFormId('finish', order.entryid),
    schema: typedReasons,
    start: { reasons: {} },
  });
  const { reasons } = typed.text;
  const setReasons = (next: Record<string, string>) => typed.replace({ reasons: next });
  const missing = missingFields(guide, order);
  const unexplained = unexplainedFailures(guide, order);
  const reasonOf = ({ field }: MissingField) => (reasons[field.field_guid] ?? '').trim();
  const gaps = missing.map(({ field }) => ({ field, reason: reasons[field.field_guid] ?? '' }));
  const toStep = (step: number) => {
    onClose();
    places.toStep(step);
  };
  return (
    <ConfirmDialog
      title={text.player.finishTitle(order.workorderid)}
      isOpen={isOpen}
      onClose={onClose}
      tone="primary"
      confirmLabel={text.player.finish}
      cancelLabel={text.player.keepWorking}
      isBlocked={[...missing, ...unexplained].some((one) => reasonOf(one) === '')}
      onConfirm={() =>
        act(async () => {
          for (const one of unexplained) {
            const { value = '' } = order.values[one.field.field_revisionid] ?? {};
            await actions.recordValue(order.entryid, one.field, value, { reason: reasonOf(one) });
          }
          await actions.finishWorkOrder(order.entryid, gaps);
          typed.clear();
          showToast(text.player.finished(order.workorderid));
        })
      }
    >
      <FormNotices typed={typed} />
      <p>{text.player.finishBody}</p>
      {missing.length > 0 && (
        <Gaps
          title={text.player.finishMissing}
          hint={text.player.finishMissingHint}
          ask={text.player.gapReason}
          missing={missing}
          reasons={reasons}
          onChange={setReasons}
          onStep={toStep}
        />
      )}
      {unexplained.length > 0 && (
        <Gaps
          title={text.player.finishUnexplained}
          hint={text.player.whyFailedHint}
          ask={text.player.whyFailed}
          missing={unexplained}
          reasons={reasons}
          onChange={setReasons}
          onStep={toStep}
        />
      )}
    </ConfirmDialog>
  );
}

interface GapsProps {
  title: string;
  hint: string;
  /** The question about a field, by its label. */
  ask: (label: string) => string;
  missing: readonly MissingField[];
  /** By the `field_guid` of the field. */
  reasons: Readonly<Record<string, string>>;
  onChange: (reasons: Record<string, string>) => void;
  onStep: (step: number) => void;
}

function Gaps({ title, hint, ask, missing, reasons, onChange, onStep }: GapsProps) {
  const first = reasons[missing[0]?.field.field_guid ?? ''] ?? '';
  const useForAll = () =>
    onChange({ ...reasons, ...Object.fromEntries(missing.map(({ field }) => [field.field_guid, first])) });
  return (
    <div className={classNames(styles, 'missing')}>
      <h3>{title}</h3>
      <p>{hint}</p>
      <ul>
        {missing.map(({ step, field }) => (
          <li key={field.field_guid}>
            <AriaButton className={classNames(styles, 'place')} onPress={() => onStep(step)}>
              {text.player.missingField(step + 1, field.label)}
            </AriaButton>
            <TextField
              label={ask(field.label)}
              value={reasons[field.field_guid] ?? ''}
              onChange={(reason) => onChange({ ...reasons, [field.field_guid]: reason })}
              isRequired
            />
          </li>
        ))}
      </ul>
      {missing.length > 1 && first.trim() !== '' && (
        <Button onPress={useForAll}>{text.player.sameReason}</Button>
      )}
    </div>
  );
}
