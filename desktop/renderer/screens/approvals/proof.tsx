import { KeyRound } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import styles from './approvals.module.css';
import type { SignOn } from './use-sign-on.ts';

/** The texts for the proof of a signature; other uses supply their own. */
const ofSignature = {
  password: text.approvals.password,
  passwordHint: text.approvals.passwordHint,
  signOnHint: text.approvals.signOnHint,
  signOnWaitingHint: text.approvals.signOnWaitingHint,
  signOnConfirmedHint: text.approvals.signOnConfirmedHint,
};

interface ProofProps {
  words?: typeof ofSignature;
  /** The dialog shows nothing but the proof. */
  isAlone?: boolean;
  password: string;
  onPassword: (password: string) => void;
  /** Error message at the password field. */
  error: string | undefined;
  isOffline: boolean;
  signOn: SignOn;
  offersSignOn: boolean;
  onSignOn: () => void;
}

/** Proof of identity for a signature: the password, or a single sign-on where the site has one. */
export function Proof(props: ProofProps) {
  const { signOn, isOffline, offersSignOn, words = ofSignature } = props;
  const { state } = signOn;
  return (
    <div className={classNames(styles, 'proof')}>
      <div role="status">
        <SignOnNews signOn={signOn} words={words} />
      </div>
      {state.kind !== 'waiting' && state.kind !== 'confirmed' && (
        <>
          <TextField
            kind="password"
            label={words.password}
            hint={words.passwordHint}
            value={props.password}
            onChange={props.onPassword}
            autoComplete="current-password"
            isDisabled={isOffline}
            autoFocus={props.isAlone === true || (state.kind === 'none' && state.isOver)}
            {...(props.error !== undefined && { error: props.error })}
          />
          {offersSignOn && (
            <>
              <p className={classNames(styles, 'or')}>{text.approvals.or}</p>
              <Button
                wide
                icon={<KeyRound aria-hidden="true" />}
                onPress={props.onSignOn}
                isDisabled={isOffline || state.kind === 'beginning'}
              >
                {text.approvals.signOn}
              </Button>
              <p className={classNames(styles, 'note')}>{words.signOnHint}</p>
            </>
          )}
        </>
      )}
    </div>
  );
}

interface ProveButtonProps {
  signOn: SignOn;
  isOffline: boolean;
  tone?: 'primary' | 'danger';
  isPending: boolean;
  onPress: () => void;
  children: string;
}

/** Submit button of the proof. It takes the focus when a single sign-on is confirmed. */
export function ProveButton({ signOn: { state }, isOffline, tone = 'primary', ...rest }: ProveButtonProps) {
  const isConfirmed = state.kind === 'confirmed';
  return (
    <Button
      key={isConfirmed ? 'last' : 'not-yet'}
      autoFocus={isConfirmed}
      tone={tone}
      isDisabled={isOffline || state.kind === 'beginning' || state.kind === 'waiting'}
      {...rest}
    />
  );
}

/** Moves the focus, because the button that had it is gone. */
function focusFirst(element: HTMLElement | null): void {
  element?.focus();
}

/** The state of the single sign-on. */
function SignOnNews({ signOn: { state, end }, words }: { signOn: SignOn; words: typeof ofSignature }) {
  if (state.kind === 'waiting')
    return (
      <Notice tone="info" title={text.approvals.signOnWaiting}>
        <p>{words.signOnWaitingHint}</p>
        <p className={classNames(styles, 'ways')}>
          <a
            className={classNames(styles, 'way')}
            href={state.signOn.url}
            ref={focusFirst}
            target="_blank"
            rel="noopener noreferrer"
          >
            {text.approvals.signOnOpen}
          </a>
          <Button tone="quiet" onPress={() => end(null)}>
            {text.approvals.signOnCancel}
          </Button>
        </p>
      </Notice>
    );
  if (state.kind === 'confirmed')
    return (
      <Notice tone="info" title={text.approvals.signOnConfirmed}>
        {words.signOnConfirmedHint}
      </Notice>
    );
  if (state.kind === 'none' && state.failure !== null)
    return (
      <Notice tone="warn" title={text.approvals.signOnFailed}>
        {state.failure}
      </Notice>
    );
  return null;
}
