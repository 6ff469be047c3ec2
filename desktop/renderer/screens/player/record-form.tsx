import { Check, CloudCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';

import type { FormFieldView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { canMove } from '#shared/rules/work-log.ts';

import { RecordField } from './record-field.tsx';
import styles from './record-form.module.css';
import type { EntryState } from './use-record.ts';

const DeviationPanel = lazy(async () => ({
  default: (await import('../deviations/deviation-panel.tsx')).DeviationPanel,
}));

interface RecordFormProps {
  fields: readonly FormFieldView[];
  order: WorkOrder | null;
}

/** The form of a step, below its instructions. */
export function RecordForm({ fields, order }: RecordFormProps) {
  const heading = useId();
  const [entered, setEntered] = useState<Readonly<Record<string, EntryState>>>({});
  const open = order !== null && canMove(order.status, 'data') ? order : null;
  return (
    <Card as="section" labelledBy={heading}>
      <div className={classNames(styles, 'head')}>
        <h2 id={heading} className={classNames(styles, 'title')}>
          {text.player.record}
        </h2>
        <SavedState fields={fields} order={order} entered={Object.values(entered)} />
      </div>
      {order === null && <p className={classNames(styles, 'hint')}>{text.player.recordNeedsOrder}</p>}
      {order?.status === 'paused' && <p className={classNames(styles, 'hint')}>{text.player.recordPaused}</p>}
      <div className={classNames(styles, 'fields')}>
        {fields.map((field) => (
          <div
            key={`${order?.workorderid ?? ''} ${field.field_revisionid}`}
            className={classNames(styles, 'field')}
          >
            <RecordField
              field={field}
              order={open}
              entryid={order?.entryid ?? ''}
              recorded={order?.values[field.field_revisionid] ?? null}
              onSaved={(state) => setEntered((now) => ({ ...now, [field.field_guid]: state }))}
            />
            <Suspense fallback={null}>
              <DeviationPanel
                field={field}
                order={open}
                recorded={order?.values[field.field_revisionid] ?? null}
              />
            </Suspense>
          </div>
        ))}
      </div>
    </Card>
  );
}

/** Whether the values of this form are saved. */
function SavedState({ fields, order, entered }: RecordFormProps & { entered: readonly EntryState[] }) {
  const isSaving = entered.includes('saving');
  const unrecorded = entered.filter((state) => state === 'refused' || state === 'failed').length;
  const states = fields.flatMap((field) => order?.values[field.field_revisionid]?.saved ?? []);
  return (
    <p
      className={classNames(styles, 'saved', isSaving ? 'saving' : unrecorded > 0 && 'refused')}
      role="status"
    >
      {isSaving ? (
        <>
          <LoaderCircle aria-hidden="true" /> {text.app.saving}
        </>
      ) : unrecorded > 0 ? (
        <>
          <TriangleAlert aria-hidden="true" /> {text.player.notRecorded(unrecorded)}
        </>
      ) : states.includes('device') ? (
        <>
          <Check aria-hidden="true" /> {text.app.savedOnDevice}
        </>
      ) : (
        states.length > 0 && (
          <>
            <CloudCheck aria-hidden="true" /> {text.app.onTheServer}
          </>
        )
      )}
    </p>
  );
}
