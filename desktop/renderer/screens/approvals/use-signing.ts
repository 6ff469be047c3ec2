import { useState } from 'react';

import type { GuideApprovalView, PreparedDecision } from '#desktop/engine/api/approval-records.ts';
import type { SignedDecision } from '#desktop/engine/api/sign-on.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { storeSignOn } from './stored-sign-on.ts';
import { useSignOn } from './use-sign-on.ts';

/** A signature that this person is asked for. */
export type AskedSignature = NonNullable<GuideApprovalView['mine']>;

/** The decision that each meaning of a signature stands for. */
export const decisionOf = { approved: 'approve', reviewed: 'review' } as const;

/**
 * State of a signature dialog. Nothing is chosen beforehand (APPROVAL-APP-1). The decision is stored on this device until it is signed; the password is kept only
 * while the dialog is open. `onDone`: called after signing.
 */
export function useSigning(mine: AskedSignature, onDone: () => void) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { act: keep } = useAsyncAction();
  const { home } = useLive('session');
  const prepared = useLive('preparedDecisions');
  const [decided, setDecided] = useState<PreparedDecision>(
    () => prepared.get(mine.requestid) ?? { decision: null, comment: '' },
  );
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ decision?: string; comment?: string; password?: string }>({});
  const signOn = useSignOn(home, mine.requestid);
  const { state } = signOn;
  const isRejection = decided.decision === 'reject';
  const change = (part: Partial<PreparedDecision>) => {
    const next = { ...decided, ...part };
    setDecided(next);
    keep(() => actions.prepareDecision(mine.requestid, next));
  };
  const isComplete = (needsPassword: boolean) => {
    const found = {
      ...(decided.decision === null && { decision: text.approvals.needDecision }),
      ...(isRejection && decided.comment.trim() === '' && { comment: text.approvals.needComment }),
      ...(needsPassword && password === '' && { password: text.approvals.needPassword }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  /** Returns false if the proof was refused; the error is then shown at the proof. */
  const signed = async (choice: SignedDecision['decision']): Promise<boolean> => {
    const decision = { ...decided, decision: choice, revisionHash: mine.hash };
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
  return {
    decided,
    change,
    isRejection,
    password,
    setPassword,
    errors,
    signOn,
    busy,
    sign: () => {
      const { decision } = decided;
      if (!isComplete(state.kind !== 'confirmed') || decision === null) return;
      act(async () => {
        if (!(await signed(decision))) return;
        await actions.prepareDecision(mine.requestid, null);
        storeSignOn(home, mine.requestid, null);
        showToast(text.approvals.signed);
        onDone();
      });
    },
    beginSignOn: () => {
      if (!isComplete(false)) return;
      // Stores the decision first, because the identity provider's page may replace this one.
      change({});
      signOn.begin();
    },
  };
}

/** The server's error about one of these fields. */
export function errorOf(error: unknown, fields: readonly string[]): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const found = error.details.errors?.find(({ field }) => fields.includes(field));
  return found && refusedWords(found.message, 'invalid');
}
