import { PenLine } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { OrderRecordView } from '#desktop/engine/areas/order-records.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { utcText } from '#shared/rules/approvals.ts';

import styles from './work-order-screen.module.css';

const SignRecordDialog = lazy(async () => ({
  default: (await import('./sign-record-dialog.tsx')).SignRecordDialog,
}));

interface RecordSignaturesProps {
  order: WorkOrder;
  record: OrderRecordView;
}

/** The signatures of the record with name, meaning and time in UTC, and the button of those who may sign. */
export function RecordSignatures({ order, record }: RecordSignaturesProps) {
  const [isSigning, setIsSigning] = useState(false);
  const isOffline = useLive('syncState').connection === 'offline';
  const { seal, meanings, file } = record;
  const maySign = meanings.length > 0 && seal === 'matches';
  return (
    <>
      <h3>{text.records.signatures}</h3>
      {file.signatures.length === 0 && <p>{text.records.notSigned}</p>}
      <ul className={classNames(styles, 'signatures')}>
        {file.signatures.map(({ record_signatureid, name, meaning, comment, method, date, applies }) => (
          <li key={record_signatureid} className={classNames(styles, 'signature')}>
            <strong>{text.records.signed(text.records.meanings[meaning], name)}</strong>
            <span>{`${utcText(date)} · ${text.records.methods[method]}`}</span>
            {comment !== '' && <p>{comment}</p>}
            {!applies && (
              <div>
                <Badge tone="danger">{text.records.doesNotApply}</Badge>
              </div>
            )}
          </li>
        ))}
      </ul>
      {maySign && isOffline && (
        <div className={classNames(styles, 'unprinted')}>
          <Notice tone="info" title={text.records.signOffline}>
            {text.records.signOfflineHint}
          </Notice>
        </div>
      )}
      {maySign && !isOffline && (
        <div>
          <Button icon={<PenLine aria-hidden="true" />} onPress={() => setIsSigning(true)}>
            {text.records.sign}
          </Button>
        </div>
      )}
      {isSigning && maySign && (
        <Suspense fallback={null}>
          <SignRecordDialog order={order} record={record} onClose={() => setIsSigning(false)} />
        </Suspense>
      )}
    </>
  );
}
