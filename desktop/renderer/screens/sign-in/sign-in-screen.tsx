import { Archive, MonitorCheck } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';

import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import {
  defaultServer,
  isInsecureOrigin,
  isAddress,
  withScheme,
} from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction, errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { DamageNotice, LossNotice } from '../shell/storage-notices.tsx';
import { WaitingElsewhereList } from '../sync/waiting-elsewhere.tsx';
import { SheetForm } from './sheet-form.tsx';
import { Sheet } from './sheet.tsx';
import styles from './sign-in-screen.module.css';
import { SignOnEntry } from './sign-on-entry.tsx';
import { useSetupNeeded } from './use-setup-needed.ts';
import { useSignOnEntry } from './use-sign-on-entry.ts';

interface Errors {
  server?: string;
  email?: string;
  password?: string;
}

/** The sign-in screen: server, account and password. */
export function SignInScreen() {
  const session = useLive('session');
  const asked = new URLSearchParams(useSearch()).get('server');
  // Only servers that this device knows: a link must not choose where a password is sent.
  const wanted = session.elsewhere.find(({ server }) => server === asked)?.server ?? null;
  return (
    <Sheet title={text.signIn.title} lead={text.signIn.lead}>
      {isInsecureOrigin() && (
        <Notice tone="warn" title={text.signIn.insecure}>
          {text.signIn.insecureHint}
        </Notice>
      )}
      <LossNotice />
      <DamageNotice />
      {session.status === 'expired' && (
        <Notice tone="info" title={text.signIn.expired}>
          {text.signIn.expiredHint}
        </Notice>
      )}
      <WaitingElsewhereList />
      <EmptyServerNotice server={session.server ?? defaultServer()} />
      {/* Another requested server resets the form. */}
      <SignInForm key={wanted} first={wanted ?? session.server} servers={session.servers} />
      <div className={classNames(styles, 'apart')}>
        <ButtonLink icon={<Archive aria-hidden="true" />} href="/archives">
          {text.archives.open}
        </ButtonLink>
        <p>{text.archives.openHint}</p>
        <ButtonLink icon={<MonitorCheck aria-hidden="true" />} href="/enrol">
          {text.signIn.station}
        </ButtonLink>
        <p>{text.signIn.stationHint}</p>
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
      title={text.setup.emptyServer}
      action={<ButtonLink href="/setup">{text.setup.goToSetup}</ButtonLink>}
    >
      {text.setup.emptyServerHint}
    </Notice>
  );
}

/** Server, account and password. `first`: the server that it begins with. */
export function SignInForm({ first, servers }: { first: string | null; servers: readonly string[] }) {
  const actions = useActions();
  const [path, navigate] = useLocation();
  const [server, setServer] = useState(first ?? servers[0] ?? defaultServer());
  const [email, setEmail] = useState('');
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
      failedTitle={text.signIn.failed}
      failureWords={(error) => failureWords(error, server)}
      failureAction={(error) =>
        error instanceof UnprovedServer && (
          <Button onPress={beginAnew} isPending={busy}>
            {text.signIn.beginAnew}
          </Button>
        )
      }
      submitLabel={text.signIn.submit}
      after={
        <>
          <SignOnEntry server={server} entry={entry} />
          <ButtonLink tone="quiet" href="/forgot-password">
            {text.signIn.forgot}
          </ButtonLink>
          <ButtonLink tone="quiet" href="/redeem">
            {text.signIn.useCode}
          </ButtonLink>
        </>
      }
    >
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
    </SheetForm>
  );
}

function failureWords(error: unknown, server: string): string {
  if (error instanceof Problem && error.code === 'wrong-login') return text.signIn.wrong;
  if (error instanceof UnprovedServer)
    return text.signIn.unproved[error.reason](withScheme(server), error.origin, error.changes);
  // Other refusals, such as a password that is no longer permitted; the server says what to do.
  return errorMessage(error);
}

function findErrors(server: string, email: string, password: string): Errors {
  const errors: Errors = {};
  if (!isAddress(server)) errors.server = text.signIn.needServer;
  if (email.trim() === '') errors.email = text.signIn.needEmail;
  if (password === '') errors.password = text.signIn.needPassword;
  return errors;
}
