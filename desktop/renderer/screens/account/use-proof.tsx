import { useEffect, useRef, useState, type ReactNode } from 'react';

import type { GivenProof } from '#desktop/engine/api/account.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { accountText } from '#desktop/renderer/text/en/account.ts';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { storeSignOn } from '../approvals/stored-sign-on.ts';
import { Proof, ProveButton } from '../approvals/proof.tsx';
import { useOffersSignOn, useSignOn } from '../approvals/use-sign-on.ts';
import { errorOf } from '../approvals/use-signing.ts';

/**
 * Sends a change with a proof of identity. Errors about the proof are shown at its field; other errors go to the
 * caller.
 */
type Send = (proof: GivenProof) => Promise<void>;

interface Question {
  send: Send;
  refused: (error: unknown) => void;
  about?: ProofAbout | undefined;
  /** Whether what is shown with the proof is complete; it then says what is missing. */
  isComplete?: () => boolean;
}

/** What a person proves their identity for. */
export interface ProofAbout {
  title: string;
  /** Shown above the proof. */
  lead: ReactNode;
  confirm: string;
  /** Said without a connection. */
  offline: string;
}

/** Storage key for sign-ons that confirm account changes; no approval request has this number. */
const noRequest = 0;

const ofChange: ProofAbout = {
  title: accountText.proofTitle,
  lead: <p>{accountText.proofLead}</p>,
  confirm: accountText.confirm,
  offline: text.training.needsServer,
};

/**
 * Asks for a proof of identity before a change that a session alone does not permit. The password is kept while the
 * dialog is open. `refused`: called with errors about the change itself.
 */
export function useProof(): {
  ask: (send: Send, refused: (error: unknown) => void, about?: ProofAbout) => void;
  question: ReactNode;
} {
  const [asked, setAsked] = useState<Question | null>(null);
  return {
    ask: (send, refused, about) => setAsked({ send, refused, about }),
    question: asked === null ? null : <ProofDialog question={asked} onClose={() => setAsked(null)} />,
  };
}

/** The question itself, for forms that are shown with it. */
export function ProofDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  const isOffline = useLive('syncState').connection === 'offline';
  const offersSignOn = useOffersSignOn(isOffline);
  const { home } = useLive('session');
  const signOn = useSignOn(home, noRequest);
  const { once, busy } = useAsyncAction();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const { state } = signOn;
  const { title, lead, confirm: confirmWords, offline } = question.about ?? ofChange;
  const form = useRef<HTMLFormElement>(null);
  // Moves the focus to a refused value, so that it can be typed again.
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const confirm = () => {
    const isConfirmed = state.kind === 'confirmed';
    setError(isConfirmed || password !== '' ? undefined : accountText.needProof);
    const isComplete = question.isComplete?.() !== false;
    if (!isComplete || (!isConfirmed && password === '')) return;
    once(async () => {
      try {
        await question.send(isConfirmed ? { signOnid: state.id } : { password });
        storeSignOn(home, noRequest, null);
        onClose();
      } catch (failure) {
        setPassword('');
        const wrong = errorOf(failure, ['current_password']);
        const isOver = errorOf(failure, ['sign_on_token', 'sign_onid']);
        if (wrong !== undefined) setError(wrong);
        else if (isOver !== undefined) signOn.end(isOver);
        else {
          onClose();
          question.refused(failure);
        }
      }
    });
  };
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={confirmWords}
      onSubmit={confirm}
      isPending={busy}
      form={form}
      mainButton={
        <ProveButton signOn={signOn} isOffline={isOffline} onPress={confirm} isPending={busy}>
          {confirmWords}
        </ProveButton>
      }
    >
      {isOffline && <Notice tone="info" title={offline} />}
      {lead}
      <Proof
        words={accountText.proof}
        isAlone
        password={password}
        onPassword={setPassword}
        error={error}
        isOffline={isOffline}
        signOn={signOn}
        offersSignOn={offersSignOn}
        onSignOn={signOn.begin}
      />
    </FormDialog>
  );
}
