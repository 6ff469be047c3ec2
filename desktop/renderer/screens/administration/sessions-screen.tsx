import { MonitorSmartphone } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { formatDay, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Table } from '#desktop/renderer/ui/table.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { SiteSession } from '#shared/model/account.ts';

import { deviceWords } from '../account/sign-ins.tsx';
import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import styles from './administration.module.css';

/** Sessions that are listed at first, and by which "Show more" lists more. */
const step = 1000;
const words = accountAdminText;

/**
 * The sessions of all people.
 *
 * - ADMIN-26 If there are more sessions than are listed, the screen says so and lists more.
 * - ADMIN-10 Administrators find who is signed in where, and sign out one device or everybody else, after a question.
 */
export function SiteSessionsScreen() {
  const [most, setMost] = useState(step);
  // What is listed stays while more is loaded.
  const asked = useRef(most);
  const read = useCallback((server: Actions) => server.listSiteSessions(asked.current), []);
  const from = useServerValue(read, most);
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [typed, setTyped] = useState('');
  /** The session to end; `all`: every other. */
  const [ending, setEnding] = useState<SiteSession | 'all' | null>(null);
  const end = (which: SiteSession | 'all') =>
    act(async () => {
      if (which === 'all') await actions.endAllSessions();
      else await actions.endSignIn(which.userid, which.sessionid);
      showToast(which === 'all' ? words.allEnded : words.ended);
      from.reload();
    });
  return (
    <AdminPage
      title={words.sessionsTitle}
      lead={words.sessionsLead}
      from={from}
      failedTitle={words.sessionsFailed}
      actions={
        <Button onPress={() => setEnding('all')} isPending={busy}>
          {words.endAll}
        </Button>
      }
    >
      {({ sessions, more }) => (
        <>
          <div className={classNames(styles, 'tools')}>
            <div className={classNames(styles, 'grow')}>
              <TextField label={words.findSession} value={typed} onChange={setTyped} />
            </div>
          </div>
          <Sessions sessions={sessions.filter((one) => isFound(one, typed))} onEnd={setEnding} />
          {more && (
            <Row>
              <Note>{words.mostSessions(sessions.length)}</Note>
              <Button
                onPress={() => {
                  asked.current = sessions.length + step;
                  setMost(asked.current);
                }}
                isPending={most > sessions.length}
              >
                {words.moreSessions}
              </Button>
            </Row>
          )}
          <ConfirmDialog
            title={
              ending === null || ending === 'all' ? words.endAllTitle : words.endOneTitle(ending.username)
            }
            isOpen={ending !== null}
            onClose={() => setEnding(null)}
            confirmLabel={ending === 'all' ? words.endAll : words.endOne}
            cancelLabel={text.app.cancel}
            onConfirm={() => {
              if (ending !== null) end(ending);
            }}
          >
            {ending === 'all' ? words.endAllBody : words.endBody}
          </ConfirmDialog>
        </>
      )}
    </AdminPage>
  );
}

function isFound({ username, device, address }: SiteSession, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return `${username} ${deviceWords(device)} ${address}`.toLowerCase().includes(wanted);
}

function Sessions({
  sessions,
  onEnd,
}: {
  sessions: readonly SiteSession[];
  onEnd: (session: SiteSession) => void;
}) {
  const now = useNow();
  if (sessions.length === 0)
    return (
      <EmptyState icon={<MonitorSmartphone />} title={words.noneFound}>
        {words.noneFoundHint}
      </EmptyState>
    );
  return (
    <Table label={words.sessionsTitle} columns={Object.values(words.sessionColumns)}>
      {sessions.map((session) => {
        const { sessionid, userid, username, address, used_date, created_date, impersonator } = session;
        const device =
          impersonator === null ? deviceWords(session.device) : words.actingAs(impersonator.username);
        return (
          <tr key={`${userid} ${sessionid}`}>
            <td className={classNames(styles, 'name')}>{username}</td>
            <td>{device}</td>
            <td>
              {session.is_connected ? (
                <Badge tone="ok" look="dot">
                  {words.connected}
                </Badge>
              ) : (
                formatSince(used_date * 1000, now)
              )}
            </td>
            <td className={classNames(styles, 'muted')}>
              {formatDay(created_date * 1000)}
              {address !== '' && ` ${words.from(address)}`}
            </td>
            <td>
              {session.is_current ? (
                <Badge tone="accent">{words.thisDevice}</Badge>
              ) : (
                <Button label={words.endOneOf(device, username)} onPress={() => onEnd(session)}>
                  {words.endOne}
                </Button>
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
