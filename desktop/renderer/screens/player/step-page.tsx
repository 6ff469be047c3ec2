import type { StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { StepSheet } from '../shell/step-sheet.tsx';
import { Comments } from './comments.tsx';
import { RecordForm } from './record-form.tsx';
import { StepLines } from './step-lines.tsx';
import { StepMedia } from './step-media.tsx';
import styles from './step-page.module.css';

interface StepPageProps {
  number: number;
  step: StepView;
  order: WorkOrder | null;
  /** Of an archive, or no more in the guide: nothing can be said about it. */
  isReadOnly: boolean;
}

/** One step: its picture, what to do, what to record, and what others said about it. */
export function StepPage({ number, step, order, isReadOnly }: StepPageProps) {
  const title = text.player.stepName(number, step.title);
  return (
    <StepSheet purpose="read" media={<StepMedia step={step} title={title} />}>
      <h1 className={classNames(styles, 'title')}>{title}</h1>
      <StepLines lines={step.lines} />
      {step.fields.length > 0 && <RecordForm fields={step.fields} order={order} />}
      {!isReadOnly && <Comments context="step" contextid={step.stepid} comments={step.comments} />}
    </StepSheet>
  );
}
