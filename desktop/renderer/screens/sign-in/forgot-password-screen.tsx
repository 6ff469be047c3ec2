import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer, isAddress, withScheme } from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { SheetForm } from './sheet-form.tsx';
import { Sheet } from './sheet.tsx';

/** Requests a link that sets a new password. */
export function ForgotPasswordScreen() {
  const session = useLive('session');
  const [sent, setSent] = useState(false);
  return (
    <Sheet title={text.signIn.forgotTitle} lead={text.signIn.forgotLead}>
      <div role="status">
        {sent && (
          <Notice tone="info" title={text.signIn.linkSent}>
            {text.signIn.linkSentHint}
          </Notice>
        )}
      </div>
      {!sent && (
        <ForgotPasswordForm
          first={session.server ?? session.servers[0] ?? defaultServer()}
          onSent={() => setSent(true)}
        />
      )}
      <ButtonLink tone="quiet" href="/sign-in">
        {text.signIn.backToSignIn}
      </ButtonLink>
    </Sheet>
  );
}

function ForgotPasswordForm({ first, onSent }: { first: string; onSent: () => void }) {
  const actions = useActions();
  const [server, setServer] = useState(first);
  const [email, setEmail] = useState('');
  const [errors, setErrors] = useState<{ server?: string; email?: string }>({});
  const check = () => {
    const found = {
      ...(isAddress(server) ? {} : { server: text.signIn.needServer }),
      ...(email.trim() === '' ? { email: text.signIn.needEmail } : {}),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  const send = async () => {
    await actions.forgotPassword(withScheme(server), email.trim());
    onSent();
  };
  return (
    <SheetForm
      check={check}
      send={send}
      failedTitle={text.signIn.sendFailed}
      failureWords={(error) => errorMessage(error)}
      submitLabel={text.signIn.sendLink}
    >
      <TextField
        label={text.signIn.server}
        kind="url"
        value={server}
        onChange={setServer}
        error={errors.server}
      />
      <TextField
        label={text.signIn.email}
        kind="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
        autoFocus
        error={errors.email}
      />
    </SheetForm>
  );
}
