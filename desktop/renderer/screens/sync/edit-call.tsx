import { useState } from 'react';

import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './activity-detail.module.css';
import { editablePartsOf, editedBody } from './editable-call.ts';

/** The words of a refused comment, or refused values, to be written anew and sent again. */
export function EditCall({ item, onClose }: { item: ActivityItem; onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [parts, setParts] = useState(() => editablePartsOf(item) ?? []);
  const order = useLive('workOrder', item.entryid ?? '');
  const isComment = item.kind === 'comment';
  const labelOf = (id: string) => {
    if (isComment) return text.sync.commentWords;
    const label = order?.values[id]?.label;
    return label === undefined ? text.sync.recordedValue : text.sync.valueOf(label);
  };
  const send = () =>
    act(async () => {
      await actions.editCall(item.id, editedBody(item, parts));
      showToast(text.sync.sentAgain);
      onClose();
    });
  return (
    <div className={classNames(styles, 'form')}>
      {parts.map(({ id, value }, index) => (
        <TextField
          key={id}
          label={labelOf(id)}
          kind={isComment ? 'long' : 'text'}
          value={value}
          autoFocus={index === 0}
          onChange={(next) =>
            setParts((now) => now.map((part) => (part.id === id ? { ...part, value: next } : part)))
          }
        />
      ))}
      <div className={classNames(styles, 'actions')}>
        <Button onPress={onClose}>{text.app.cancel}</Button>
        <Button
          tone="primary"
          onPress={send}
          isPending={busy}
          isDisabled={isComment && parts.every(({ value }) => value.trim() === '')}
        >
          {isComment ? text.sync.sendEdited : text.sync.sendEditedValue}
        </Button>
      </div>
    </div>
  );
}
