import type { StepView, WorkOrder, LineView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { BulletMark } from '#desktop/renderer/ui/bullet-mark.tsx';
import { isColourBullet } from '#shared/rules/bullet-shapes.ts';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';

import { StepSheet } from '../shell/step-sheet.tsx';
import { Comments } from './comments.tsx';
import { RecordForm } from './record-form.tsx';
import { StepFeedback } from './step-feedback.tsx';
import { StepMedia } from './step-media.tsx';
import styles from './step-page.module.css';

interface StepPageProps {
  number: number;
  step: StepView;
  order: WorkOrder | null;
  /** True in an archive, and for steps that the guide no longer has: comments are not possible. */
  isReadOnly: boolean;
}

/** A step: picture, instructions, form and comments. */
export function StepPage({ number, step, order, isReadOnly }: StepPageProps) {
  const title = text.player.stepName(number, step.title);
  return (
    <StepSheet purpose="read" media={<StepMedia step={step} title={title} />}>
      <h1 className={classNames(styles, 'title')}>{title}</h1>
      <StepLines lines={step.lines} />
      {step.fields.length > 0 && <RecordForm fields={step.fields} order={order} />}
      {!isReadOnly && <StepFeedback step={step} />}
      {!isReadOnly && <Comments context="step" contextid={step.stepid} comments={step.comments} />}
    </StepSheet>
  );
}

/** The instructions. Cautions, notes and reminders are blocks. */
export function StepLines({ lines }: { lines: readonly LineView[] }) {
  return (
    <ul className={classNames(styles, 'lines')} aria-label={text.player.whatToDo}>
      {lines.map((line) => (
        <li
          key={line.id}
          className={classNames(
            styles,
            'line',
            !isColourBullet(line.bullet) && 'block',
            line.bullet,
            `level-${Math.min(line.level, 3)}`,
          )}
        >
          <BulletMark bullet={line.bullet} />
          <RichHtml html={line.html} size="line" />
        </li>
      ))}
    </ul>
  );
}
