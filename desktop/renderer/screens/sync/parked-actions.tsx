import { useState } from 'react';

import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { problemStatus } from '#shared/api/problem.ts';

import styles from './activity-detail.module.css';
import { fieldName } from './activity-words.ts';
import { EditCall, editablePartsOf } from './edit-call.tsx';

/** A parked call: the server's reason, and the possible actions. Nothing is removed without a decision. */
export function ParkedActions({ item }: { item: ActivityItem }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [isEditing, setIsEditing] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const discard = () =>
    act(async () => {
      await actions.discardCall(item.id);
      showToast(text.sync.discarded);
    });
  return (
    <>
      <Refusal item={item} />
      {isLateCorrection(item) && <p className={classNames(styles, 'note')}>{text.sync.tooLateHint}</p>}
      {isEditing ? (
        <EditCall item={item} onClose={() => setIsEditing(false)} />
      ) : (
        <div className={classNames(styles, 'actions')}>
          {!item.isUnreadable && <SendAgain item={item} />}
          {editablePartsOf(item) !== null && (
            <Button onPress={() => setIsEditing(true)}>{text.sync.edit}</Button>
          )}
          {!item.isUnreadable && <EditLink item={item} />}
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

/** The ways to send a call again, most likely first: edited where that is possible, or unchanged. */
function SendAgain({ item }: { item: ActivityItem }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const isTooLate = isLateCorrection(item);
  const isQuiz = item.kind === 'quiz';
  const isSecond = isSecondFollowUp(item);
  const send = (way: () => Promise<unknown>, words: string) =>
    act(async () => {
      await way();
      showToast(words);
    });
  return (
    <>
      {isTooLate && (
        <Button
          tone="primary"
          onPress={() => send(() => actions.postAsReply(item.id), text.sync.postedAsReply)}
          isPending={busy}
        >
          {text.sync.postAsReply}
        </Button>
      )}
      {isQuiz && item.detail !== 'cancel' && (
        <Button
          tone="primary"
          onPress={() => send(() => actions.handInAnew(item.id), text.sync.handedInAnew)}
          isPending={busy}
        >
          {text.sync.handInAnew}
        </Button>
      )}
      {isSecond && (
        <Button
          tone="primary"
          onPress={() => send(() => actions.planAsOwnOrder(item.id), text.followUps.plannedAsOwn)}
          isPending={busy}
        >
          {text.followUps.planAsOwn}
        </Button>
      )}
      <Button
        tone={isTooLate || isQuiz || isSecond ? 'plain' : 'primary'}
        onPress={() => send(() => actions.retryCall(item.id), text.sync.sentAgain)}
        isPending={busy}
      >
        {text.sync.retry}
      </Button>
    </>
  );
}

/** Link to the screen where the refused text was written, if it has one. */
function EditLink({ item: { kind, guideid, wikiid, call } }: { item: ActivityItem }) {
  const isThere = call.method !== 'DELETE';
  if (kind === 'guide' && guideid !== null && isThere)
    return <ButtonLink href={`/guides/${guideid}/edit`}>{text.sync.edit}</ButtonLink>;
  if (kind === 'page' && wikiid !== null && isThere)
    return <ButtonLink href={`/pages/${encodeURIComponent(wikiid)}/edit`}>{text.sync.edit}</ButtonLink>;
  return kind === 'profile' ? <ButtonLink href="/profile">{text.sync.edit}</ButtonLink> : null;
}

/** Comments can be changed for five minutes; after that the server answers 403. */
function isLateCorrection({ kind, call, refusal }: ActivityItem): boolean {
  return kind === 'comment' && call.method === 'PATCH' && refusal?.status === 403;
}

/** A follow-up order of a deviation that had one when it arrived. */
function isSecondFollowUp({ call, refusal }: ActivityItem): boolean {
  return refusal?.status === 409 && /^\/deviations\/[^/]+\/follow_up$/.test(call.path);
}

function Refusal({ item: { refusal } }: { item: ActivityItem }) {
  if (refusal === null) return null;
  return (
    <div className={classNames(styles, 'refusal')}>
      <Notice tone="danger" title={refusedWords(refusal.message, refusal.code ?? kindOf(refusal.status))}>
        {refusal.errors.length > 0 && (
          <ul>
            {refusal.errors.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <strong>{fieldName(field.split('.')[0] ?? '')}</strong>: {refusedWords(message, 'invalid')}
              </li>
            ))}
          </ul>
        )}
        {refusal.status > 0 && (
          <Disclosure summary={text.app.supportDetails}>
            <p className={classNames(styles, 'note')}>
              {[text.sync.refusalStatus(refusal.status), ...refusal.errors.map(({ field }) => field)].join(
                ' · ',
              )}
            </p>
          </Disclosure>
        )}
      </Notice>
    </div>
  );
}

/** The kind of a refusal of a server that names no code. */
function kindOf(status: number): string | undefined {
  return Object.entries(problemStatus).find(([, known]) => known === status)?.[0];
}
