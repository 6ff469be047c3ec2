import { useState } from 'react';

import type { GivenProof } from '#desktop/engine/api/account.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountText } from '#desktop/renderer/text/en/account.ts';
import { mailLanguageText } from '#desktop/renderer/text/en/mail-language.ts';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { profileEdit } from '#shared/api/users.ts';

import { errorOf } from '../approvals/use-signing.ts';
import styles from '../settings/settings-screen.module.css';
import { NotPermitted } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { StationAccess } from '../stations/station-access.tsx';
import { OwnMailLanguage } from './mail-language.tsx';
import { SignIns } from './sign-ins.tsx';
import { useProof } from './use-proof.tsx';

/** The person's sign-in: email address, password and open sessions. */
export function AccountScreen() {
  const { user } = useLive('session');
  if (user === null || user.privileges.includes('Kiosk')) return <NotPermitted href="/settings" />;
  return (
    <Page title={accountText.title} lead={accountText.lead}>
      <div className={classNames(styles, 'settings')}>
        <SectionCard title={accountText.password}>
          <PasswordForm />
        </SectionCard>
        <SectionCard title={accountText.address}>
          <p className={classNames(styles, 'facts')}>{accountText.addressLead}</p>
          <AddressForm />
        </SectionCard>
        <SectionCard title={mailLanguageText.title}>
          <p className={classNames(styles, 'facts')}>{mailLanguageText.lead}</p>
          <OwnMailLanguage />
        </SectionCard>
        <SectionCard title={stationAdminText.access}>
          <StationAccess userid={user.userid} isOwn />
        </SectionCard>
        <SectionCard title={accountText.signIns}>
          <p className={classNames(styles, 'facts')}>{accountText.signInsLead}</p>
          <SignIns userid={user.userid} isOwn />
        </SectionCard>
      </div>
    </Page>
  );
}

const mustSetPassword = (actions: Actions) => actions.mustSetPassword();

function PasswordForm() {
  const actions = useActions();
  const mustSet = useServerValue(mustSetPassword);
  return (
    <>
      {mustSet.value === true && (
        <Notice tone="warn" title={accountText.mustSet}>
          {accountText.mustSetHint}
        </Notice>
      )}
      <ChangeForm
        field="password"
        label={accountText.newPassword}
        hint={accountText.newPasswordHint}
        missing={text.signIn.needNewPassword}
        submitLabel={accountText.savePassword}
        send={(password, proof) => actions.changePassword(password, proof)}
        onSaved={() => {
          showToast(accountText.passwordSaved);
          mustSet.reload();
        }}
      />
    </>
  );
}

function AddressForm() {
  const actions = useActions();
  return (
    <ChangeForm
      field="email"
      label={accountText.newAddress}
      missing={accountText.needAddress}
      submitLabel={accountText.saveAddress}
      send={(email, proof) => actions.changeAddress(email, proof)}
      onSaved={() => showToast(accountText.addressSaved)}
    />
  );
}

interface ChangeFormProps {
  field: 'password' | 'email';
  label: string;
  hint?: string;
  /** Error message when the value is empty or invalid. */
  missing: string;
  submitLabel: string;
  send: (value: string, proof: GivenProof) => Promise<void>;
  onSaved: () => void;
}

/** A field that changes how the person signs in, with the proof of identity. */
function ChangeForm({ field, label, hint, missing, submitLabel, send, onSaved }: ChangeFormProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const proof = useProof();
  const submit = () => {
    const value = field === 'email' ? typed.trim() : typed;
    const isRight = profileEdit.shape[field].safeParse(value).success && value !== '';
    setError(isRight ? undefined : missing);
    if (!isRight) return;
    proof.ask(
      async (given) => {
        await send(value, given);
        setTyped('');
        onSaved();
      },
      (failure) => setError(errorOf(failure, [field]) ?? errorMessage(failure)),
    );
  };
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <TextField
            label={label}
            {...(hint !== undefined && { hint })}
            kind={field}
            value={typed}
            onChange={setTyped}
            autoComplete={field === 'password' ? 'new-password' : 'email'}
            error={error}
          />
          <div>
            <Button type="submit">{submitLabel}</Button>
          </div>
        </Stack>
      </form>
      {proof.question}
    </>
  );
}
