import { useState } from 'react';

import type { ActivityItem } from '#desktop/engine/views/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';

import styles from './activity-detail.module.css';
import { EditCall } from './edit-call.tsx';
import { editablePartsOf } from './editable-call.ts';

/** What the server refused: its words, and every way on. Nothing goes away by itself. */
export function ParkedActions({ item }: { item: ActivityItem }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [isEditing, setIsEditing] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const canEdit = editablePartsOf(item) !== null;
  const isTooLate = isLateCorrection(item);
  const retry = () =>
    act(async () => {
      await actions.retryCall(item.id);
      showToast(text.sync.sentAgain);
    });
  const reply = () =>
    act(async () => {
      await actions.postAsReply(item.id);
      showToast(text.sync.postedAsReply);
    });
  const handInAnew = () =>
    act(async () => {
      await actions.handInAnew(item.id);
      showToast(text.sync.handedInAnew);
    });
  const discard = () =>
    act(async () => {
      await actions.discardCall(item.id);
      showToast(text.sync.discarded);
    });
  return (
    <>
      <Refusal item={item} />
      {isTooLate && <p className={classNames(styles, 'note')}>{text.sync.tooLateHint}</p>}
      {isEditing ? (
        <EditCall item={item} onClose={() => setIsEditing(false)} />
      ) : (
        <div className={classNames(styles, 'actions')}>
          {isTooLate && (
            <Button tone="primary" onPress={reply} isPending={busy}>
              {text.sync.postAsReply}
            </Button>
          )}
          {item.kind === 'quiz' && item.detail !== 'cancel' && (
            <Button tone="primary" onPress={handInAnew} isPending={busy}>
              {text.sync.handInAnew}
            </Button>
          )}
          <Button
            tone={isTooLate || item.kind === 'quiz' ? 'plain' : 'primary'}
            onPress={retry}
            isPending={busy}
          >
            {text.sync.retry}
          </Button>
          {canEdit && <Button onPress={() => setIsEditing(true)}>{text.sync.edit}</Button>}
          {item.kind === 'guide' && item.guideid !== null && item.call.method !== 'DELETE' && (
            <ButtonLink href={`/guides/${item.guideid}/edit`}>{text.sync.edit}</ButtonLink>
          )}
          {item.kind === 'page' && item.wikiid !== null && item.call.method !== 'DELETE' && (
            <ButtonLink href={`/pages/${encodeURIComponent(item.wikiid)}/edit`}>{text.sync.edit}</ButtonLink>
          )}
          {item.kind === 'profile' && <ButtonLink href="/profile">{text.sync.edit}</ButtonLink>}
          <Button onPress={() => act(async () => saveFile(await actions.exportCall(item.id)))}>
            {text.sync.export}
          </Button>
          <Button onPress={() => setIsDiscarding(true)}>{text.sync.discard}</Button>
        </div>
      )}
      <ConfirmDialog
        title={text.sync.discardTitle(item.subject)}
        isOpen={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        confirmLabel={text.sync.discard}
        cancelLabel={text.sync.keep}
        onConfirm={discard}
      >
        {text.sync.discardBody}
      </ConfirmDialog>
    </>
  );
}

/** A comment may be changed for five minutes; the server forbids it afterwards. */
function isLateCorrection({ kind, call, refusal }: ActivityItem): boolean {
  return kind === 'comment' && call.method === 'PATCH' && refusal?.status === 403;
}

function Refusal({ item: { refusal } }: { item: ActivityItem }) {
  if (refusal === null) return null;
  return (
    <div className={classNames(styles, 'refusal')}>
      <Notice tone="danger" title={refusal.message}>
        {refusal.errors.length > 0 && (
          <ul>
            {refusal.errors.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <strong>{field}</strong>: {message}
              </li>
            ))}
          </ul>
        )}
        {refusal.status > 0 && (
          <p className={classNames(styles, 'note')}>{text.sync.refusalStatus(refusal.status)}</p>
        )}
      </Notice>
    </div>
  );
}
