import type { SignatureView, StageView } from '#desktop/engine/api/approval-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { utcText } from '#shared/rules/approvals.ts';

import styles from './approvals.module.css';

const tones: Record<StageView['status'], Tone> = {
  waiting: 'neutral',
  open: 'accent',
  done: 'ok',
  rejected: 'danger',
  void: 'neutral',
};

/** The stages of a request with their signatures. */
export function Stages({ stages }: { stages: readonly StageView[] }) {
  return (
    <ol className={classNames(styles, 'stages')}>
      {stages.map((stage, index) => (
        <li key={stage.stageid} className={classNames(styles, 'stage')}>
          <Row justify="between">
            <strong>{text.approvals.stage(index + 1, stage.name)}</strong>
            <Badge tone={tones[stage.status]}>{text.approvals.stageStates[stage.status]}</Badge>
          </Row>
          <span className={classNames(styles, 'note')}>
            {text.approvals.needs(stage.needed, stage.approvers.join(', '))}
          </span>
          <Signatures signatures={stage.signatures} />
        </li>
      ))}
    </ol>
  );
}

/** Signatures with name, meaning and time (UTC). */
export function Signatures({ signatures }: { signatures: readonly SignatureView[] }) {
  if (signatures.length === 0) return null;
  return (
    <ul className={classNames(styles, 'signatures')}>
      {signatures.map(({ name, meaning, comment, at }) => (
        <li key={`${name} ${at}`} className={classNames(styles, 'signature')}>
          <strong>{name}</strong>
          <span>{`${text.approvals.meanings[meaning]} · ${utcText(at / 1000)}`}</span>
          {comment !== '' && <span className={classNames(styles, 'note')}>{comment}</span>}
        </li>
      ))}
    </ul>
  );
}
