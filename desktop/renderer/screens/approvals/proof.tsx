import { KeyRound } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import styles from './approvals.module.css';
import type { SignOn } from './use-sign-on.ts';

interface ProofProps {
  password: string;
  onPassword: (password: string) => void;
  /** What is wrong with the password. */
  error: string | undefined;
  isOffline: boolean;
  signOn: SignOn;
  offersSignOn: boolean;
  onSignOn: () => void;
}

/** How a person proves that it is they who sign: by their password, or by a single sign-on where there is one. */
export function Proof(props: ProofProps) {
  const { signOn, isOffline, offersSignOn } = props;
  const { state } = signOn;
  return (
    <div className={classNames(styles, 'proof')}>
      <div role="status">
        <SignOnNews signOn={signOn} />
      </div>
      {state.kind !== 'waiting' && state.kind !== 'confirmed' && (
        <>
          <TextField
            kind="password"
            label={text.approvals.password}
            hint={text.approvals.passwordHint}
            value={props.password}
            onChange={props.onPassword}
            autoComplete="current-password"
            isDisabled={isOffline}
            autoFocus={state.kind === 'none' && state.isOver}
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
              <p className={classNames(styles, 'note')}>{text.approvals.signOnHint}</p>
            </>
          )}
        </>
      )}
    </div>
  );
}

/** What a keyboard goes on with; the button that led here is gone. */
function focusFirst(element: HTMLElement | null): void {
  element?.focus();
}

/** How the single sign-on stands. */
function SignOnNews({ signOn: { state, end } }: { signOn: SignOn }) {
  if (state.kind === 'waiting')
    return (
      <Notice tone="info" title={text.approvals.signOnWaiting}>
        <p>{text.approvals.signOnWaitingHint}</p>
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
        {text.approvals.signOnConfirmedHint}
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
