import { useEffect, useState } from 'react';

import type { GuideApprovalView } from '#desktop/engine/views/approval-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { keepSignOn } from './kept-sign-on.ts';
import { keepPrepared, readPrepared, type Prepared } from './prepared.ts';
import { Proof } from './proof.tsx';
import { useSignOn } from './use-sign-on.ts';

const decisionOf = { approved: 'approve', reviewed: 'review' } as const;

interface SignDialogProps {
  title: string;
  mine: NonNullable<GuideApprovalView['mine']>;
  onClose: () => void;
}

/**
 * Signs with the password, or with a single sign-on where the site has one. What is decided is kept on this device until
 * it is signed, so that it can be prepared without a network; the password lives in this dialog only.
 */
export function SignDialog({ title, mine, onClose }: SignDialogProps) {
  const actions = useActions();
  const { act, busy } = useAct();
  const { user } = useLive('session');
  const isOffline = useLive('syncState').connection === 'offline';
  const userid = user?.userid ?? 0;
  const [decided, setDecided] = useState<Prepared>(
    () => readPrepared(userid, mine.requestid) ?? { decision: decisionOf[mine.meaning], comment: '' },
  );
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ comment?: string; password?: string }>({});
  const change = (part: Partial<Prepared>) => {
    const next = { ...decided, ...part };
    setDecided(next);
    keepPrepared(userid, mine.requestid, next);
  };
  const signOn = useSignOn(userid, mine.requestid);
  const offersSignOn = useOffered(isOffline);
  const { state } = signOn;
  const isRejection = decided.decision === 'reject';
  const isComplete = (needsPassword: boolean) => {
    const found = {
      ...(isRejection && decided.comment.trim() === '' && { comment: text.approvals.needComment }),
      ...(needsPassword && password === '' && { password: text.approvals.needPassword }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  const decision = { ...decided, revisionHash: mine.hash };
  /** False: who signs was not proved; it is said where they prove it. */
  const signed = async (): Promise<boolean> => {
    try {
      if (state.kind === 'confirmed') await actions.signApprovalBySignOn(mine.requestid, decision, state.id);
      else await actions.signApproval(mine.requestid, decision, password);
      return true;
    } catch (error) {
      setPassword('');
      const wrong = errorOf(error, ['password']);
      const isOver = errorOf(error, ['token', 'sign_onid']);
      if (wrong !== undefined) setErrors({ password: wrong });
      else if (isOver !== undefined) signOn.end(isOver);
      else throw error;
      return false;
    }
  };
  const sign = () => {
    if (!isComplete(state.kind !== 'confirmed')) return;
    act(async () => {
      if (!(await signed())) return;
      keepPrepared(userid, mine.requestid, null);
      keepSignOn(userid, mine.requestid, null);
      showToast(text.approvals.signed);
      onClose();
    });
  };
  const beginSignOn = () => {
    if (!isComplete(false)) return;
    // What is decided outlives this page, should the identity provider take its place.
    change({});
    signOn.begin();
  };
  return (
    <Dialog
      title={text.approvals.signTitle(title)}
      isOpen
      onClose={onClose}
      size="medium"
      closeLabel={text.app.cancel}
      actions={
        <>
          <Button onPress={onClose}>{text.approvals.keep}</Button>
          <Button
            key={state.kind === 'confirmed' ? 'last' : 'not-yet'}
            autoFocus={state.kind === 'confirmed'}
            tone={isRejection ? 'danger' : 'primary'}
            onPress={sign}
            isPending={busy}
            isDisabled={isOffline || state.kind === 'beginning' || state.kind === 'waiting'}
          >
            {text.approvals.sign}
          </Button>
        </>
      }
    >
      <Stack>
        {isOffline && (
          <Notice tone="info" title={text.approvals.offline}>
            {text.approvals.offlineHint}
          </Notice>
        )}
        <p>{text.approvals.signFor(mine.stage)}</p>
        <SegmentedField
          label={text.approvals.decision}
          segments={[
            {
              id: decisionOf[mine.meaning],
              name: text.approvals.decisions[decisionOf[mine.meaning]],
              meaning: 'good',
            },
            { id: 'reject', name: text.approvals.decisions.reject, meaning: 'bad' },
          ]}
          value={decided.decision}
          onChange={(id) => change({ decision: id === 'reject' ? 'reject' : decisionOf[mine.meaning] })}
        />
        <TextField
          kind="long"
          label={isRejection ? text.approvals.commentNeeded : text.approvals.comment}
          hint={text.approvals.commentHint}
          value={decided.comment}
          onChange={(comment) => change({ comment })}
          isRequired={isRejection}
          {...(errors.comment !== undefined && { error: errors.comment })}
        />
        <Proof
          password={password}
          onPassword={setPassword}
          error={errors.password}
          isOffline={isOffline}
          signOn={signOn}
          offersSignOn={offersSignOn}
          onSignOn={beginSignOn}
        />
      </Stack>
    </Dialog>
  );
}

/** Whether the site has a single sign-on; not before the server has said so. */
function useOffered(isOffline: boolean): boolean {
  const actions = useActions();
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    if (isOffline) return undefined;
    let isHere = true;
    actions.offersSignOn().then(
      (found) => isHere && setIsOffered(found),
      // The password works without knowing it.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [actions, isOffline]);
  return isOffered;
}

/** What the server says is wrong with one of these fields. */
function errorOf(error: unknown, fields: readonly string[]): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  return error.details.errors?.find(({ field }) => fields.includes(field))?.message;
}
