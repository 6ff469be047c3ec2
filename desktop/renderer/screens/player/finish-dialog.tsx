import { Button } from 'react-aria-components';

import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './finish-dialog.module.css';
import type { PlayerPages } from './player-page.ts';

interface FinishDialogProps {
  guide: PlayableGuide;
  order: WorkOrder;
  places: PlayerPages;
  isOpen: boolean;
  onClose: () => void;
}

/** Confirms the end of a work order, and lists fields without values. */
export function FinishDialog({ guide, order, places, isOpen, onClose }: FinishDialogProps) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const missing = missingFields(guide, order);
  return (
    <ConfirmDialog
      title={text.player.finishTitle(order.workorderid)}
      isOpen={isOpen}
      onClose={onClose}
      tone="primary"
      confirmLabel={text.player.finish}
      cancelLabel={text.player.keepWorking}
      onConfirm={() =>
        act(async () => {
          await actions.moveWorkOrder(order.entryid, 'finish');
          showToast(text.player.finished(order.workorderid));
        })
      }
    >
      <p>{text.player.finishBody}</p>
      {missing.length > 0 && (
        <div className={classNames(styles, 'missing')}>
          <h3>{text.player.finishMissing}</h3>
          <ul>
            {missing.map(({ step, words }) => (
              <li key={words}>
                <Button
                  className={classNames(styles, 'place')}
                  onPress={() => {
                    onClose();
                    places.toStep(step);
                  }}
                >
                  {words}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  );
}

/** Required fields without values, with the index of their step (from 0). */
function missingFields(guide: PlayableGuide, order: WorkOrder): { step: number; words: string }[] {
  return guide.steps.flatMap((step, index) =>
    step.fields
      .filter(
        (field) => field.required && isEmpty(order.values[field.field_revisionid]?.value, field.field_type),
      )
      .map((field) => ({ step: index, words: text.player.missingField(index + 1, field.label) })),
  );
}

function isEmpty(value: string | undefined, type: string): boolean {
  return value === undefined || value === '' || (type === 'Checkbox' && value === '0');
}
