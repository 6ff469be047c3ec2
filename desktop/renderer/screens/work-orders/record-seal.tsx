import type { SealState } from '#desktop/engine/areas/order-records.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { RecordSignatures } from './record-signatures.tsx';
import styles from './work-order-screen.module.css';

/** The hash of the record, whether the record on this device agrees with it, and who signed it. */
export function RecordSeal({ order }: { order: WorkOrder }) {
  const record = useLiveSoon('orderRecord', order.entryid) ?? null;
  if (record === null) return null;
  const { seal, file } = record;
  return (
    <section className={classNames(styles, 'part')}>
      <h2>{text.records.title}</h2>
      <div>
        <Badge tone={sealTones[seal]}>{text.records.states[seal]}</Badge>
      </div>
      <p>{text.records.hints[seal]}</p>
      {file.sha256 !== null && <code className={classNames(styles, 'hash')}>{file.sha256}</code>}
      {file.sha256 !== null && <RecordSignatures order={order} record={record} />}
    </section>
  );
}

const sealTones: Record<SealState, Tone> = {
  waiting: 'neutral',
  unsealed: 'neutral',
  matches: 'ok',
  differs: 'danger',
};
