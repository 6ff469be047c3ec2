import { ChevronLeft, KeyRound, Mail, UserRound } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { mailLanguageText } from '#desktop/renderer/text/en/mail-language.ts';
import { formatDay, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Facts } from '#desktop/renderer/ui/panel.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { Account } from '#shared/model/account.ts';

import { MailLanguageField } from '../account/mail-language.tsx';
import { SignIns } from '../account/sign-ins.tsx';
import { useProof } from '../account/use-proof.tsx';
import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { rolesOf, stateOf, stateTones } from './account-words.ts';
import styles from './administration.module.css';
import { CodeSheet, type MadeCode } from './code-sheet.tsx';
import { administers, RolesAndTeams } from './roles-and-teams.tsx';

const words = accountAdminText;

/** The account of a person: roles, teams, how they get in, sessions, and whether it is closed. */
export function AccountScreen({ userid }: { userid: number }) {
  const read = useCallback(
    async (actions: Actions) => {
      const all = await actions.listAccounts();
      const administrators = all.filter(({ enabled, privileges }) => enabled && administers(privileges));
      return {
        account: all.find((one) => one.userid === userid),
        isLastAdministrator: administrators.length === 1 && administrators[0]?.userid === userid,
      };
    },
    [userid],
  );
  const from = useServerValue(read);
  useNews(userid, from.reload);
  const account = from.value?.account;
  return (
    <AdminPage
      title={account?.username ?? words.title}
      lead={account === undefined ? '' : rolesOf(account)}
      over={
        <div className={classNames(styles, 'over')}>
          <ButtonLink tone="quiet" href="/administration/people" icon={<ChevronLeft aria-hidden="true" />}>
            {words.back}
          </ButtonLink>
        </div>
      }
      actions={
        account !== undefined && (
          <ButtonLink icon={<UserRound aria-hidden="true" />} href={`/people/${userid}`}>
            {words.profile}
          </ButtonLink>
        )
      }
      side={account === undefined ? undefined : <AccountFacts account={account} />}
      from={from}
      failedTitle={words.failed}
    >
      {({ account: found, isLastAdministrator }) =>
        found === undefined ? (
          <EmptyState icon={<UserRound />} title={words.gone}>
            {words.goneHint}
          </EmptyState>
        ) : (
          <div className={classNames(styles, 'narrow')}>
            <Access account={found} onChanged={from.reload} />
            <RolesAndTeams
              key={userid}
              account={found}
              isLastAdministrator={isLastAdministrator}
              onChanged={from.reload}
            />
            <MailLanguage account={found} onChanged={from.reload} />
            <SectionCard title={text.people.signIns}>
              <SignIns key={String(found.enabled)} userid={userid} />
            </SectionCard>
            <Closing account={found} onChanged={from.reload} />
          </div>
        )
      }
    </AdminPage>
  );
}

