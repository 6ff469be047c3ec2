import { useState } from 'react';

import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { FormFieldView, RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { typedDeviation } from '#desktop/renderer/typed-forms.ts';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import { DeviationFacts, DeviationState } from './deviation-facts.tsx';
import styles from './deviations.module.css';
import { ReportFields } from './report-form.tsx';

interface DeviationPanelProps {
  field: FormFieldView;
  order: WorkOrder | null;
  recorded: RecordedValue | null;
}

/** Below a value that is out of limits or failed: what to do about it, or what was reported. */
export function DeviationPanel({ field, order, recorded }: DeviationPanelProps) {
  const known = useLive('deviations').find(
    ({ entryid, measured }) => entryid === order?.entryid && measured?.field_guid === field.field_guid,
  );
  const [isAdding, setIsAdding] = useState(false);
  const isFailed = recorded?.isFailed === true;
  const isDeviating = isFailed || (recorded?.broken ?? null) !== null;
  if (known !== undefined && !isAdding)
    return <KnownDeviation deviation={known} onAdd={isDeviating ? () => setIsAdding(true) : null} />;
  if (order === null || !isDeviating) return null;
  return <Report field={field} order={order} isFailed={isFailed} onDone={() => setIsAdding(false)} />;
}

function KnownDeviation({ deviation, onAdd }: { deviation: DeviationView; onAdd: (() => void) | null }) {
  return (
    <div className={classNames(styles, 'known')}>
      <Row justify="between">
        <b>{text.deviations.reported}</b>
        <DeviationState deviation={deviation} />
      </Row>
      <DeviationFacts deviation={deviation} />
      {deviation.decision === null && onAdd !== null && (
        <Row>
          <Button onPress={onAdd}>{text.deviations.addToReport}</Button>
        </Row>
      )}
    </div>
  );
}

interface ReportProps {
  field: FormFieldView;
  order: WorkOrder;
  isFailed: boolean;
  onDone: () => void;
}

function Report({ field, order, isFailed, onDone }: ReportProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const typed = useFormDraft({
    id: useFormId('deviation', order.guideid, order.workorderid, field.field_guid),
    schema: typedDeviation,
    start: { note: '', pictures: [] },
    filesOf: ({ pictures }) => pictures,
  });
  const { note } = typed.text;
  const report = (then?: () => Promise<void>) =>
    act(async () => {
      const { field_revisionid } = field;
      const pictures = await Promise.all(typed.text.pictures.map((id) => actions.formFile(id)));
      await actions.reportDeviation(order.entryid, { note, pictures, field_revisionid });
      typed.forget();
      showToast(text.deviations.done);
      onDone();
      await then?.();
    });
  const stop = () =>
    report(() =>
      actions.suspendWorkOrder(order.entryid, `${text.deviations.stopped(field.label)} ${note}`.trim()),
    );
  return (
    <section className={classNames(styles, 'panel')} aria-label={text.deviations.about(field.label)}>
      {isFailed && <strong>{text.deviations.failed}</strong>}
      <p>{isFailed ? text.deviations.failedHint : text.deviations.recorded}</p>
      <FormNotices typed={typed} />
      <ReportFields words={typed.text} onChange={typed.change} />
      <Row>
        <Button tone="primary" onPress={() => report()} isPending={busy}>
          {text.deviations.report}
        </Button>
        <Button onPress={stop} isDisabled={busy}>
          {text.deviations.stop}
        </Button>
      </Row>
    </section>
  );
}
