import { useState } from 'react';

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

import { keepPrepared, readPrepared, type Prepared } from './prepared.ts';

const decisionOf = { approved: 'approve', reviewed: 'review' } as const;

interface SignDialogProps {
  title: string;
  mine: NonNullable<GuideApprovalView['mine']>;
  onClose: () => void;
}

/**
 * Signs with the password. What is decided is kept on this device until it is signed, so that it can be prepared without
 * a network; the password lives in this dialog only.
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
  const isRejection = decided.decision === 'reject';
  const sign = () => {
    const found = {
      ...(isRejection && decided.comment.trim() === '' && { comment: text.approvals.needComment }),
      ...(password === '' && { password: text.approvals.needPassword }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    act(async () => {
      try {
        await actions.signApproval(mine.requestid, { ...decided, revisionHash: mine.hash }, password);
      } catch (error) {
        const wrong = passwordError(error);
        setPassword('');
        if (wrong === undefined) throw error;
        setErrors({ password: wrong });
        return;
      }
      keepPrepared(userid, mine.requestid, null);
      showToast(text.approvals.signed);
      onClose();
    });
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
            tone={isRejection ? 'danger' : 'primary'}
            onPress={sign}
            isPending={busy}
            isDisabled={isOffline}
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
        <TextField
          kind="password"
          label={text.approvals.password}
          hint={text.approvals.passwordHint}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          isDisabled={isOffline}
          {...(errors.password !== undefined && { error: errors.password })}
        />
      </Stack>
    </Dialog>
  );
}

function passwordError(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  return error.details.errors?.find(({ field }) => field === 'password')?.message;
}
