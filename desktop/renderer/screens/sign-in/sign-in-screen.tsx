import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer, isInsecureOrigin } from '#desktop/renderer/platform/origin.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { wordsOf } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { LossNotice } from '../shell/loss-notice.tsx';
import { withScheme } from './server-address.ts';
import { Sheet } from './sheet.tsx';
import styles from './sign-in-screen.module.css';

interface Errors {
  server?: string;
  email?: string;
  password?: string;
}

/** Where a person says which server and who they are. */
export function SignInScreen() {
  const session = useLive('session');
  return (
    <Sheet title={text.signIn.title} lead={text.signIn.lead}>
      {isInsecureOrigin() && (
        <Notice tone="warn" title={text.signIn.insecure}>
          {text.signIn.insecureHint}
        </Notice>
      )}
      <LossNotice />
      {session.status === 'expired' && (
        <Notice tone="info" title={text.signIn.expired}>
          {text.signIn.expiredHint}
        </Notice>
      )}
      <SignInForm first={session.server} servers={session.servers} />
    </Sheet>
  );
}

function SignInForm({ first, servers }: { first: string | null; servers: readonly string[] }) {
  const actions = useActions();
  const [path, navigate] = useLocation();
  const [server, setServer] = useState(first ?? servers[0] ?? defaultServer());
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const found = findErrors(server, email, password);
    setErrors(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await actions.signIn(withScheme(server), email.trim(), password);
      if (path === '/sign-in') navigate('/');
    } catch (error) {
      setFailure(failureWords(error, server));
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
        <Notice tone="danger" title={text.signIn.failed}>
          {failure}
        </Notice>
      )}
      <ComboField
        label={text.signIn.server}
        hint={text.signIn.serverHint}
        choices={servers.map((address) => ({ id: address, name: address }))}
        input={server}
        onInput={setServer}
        onChoose={(address) => {
          if (address !== null) setServer(address);
        }}
        allowsOther
        kind="url"
        emptyText={text.signIn.noServers}
        openLabel={text.signIn.knownServers}
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
      <TextField
        label={text.signIn.password}
        kind="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={errors.password}
      />
      <Button type="submit" tone="primary" size="large" wide isPending={busy}>
        {text.signIn.submit}
      </Button>
      <ButtonLink tone="quiet" href="/forgot-password">
        {text.signIn.forgot}
      </ButtonLink>
    </form>
  );
}

function failureWords(error: unknown, server: string): string {
  if (error instanceof TypeError) return text.signIn.unreachable(server);
  if (error instanceof Problem && error.kind === 'unauthorized') return text.signIn.wrong;
  return wordsOf(error);
}

function findErrors(server: string, email: string, password: string): Errors {
  const errors: Errors = {};
  if (!URL.canParse(withScheme(server)) || server.trim() === '') errors.server = text.signIn.needServer;
  if (email.trim() === '') errors.email = text.signIn.needEmail;
  if (password === '') errors.password = text.signIn.needPassword;
  return errors;
}
