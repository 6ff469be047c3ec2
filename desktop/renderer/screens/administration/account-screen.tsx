import { ChevronLeft, KeyRound, Mail, UserRound } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';

import type { AccountEdit } from '#desktop/engine/api/accounts.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { formatDay, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Facts } from '#desktop/renderer/ui/panel.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { Account } from '#shared/model/account.ts';
import { privileges, type Privilege } from '#shared/model/user.ts';

import { SignIns } from '../account/sign-ins.tsx';
import { useProof } from '../account/use-proof.tsx';
import { errorOf } from '../approvals/use-signing.ts';
import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { rolesOf, stateOf, stateTones } from './account-words.ts';
import styles from './administration.module.css';
import { SaveBar } from './area.tsx';
import { CodeSheet, type MadeCode } from './code-sheet.tsx';
import { useLeaveGuard } from './use-leave-guard.tsx';

const words = accountAdminText;

/** The account of a person: roles, teams, how they get in, sessions, and whether it is closed. */
export function AccountScreen({ userid }: { userid: number }) {
  const read = useCallback(
    async (actions: Actions) => ({
      account: (await actions.listAccounts()).find((one) => one.userid === userid),
    }),
    [userid],
  );
  const from = useServerValue(read);
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
      {({ account: found }) =>
        found === undefined ? (
          <EmptyState icon={<UserRound />} title={words.gone}>
            {words.goneHint}
          </EmptyState>
        ) : (
          <div className={classNames(styles, 'narrow')}>
            <Access account={found} onChanged={from.reload} />
            <RolesAndTeams key={JSON.stringify(found)} account={found} onSaved={from.reload} />
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
 * - ADMIN-8 A link by mail or a printed code replaces a forgotten password. Both are confirmed in words and with the
 *   administrator's password.
 */
function Access({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const actions = useActions();
  const proof = useProof();
  const now = useNow();
  const [made, setMade] = useState<MadeCode | null>(null);
  const { userid, username, enabled, has_email, invited_until } = account;
  const ask = (by: 'mail' | 'code') =>
    proof.ask(
      async (given) => {
        const { code, until_date } = await actions.inviteAccount(userid, by, given);
        if (code === null) showToast(words.mailed);
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
        <p>{words.accessLead(until === '' ? '' : words.until(until))}</p>
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

const chosenRoles = privileges.filter((one) => one !== 'User');

/**
 * The roles and teams of a person.
 *
 * - ADMIN-16 Roles and teams are saved together, by the save bar. Making an administrator needs a proof of identity.
 */
function RolesAndTeams({ account, onSaved }: { account: Account; onSaved: () => void }) {
  const actions = useActions();
  const proof = useProof();
  const { act, busy } = useAsyncAction();
  const { teams } = useLive('directory');
  const start = { roles: known(account.privileges), teams: account.teams };
  const [roles, setRoles] = useState<readonly Privilege[]>(start.roles);
  const [chosen, setChosen] = useState<readonly number[]>(start.teams);
  const changes = differences(start.roles, roles) + differences(start.teams, chosen);
  const guard = useLeaveGuard(changes);
  const save = () => {
    const edit: AccountEdit = {
      ...(differences(start.roles, roles) > 0 && { privileges: ['User', ...roles] }),
      ...(differences(start.teams, chosen) > 0 && { teams: [...chosen] }),
    };
    const saved = () => {
      showToast(words.saved);
      onSaved();
    };
    const refused = (error: unknown) => showToast(errorMessage(error), 'danger');
    act(async () => {
      try {
        await actions.changeAccount(account.userid, edit);
        saved();
      } catch (error) {
        // The server decides which changes need a proof of identity.
        if (errorOf(error, ['current_password']) === undefined) refused(error);
        else
          proof.ask(async (given) => {
            await actions.changeAccount(account.userid, edit, given);
            saved();
          }, refused);
      }
    });
  };
  return (
    <SectionCard title={words.rolesAndTeams}>
      <Stack gap="m">
        <h3>{words.rolesTitle}</h3>
        <Note>{words.everyone}</Note>
        {chosenRoles.map((role) => (
          <Choice
            key={role}
            label={words.roles[role] ?? role}
            note={words.roleHints[role]}
            isOn={roles.includes(role)}
            onChange={(on) => setRoles(toggled(roles, role, on))}
          />
        ))}
      </Stack>
      <Stack gap="s">
        <h3>{words.columns.teams}</h3>
        {teams.length === 0 && <Note>{words.noTeams}</Note>}
        <div className={classNames(styles, 'checks')}>
          {teams.map(({ teamid, name }) => (
            <Choice
              key={teamid}
              label={name}
              isOn={chosen.includes(teamid)}
              onChange={(on) => setChosen(toggled(chosen, teamid, on))}
            />
          ))}
        </div>
      </Stack>
      <SaveBar
        changes={changes}
        onSave={save}
        onDiscard={() => {
          setRoles(start.roles);
          setChosen(start.teams);
        }}
        isPending={busy}
      />
      {guard}
      {proof.question}
    </SectionCard>
  );
}

interface ChoiceProps {
  label: string;
  note?: string | undefined;
  isOn: boolean;
  onChange: (on: boolean) => void;
}

function Choice({ label, note, isOn, onChange }: ChoiceProps) {
  return (
    <Stack gap="xs">
      <CheckboxField label={label} value={isOn} onChange={onChange} />
      {note !== undefined && <Note>{note}</Note>}
    </Stack>
  );
}

function known(held: readonly string[]): Privilege[] {
  return chosenRoles.filter((one) => held.includes(one));
}

function toggled<T>(list: readonly T[], item: T, on: boolean): T[] {
  return on ? [...list, item] : list.filter((one) => one !== item);
}

/** Number of items that only one of the lists has. */
function differences<T>(before: readonly T[], after: readonly T[]): number {
  const [was, is] = [new Set(before), new Set(after)];
  return before.filter((one) => !is.has(one)).length + after.filter((one) => !was.has(one)).length;
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
