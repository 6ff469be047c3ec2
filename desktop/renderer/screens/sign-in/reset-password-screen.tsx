import { useEffect, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer } from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { fieldErrorMessage } from '#desktop/renderer/use-async-action.ts';

import { SheetForm } from './sheet-form.tsx';
import { Sheet } from './sheet.tsx';

/** Minimum length of passwords on the server. */
const shortest = 10;

/** Sets a new password. The link in the mail leads here. */
export function ResetPasswordScreen() {
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '');
  const [saved, setSaved] = useState(false);
  // The token must not stay in the address and the history, where others could read it.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return (
    <Sheet title={text.signIn.resetTitle} lead={text.signIn.resetLead}>
      <div role="status">{saved && <Notice tone="info" title={text.signIn.passwordSaved} />}</div>
      {token === '' && (
        <Notice tone="warn" title={text.signIn.noToken}>
          {text.signIn.noTokenHint}
        </Notice>
      )}
      {token !== '' && !saved && <ResetPasswordForm token={token} onSaved={() => setSaved(true)} />}
      {saved ? (
        <ButtonLink tone="primary" size="large" href="/sign-in">
          {text.signIn.title}
        </ButtonLink>
      ) : (
        <ButtonLink tone="quiet" href="/forgot-password">
          {text.signIn.askAgain}
        </ButtonLink>
      )}
    </Sheet>
  );
}

function ResetPasswordForm({ token, onSaved }: { token: string; onSaved: () => void }) {
  const actions = useActions();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const check = () => {
    const isShort = password.length < shortest;
    setError(isShort ? text.signIn.needNewPassword : undefined);
    return !isShort;
  };
  const send = async () => {
    await actions.resetPassword(defaultServer(), token, password);
    onSaved();
  };
  return (
    <SheetForm
      check={check}
      send={send}
      failedTitle={text.signIn.resetFailed}
      failureWords={fieldErrorMessage}
      submitLabel={text.signIn.savePassword}
    >
      <TextField
        label={text.signIn.newPassword}
        hint={text.signIn.newPasswordHint}
        kind="password"
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        autoFocus
        error={error}
      />
    </SheetForm>
  );
}
