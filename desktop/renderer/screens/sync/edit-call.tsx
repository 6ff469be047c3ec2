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

/** Edits the text of a refused comment, or refused values, and sends them again. */
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

/** A part of a call's body that can be edited. */
export interface EditablePart {
  /** `text` for a comment, otherwise the revision id of a field. */
  id: string;
  value: string;
}

/** The editable parts of a call; null if there are none. */
export function editablePartsOf({ kind, call }: ActivityItem): EditablePart[] | null {
  const body = entriesOf(call.body);
  if (kind === 'comment') {
    const words = body.get('text');
    return typeof words === 'string' ? [{ id: 'text', value: words }] : null;
  }
  if (kind !== 'work-order') return null;
  const parts = [...entriesOf(body.get('fields'))].map(([id, value]) => ({ id, value: String(value) }));
  return parts.length === 0 ? null : parts;
}

/** The body with the edited parts. */
export function editedBody({ kind, call }: ActivityItem, parts: readonly EditablePart[]): unknown {
  const values = Object.fromEntries(parts.map(({ id, value }) => [id, value]));
  const body = Object.fromEntries(entriesOf(call.body));
  return kind === 'comment' ? { ...body, ...values } : { ...body, fields: values };
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));
}
