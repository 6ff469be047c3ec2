import { useState } from 'react';

import type { OrderRecordView } from '#desktop/engine/areas/order-records.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';

import { ProofDialog } from '../account/use-proof.tsx';

interface SignRecordDialogProps {
  order: WorkOrder;
  record: OrderRecordView;
  onClose: () => void;
}

/** Signs the record with the password, or with a single sign-on where the site has one. */
export function SignRecordDialog({ order, record, onClose }: SignRecordDialogProps) {
  const actions = useActions();
  const { meanings, file } = record;
  const [chosen, setChosen] = useState(meanings.length === 1 ? (meanings[0] ?? null) : null);
  const [comment, setComment] = useState('');
  const [asked, setAsked] = useState(false);
  return (
    <ProofDialog
      onClose={onClose}
      question={{
        isComplete: () => {
          setAsked(true);
          return chosen !== null;
        },
        send: async (given) => {
          const meaning = must(chosen, 'a meaning');
          const sha256 = must(file.sha256, 'the hash of a record that ended');
          await actions.signRecord(order.entryid, { meaning, comment, sha256 }, given);
          showToast(text.records.done);
        },
        refused: (error) =>
          showToast(
            error instanceof Problem && error.kind === 'conflict'
              ? text.records.changed
              : errorMessage(error),
            'danger',
          ),
        about: {
          title: text.records.signTitle(order.workorderid),
          lead: (
            <Stack>
              <p>{text.records.signLead}</p>
              <SegmentedField
                label={text.records.meaning}
                segments={meanings.map((id) => ({ id, name: text.records.ownMeanings[id] }))}
                value={chosen}
                onChange={(id) => setChosen(meanings.find((one) => one === id) ?? null)}
                error={asked && chosen === null ? text.records.needMeaning : undefined}
              />
              <TextField kind="long" label={text.records.comment} value={comment} onChange={setComment} />
            </Stack>
          ),
          confirm: text.records.confirmSign,
          offline: text.records.signOffline,
        },
      }}
    />
  );
}
