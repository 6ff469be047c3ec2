import { useEffect, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer } from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { redeemText } from '#desktop/renderer/text/en/account-admin.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { fieldErrorMessage } from '#desktop/renderer/use-async-action.ts';

import { SheetForm } from './sheet-form.tsx';
import { Sheet } from './sheet.tsx';

/** Minimum length of passwords on the server. */
const shortest = 10;

/**
 * Sets a password with a printed code. The QR code of the sheet leads here.
 *
 * - ADMIN-15 A person with a printed code chooses a password at this page, and reads with which address to sign in.
 */
export function RedeemScreen() {
  const [scanned] = useState(() => location.hash.slice(1));
  const [email, setEmail] = useState<string | null>();
  // The code must not stay in the address and the history, where others could read it.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return (
    <Sheet title={redeemText.title} lead={redeemText.lead}>
      <div role="status">
        {email !== undefined && (
          <Notice tone="info" title={redeemText.done}>
            {email === null ? redeemText.doneHintWithout : redeemText.doneHint(email)}
          </Notice>
        )}
      </div>
      {email === undefined && <RedeemForm scanned={scanned} onSaved={setEmail} />}
      <ButtonLink
        tone={email === undefined ? 'quiet' : 'primary'}
        size={email === undefined ? 'normal' : 'large'}
        href="/sign-in"
      >
        {text.signIn.title}
      </ButtonLink>
    </Sheet>
  );
}

function RedeemForm({ scanned, onSaved }: { scanned: string; onSaved: (email: string | null) => void }) {
  const actions = useActions();
  const [server, setServer] = useState(defaultServer);
  const [code, setCode] = useState(scanned);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ code?: string; password?: string; server?: string }>({});
  const check = () => {
    const found = {
      ...(server.trim() === '' && { server: text.signIn.needServer }),
      ...(code.trim() === '' && { code: redeemText.needCode }),
      ...(password.length < shortest && { password: text.signIn.needNewPassword }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  return (
    <SheetForm
      check={check}
      send={async () => onSaved(await actions.redeemCode(server, code, password))}
      failedTitle={redeemText.failed}
      failureWords={fieldErrorMessage}
      submitLabel={redeemText.save}
    >
      {/* In a browser the server is that of the page. */}
      {defaultServer() === '' && (
        <TextField label={text.signIn.server} value={server} onChange={setServer} error={errors.server} />
      )}
      <TextField
        label={redeemText.code}
        hint={redeemText.codeHint}
        value={code}
        onChange={setCode}
        autoFocus={scanned === ''}
        error={errors.code}
      />
      <TextField
        label={text.signIn.newPassword}
        hint={text.signIn.newPasswordHint}
        kind="password"
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        autoFocus={scanned !== ''}
        error={errors.password}
      />
    </SheetForm>
  );
}
