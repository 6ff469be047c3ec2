import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { enrolText } from '#desktop/renderer/text/en/station-enrolment.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { exitCodeLength } from '#shared/rules/stations.ts';

import styles from './leave-dialog.module.css';

/**
 * Ends station mode, with the exit code or the password of an administrator; without either only where the station is shut
 * out.
 */
export function LeaveDialog({ isShutOut, onClose }: { isShutOut: boolean; onClose: () => void }) {
  const actions = useActions();
  const { once, busy } = useAsyncAction();
  const hasCode = useLive('station')?.hasExitCode === true;
  const [isByCode, setByCode] = useState(hasCode);
  const [code, setCode] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const isComplete = isByCode
    ? code.replaceAll(/\s/g, '').length === exitCodeLength
    : email.trim() !== '' && password !== '';
  const leave = () => {
    setFailure(null);
    if (!isShutOut && !isComplete) return setFailure(isByCode ? enrolText.needExitCode : enrolText.needBoth);
    once(async () => {
      try {
        const proof = isByCode ? { code } : { email: email.trim(), password };
        await actions.leaveStation(isShutOut ? null : proof);
      } catch (error) {
        setCode('');
        setPassword('');
        setFailure(errorMessage(error));
      }
    });
  };
  return (
    <FormDialog
      title={enrolText.leaveTitle}
      size="medium"
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={enrolText.leave}
      tone="danger"
      onSubmit={leave}
      isPending={busy}
      other={
        hasCode &&
        !isShutOut && (
          <Button
            tone="quiet"
            onPress={() => {
              setFailure(null);
              setByCode(!isByCode);
            }}
          >
            {isByCode ? enrolText.byPassword : enrolText.byCode}
          </Button>
        )
      }
    >
      <p>{enrolText.leaveLead}</p>
      {failure !== null && <Notice tone="danger" title={failure} />}
      {!isShutOut &&
        (isByCode ? (
          <TextField
            key="code"
            label={enrolText.exitCode}
            hint={enrolText.exitCodeHint}
            kind="numeric"
            value={code}
            onChange={setCode}
            autoFocus
          />
        ) : (
          <>
            <p>{enrolText.leaveProof}</p>
            <div className={classNames(styles, 'pair')}>
              <TextField label={text.signIn.email} kind="email" value={email} onChange={setEmail} autoFocus />
              <TextField
                label={text.signIn.password}
                kind="password"
                value={password}
                onChange={setPassword}
              />
            </div>
          </>
        ))}
    </FormDialog>
  );
}
