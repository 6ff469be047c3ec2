import { useState, type FormEvent } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer } from '#desktop/renderer/platform/origin.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { wordsOf } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { withScheme } from './server-address.ts';
import { Sheet } from './sheet.tsx';
import styles from './sign-in-screen.module.css';

/** Where a person asks for a link that sets a new password. */
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
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const found = {
      ...(URL.canParse(withScheme(server)) && server.trim() !== '' ? {} : { server: text.signIn.needServer }),
      ...(email.trim() === '' ? { email: text.signIn.needEmail } : {}),
    };
    setErrors(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await actions.forgotPassword(withScheme(server), email.trim());
      onSent();
    } catch (error) {
      setFailure(error instanceof TypeError ? text.signIn.unreachable(server) : wordsOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className={classNames(styles, 'form')}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure !== null && (
        <Notice tone="danger" title={text.signIn.sendFailed}>
          {failure}
        </Notice>
      )}
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
      <Button type="submit" tone="primary" size="large" wide isPending={busy}>
        {text.signIn.sendLink}
      </Button>
    </form>
  );
}
