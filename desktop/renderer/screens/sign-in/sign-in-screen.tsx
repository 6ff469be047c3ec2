import { Archive, MonitorCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';

import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';
import { useSignInActions } from '#desktop/renderer/engine-context.tsx';
import {
  defaultServer,
  isInsecureOrigin,
  isAddress,
  withScheme,
} from '#desktop/renderer/platform/server-address.ts';
import { CodeMissing } from '#desktop/renderer/first/code-missing.ts';
import type { ComingEngine, FirstState } from '#desktop/renderer/first/coming-engine.ts';
import { CodeMissingNotice } from '#desktop/renderer/first/code-missing-notice.tsx';
import { signInText } from '#desktop/renderer/text/en/sign-in.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction, errorMessage } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';

import { SheetForm } from './sheet-form.tsx';
import { Sheet } from './sheet.tsx';
import styles from './sign-in-screen.module.css';
import { SignOnEntry } from './sign-on-entry.tsx';
import { keepTyped, takeTyped, type Typed } from './kept-typed.ts';
import { leaveSignIn } from './left-sign-in.ts';
import { useSetupNeeded } from './use-setup-needed.ts';
import { useSignOnEntry } from './use-sign-on-entry.ts';

interface Errors {
  server?: string;
  email?: string;
  password?: string;
}

interface SignInScreenProps {
  state: FirstState;
  /** Loads the rest of the app. */
  onLoad: ComingEngine['open'];
}

/** The sign-in screen: server, account and password. */
export function SignInScreen({ state, onLoad }: SignInScreenProps) {
  const { session, opened, failure } = state;
  useEffect(() => leaveSignIn, []);
  const asked = new URLSearchParams(useSearch()).get('server');
  // Only servers that this device knows: a link must not choose where a password is sent.
  const wanted = session.elsewhere.find(({ server }) => server === asked)?.server ?? null;
  return (
    <Sheet title={signInText.title} lead={signInText.lead}>
      {isInsecureOrigin() && (
        <Notice tone="warn" title={signInText.insecure}>
          {signInText.insecureHint}
        </Notice>
      )}
      {session.status === 'expired' && (
        <Notice tone="info" title={signInText.expired}>
          {signInText.expiredHint}
        </Notice>
      )}
      {opened !== null && <opened.SignInNotices />}
      <EmptyServerNotice server={session.server ?? defaultServer()} />
      {/* Another requested server resets the form. */}
      <SignInForm
        key={asked}
        first={wanted ?? session.server}
        servers={session.servers}
        notice={(typed) =>
          failure instanceof CodeMissing && (
            <CodeMissingNotice onLoad={onLoad} onReload={() => keepTyped(typed)} />
          )
        }
      />
      <div className={classNames(styles, 'apart')}>
        <ButtonLink icon={<Archive aria-hidden="true" />} href="/archives">
          {signInText.archives}
        </ButtonLink>
        <p>{signInText.archivesHint}</p>
        <ButtonLink icon={<MonitorCheck aria-hidden="true" />} href="/enrol">
          {signInText.station}
        </ButtonLink>
        <p>{signInText.stationHint}</p>
      </div>
    </Sheet>
  );
}

/** Leads to the setup of a server that has no administrator yet. */
function EmptyServerNotice({ server }: { server: string }) {
  if (useSetupNeeded(server) !== true) return null;
  return (
    <Notice
      tone="info"
      title={signInText.emptyServer}
      action={<ButtonLink href="/setup">{signInText.goToSetup}</ButtonLink>}
    >
      {signInText.emptyServerHint}
    </Notice>
  );
}

interface SignInFormProps {
  /** The server that it begins with. */
  first: string | null;
  servers: readonly string[];
  /** Above the fields; gets what was typed. */
  notice?: (typed: Typed) => ReactNode;
}

/** Server, account and password. */
export function SignInForm({ first, servers, notice }: SignInFormProps) {
  const actions = useSignInActions();
  const [path, navigate] = useLocation();
  const [kept] = useState(takeTyped);
  // The engine may know another server after the form is shown.
  const [typedServer, setTypedServer] = useState(kept.server);
  const server = typedServer ?? first ?? servers[0] ?? defaultServer();
  const setServer = (next: string) => {
    if (next !== server) setTypedServer(next);
  };
  const [email, setEmail] = useState(kept.email);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const entry = useSignOnEntry(() => {
    if (path === '/sign-in') navigate('/');
  });
  const check = () => {
    const found = findErrors(server, email, password);
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  const { act, busy } = useAsyncAction();
  const opened = () => {
    if (path === '/sign-in') navigate('/');
  };
  const send = async () => {
    await actions.signIn(withScheme(server), email.trim(), password);
    opened();
  };
  const beginAnew = () =>
    act(async () => {
      await actions.signIn(withScheme(server), email.trim(), password, true);
      opened();
    });
  return (
    <SheetForm
      check={check}
      send={send}
      failedTitle={signInText.failed}
      failureWords={(error) => failureWords(error, server)}
      failureAction={(error) =>
        error instanceof UnprovedServer && (
          <Button onPress={beginAnew} isPending={busy}>
            {signInText.beginAnew}
          </Button>
        )
      }
      submitLabel={signInText.submit}
      sendingLabel={signInText.signingIn}
      after={
        <>
          <SignOnEntry server={server} entry={entry} />
          <ButtonLink tone="quiet" href="/forgot-password">
            {signInText.forgot}
          </ButtonLink>
          <ButtonLink tone="quiet" href="/redeem">
            {signInText.useCode}
          </ButtonLink>
        </>
      }
    >
      {notice?.({ server: typedServer, email })}
      <ComboField
        label={signInText.server}
        hint={signInText.serverHint}
        choices={servers.map((address) => ({ id: address, name: address }))}
        input={server}
        onInput={setServer}
        onChoose={(address) => {
          if (address !== null) setServer(address);
        }}
        allowsOther
        kind="url"
        emptyText={signInText.noServers}
        openLabel={signInText.knownServers}
        error={errors.server}
      />
      <TextField
        label={signInText.email}
        kind="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
        autoFocus
        error={errors.email}
      />
      <TextField
        label={signInText.password}
        kind="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={errors.password}
      />
    </SheetForm>
  );
}

function failureWords(error: unknown, server: string): string | null {
  // The notice above the fields says so.
  if (error instanceof CodeMissing) return null;
  if (error instanceof Problem && error.code === 'wrong-login') return signInText.wrong;
  if (error instanceof UnprovedServer)
    return signInText.unproved[error.reason](withScheme(server), error.origin, error.changes);
  // Other refusals, such as a password that is no longer permitted; the server says what to do.
  return errorMessage(error);
}

function findErrors(server: string, email: string, password: string): Errors {
  const errors: Errors = {};
  if (!isAddress(server)) errors.server = signInText.needServer;
  if (email.trim() === '') errors.email = signInText.needEmail;
  if (password === '') errors.password = signInText.needPassword;
  return errors;
}
