import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';

import type { BackupSource, FoundBackups } from '#shared/api/setup.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer, isAddress, withScheme } from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatDate } from '#desktop/renderer/text/format.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage, fieldErrorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { SheetForm } from './sheet-form.tsx';
import { Sheet } from './sheet.tsx';
import { useSetupNeeded } from './use-setup-needed.ts';

const words = text.setup;

/** Interval at which a server that is restoring a backup is asked whether it is back, ms. */
const askEvery = 1000;

type Errors = Partial<Record<'server' | 'code' | 'title' | 'username' | 'email' | 'password', string>>;

/** The server and the code that it printed. */
interface Entrance {
  server: string;
  code: string;
}

/** Sets up an empty server: a new site with its first administrator, or a backup. */
export function SetupScreen() {
  const session = useLive('session');
  const [entrance, setEntrance] = useState<Entrance>({
    server: session.server ?? defaultServer(),
    code: '',
  });
  const [task, setTask] = useState('new');
  const [phase, setPhase] = useState<'form' | 'restored' | BackupSource>('form');
  const isSetUp = useSetupNeeded(withScheme(entrance.server)) === false;
  const [failure, setFailure] = useState<string | null>(null);
  const end = useCallback((problem: string | null) => {
    setFailure(problem);
    setPhase(problem === null ? 'restored' : 'form');
  }, []);
  return (
    <Sheet title={words.title} lead={words.lead}>
      <div role="status">
        {typeof phase === 'object' && (
          <Notice tone="info" title={words.running}>
            {words.runningHint}
          </Notice>
        )}
        {phase === 'restored' && (
          <Notice tone="info" title={words.restored}>
            {words.restoredHint}
          </Notice>
        )}
        {failure !== null && (
          <Notice tone="danger" title={words.lastFailed}>
            {failure}
          </Notice>
        )}
      </div>
      {typeof phase === 'object' && (
        <WaitForServer server={withScheme(entrance.server)} source={phase} onEnd={end} />
      )}
      {phase === 'form' && isSetUp && (
        <Notice tone="info" title={words.isSetUp}>
          {words.isSetUpHint}
        </Notice>
      )}
      {phase === 'form' && !isSetUp && (
        <>
          <SegmentedField
            label={words.what}
            hideLabel
            look="compact"
            segments={[
              { id: 'new', name: words.newSite },
              { id: 'restore', name: words.restore },
            ]}
            value={task}
            onChange={setTask}
          />
          {task === 'new' ? (
            <NewSiteForm entrance={entrance} onEntrance={setEntrance} />
          ) : (
            <RestoreForm
              entrance={entrance}
              onEntrance={setEntrance}
              onBegun={(source) => {
                setFailure(null);
                setPhase(source);
              }}
            />
          )}
        </>
      )}
      {typeof phase === 'string' && (
        <ButtonLink tone={phase === 'restored' ? 'primary' : 'quiet'} href="/sign-in">
          {phase === 'restored' ? text.signIn.title : text.signIn.backToSignIn}
        </ButtonLink>
      )}
    </Sheet>
  );
}

interface EntranceProps {
  entrance: Entrance;
  onEntrance: (entrance: Entrance) => void;
}

function EntranceFields({ entrance, onEntrance, errors }: EntranceProps & { errors: Errors }) {
  return (
    <>
      <TextField
        label={text.signIn.server}
        kind="url"
        value={entrance.server}
        onChange={(server) => onEntrance({ ...entrance, server })}
        error={errors.server}
      />
      <TextField
        label={words.code}
        hint={words.codeHint}
        value={entrance.code}
        onChange={(code) => onEntrance({ ...entrance, code })}
        autoComplete="off"
        autoFocus
        error={errors.code}
      />
    </>
  );
}

function entranceErrors({ server, code }: Entrance): Errors {
  return {
    ...(isAddress(server) ? {} : { server: text.signIn.needServer }),
    ...(code.trim() === '' ? { code: words.needCode } : {}),
  };
}