function MailLanguage({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const actions = useActions();
  const { userid, langid, has_email } = account;
  // A server of an earlier version does not tell it.
  if (langid === undefined || !has_email) return null;
  const save = async (chosen: string) => {
    await actions.changeAccount(userid, { langid: chosen });
    onChanged();
  };
  return (
    <SectionCard title={mailLanguageText.title}>
      <p>{mailLanguageText.leadOther}</p>
      <MailLanguageField value={langid} save={save} />
    </SectionCard>
  );
}

/** Calls `reload` when the facts about the person change on this device, such as when somebody else gives them a role. */
function useNews(userid: number, reload: () => void): void {
  const facts = useLiveSoon('person', userid);
  const now = facts && JSON.stringify([facts.privileges, facts.teams.map(({ teamid }) => teamid)]);
  const known = useRef(now);
  useEffect(() => {
    if (known.current !== undefined && now !== known.current) reload();
    known.current = now;
  });
}

function AccountFacts({ account }: { account: Account }) {
  const now = useNow();
  const state = stateOf(account, now);
  const badge = <Badge tone={stateTones[state]}>{words.states[state]}</Badge>;
  return (
    <Facts
      facts={[
        [words.columns.state, badge],
        [
          words.columns.seen,
          account.seen_date === null ? words.never : formatSince(account.seen_date * 1000, now),
        ],
        [text.people.joined, formatDay(account.join_date * 1000)],
      ]}
    />
  );
}

/**
 * Links and codes with which the person chooses a password.
 *
 * - ADMIN-25 If the mail server did not take an invitation, the list of people and the account say so, with its reason, and the
 *   person can be invited again.
 * - ADMIN-8 A link by mail or a printed code replaces a forgotten password. Both are confirmed in words and with the
 *   administrator's password.
 */
function Access({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const actions = useActions();
  const proof = useProof();
  const now = useNow();
  const [made, setMade] = useState<MadeCode | null>(null);
  const { userid, username, enabled, has_email, invited_until, invitation_failure: failure } = account;
  const ask = (by: 'mail' | 'code') =>
    proof.ask(
      async (given) => {
        const { code, until_date, failure: reason } = await actions.inviteAccount(userid, by, given);
        if (reason !== undefined) showToast(words.mailRefused, 'danger');
        else if (code === null) showToast(words.mailed);
        setMade(code === null ? null : { name: username, code, until: until_date });
        onChanged();
      },
      (error) => showToast(errorMessage(error), 'danger'),
      {
        title: by === 'mail' ? words.mailTitle(username) : words.codeTitle(username),
        lead: <p>{by === 'mail' ? words.mailBody : words.codeBody}</p>,
        confirm: by === 'mail' ? words.sendMail : words.printCode,
        offline: text.training.needsServer,
      },
    );
  if (!enabled) return null;
  const until = invited_until !== null && invited_until * 1000 > now ? formatDay(invited_until * 1000) : '';
  return (
    <>
      {made !== null && <CodeSheet made={made} onClose={() => setMade(null)} />}
      <SectionCard title={words.access}>
        {failure !== undefined && (
          <Notice tone="warn" title={words.mailRefused}>
            {words.mailRefusedHint(failure)}
          </Notice>
        )}
        <p>{words.accessLead(until === '' || failure !== undefined ? '' : words.until(until))}</p>
        <Row>
          {has_email && (
            <Button icon={<Mail aria-hidden="true" />} onPress={() => ask('mail')}>
              {words.sendMail}
            </Button>
          )}
          <Button icon={<KeyRound aria-hidden="true" />} onPress={() => ask('code')}>
            {words.printCode}
          </Button>
        </Row>
        {!has_email && <Note>{words.noEmail}</Note>}
        {proof.question}
      </SectionCard>
    </>
  );
}

/**
 * Deactivating and reactivating an account.
 *
 * - ADMIN-9 An administrator deactivates and reactivates an account after a question that says what happens to sessions and
 *   records. Nobody deactivates their own.
 */
function Closing({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { user } = useLive('session');
  const [isAsking, setIsAsking] = useState(false);
  const { userid, username, enabled, sessions } = account;
  if (user?.userid === userid) return <Note>{words.own}</Note>;
  const change = () =>
    act(async () => {
      await actions.changeAccount(userid, { enabled: !enabled });
      showToast(enabled ? words.closed(username) : words.reopened(username));
      onChanged();
    });
  const said: { title: string; body: ReactNode; confirm: string } = enabled
    ? { title: words.closeTitle(username), body: words.closeBody(sessions), confirm: words.close }
    : { title: words.reopenTitle(username), body: words.reopenBody, confirm: words.reopen };
  return (
    <SectionCard title={said.confirm}>
      <p>{words.closeLead}</p>
      <div>
        <Button tone={enabled ? 'danger' : 'plain'} isPending={busy} onPress={() => setIsAsking(true)}>
          {said.confirm}
        </Button>
      </div>
      <ConfirmDialog
        title={said.title}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        tone={enabled ? 'danger' : 'primary'}
        confirmLabel={said.confirm}
        cancelLabel={text.app.cancel}
        onConfirm={change}
      >
        {said.body}
      </ConfirmDialog>
    </SectionCard>
  );
}