function NewSiteForm({ entrance, onEntrance }: EntranceProps) {
  const actions = useActions();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState({ title: '', username: '', email: '', password: '' });
  const [errors, setErrors] = useState<Errors>({});
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: (value: string) => setTyped((now) => ({ ...now, [name]: value })),
    error: errors[name],
  });
  const check = () => {
    const found: Errors = {
      ...entranceErrors(entrance),
      ...(typed.title.trim() === '' ? { title: words.needSiteName } : {}),
      ...(typed.username.trim() === '' ? { username: words.needYourName } : {}),
      ...(typed.email.trim() === '' ? { email: text.signIn.needEmail } : {}),
      ...(typed.password.length < 10 ? { password: text.signIn.needNewPassword } : {}),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  const send = async () => {
    const { title, username, email, password } = typed;
    await actions.setUp(withScheme(entrance.server), {
      code: entrance.code.trim(),
      title: title.trim(),
      username: username.trim(),
      email: email.trim(),
      password,
    });
    navigate('/');
  };
  return (
    <SheetForm
      check={check}
      send={send}
      failedTitle={words.makeFailed}
      failureWords={fieldErrorMessage}
      submitLabel={words.make}
    >
      <EntranceFields entrance={entrance} onEntrance={onEntrance} errors={errors} />
      <TextField label={words.siteName} {...field('title')} />
      <TextField label={words.yourName} autoComplete="name" {...field('username')} />
      <TextField label={text.signIn.email} kind="email" autoComplete="username" {...field('email')} />
      <TextField
        label={text.signIn.password}
        hint={text.signIn.newPasswordHint}
        kind="password"
        autoComplete="new-password"
        {...field('password')}
      />
    </SheetForm>
  );
}

function RestoreForm({
  entrance,
  onEntrance,
  onBegun,
}: EntranceProps & { onBegun: (source: BackupSource) => void }) {
  const actions = useActions();
  const [folder, setFolder] = useState('');
  const [key, setKey] = useState('');
  const [found, setFound] = useState<FoundBackups | null>(null);
  const [backup, setBackup] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const server = withScheme(entrance.server);
  const source = {
    code: entrance.code.trim(),
    ...(folder.trim() === '' ? {} : { folder: folder.trim() }),
    ...(key.trim() === '' ? {} : { key: key.trim() }),
  };
  const check = () => {
    const wrong = entranceErrors(entrance);
    setErrors(wrong);
    return Object.keys(wrong).length === 0;
  };
  const show = async () => {
    const shown = await actions.findBackups(server, source);
    setFound(shown);
    setBackup(shown.backups[0]?.name ?? '');
  };
  const restore = async () => {
    await actions.restoreBackup(server, { ...source, backup });
    onBegun(source);
  };
  const hasChoice = found !== null && found.backups.length > 0;
  // Another server, folder or key has other backups.
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value);
    setFound(null);
  };
  return (
    <SheetForm
      check={check}
      send={hasChoice ? restore : show}
      failedTitle={hasChoice ? words.beginFailed : words.showFailed}
      failureWords={fieldErrorMessage}
      submitLabel={hasChoice ? words.begin : words.show}
    >
      <EntranceFields
        entrance={entrance}
        onEntrance={(changed) => {
          onEntrance(changed);
          setFound(null);
        }}
        errors={errors}
      />
      <TextField label={words.folder} hint={words.folderHint} value={folder} onChange={edit(setFolder)} />
      <TextField label={words.key} hint={words.keyHint} value={key} onChange={edit(setKey)} />
      {hasChoice && (
        <SelectField
          label={words.choose}
          choices={found.backups.map(({ name, site, made_date, size }) => ({
            id: name,
            name: words.backup(site, formatDate(made_date * 1000), formatBytes(size)),
          }))}
          value={backup}
          onChange={setBackup}
          placeholder={words.choose}
          {...(found.older > 0 && { hint: words.older(found.older) })}
        />
      )}
      {hasChoice && !found.encrypted && (
        <Notice tone="warn" title={words.withoutKey}>
          {words.withoutKeyHint}
        </Notice>
      )}
      <div role="status">
        {found !== null && !hasChoice && <Notice tone="warn" title={words.none(found.folder)} />}
      </div>
    </SheetForm>
  );
}

interface WaitForServerProps {
  server: string;
  source: BackupSource;
  /** Called with the reason if the restore failed. */
  onEnd: (failure: string | null) => void;
}

/** Asks a server that is restoring a backup until it is back. */
function WaitForServer({ server, source, onEnd }: WaitForServerProps) {
  const actions = useActions();
  useEffect(() => {
    let isHere = true;
    const ask = async (): Promise<void> => {
      const state = await actions.setupState(server);
      if (state.restoring) throw new Error('not yet');
      const failure = state.needed ? (await actions.findBackups(server, source)).failure : null;
      if (isHere) onEnd(failure);
    };
    const askAgain = () =>
      void ask().catch((error: unknown) => {
        if (!isHere) return;
        // Such as another code, after a start that nobody asked for.
        if (error instanceof Problem && error.kind !== 'unavailable') onEnd(errorMessage(error));
        else setTimeout(askAgain, askEvery);
      });
    askAgain();
    return () => {
      isHere = false;
    };
  }, [actions, server, source, onEnd]);
  return null;
}
