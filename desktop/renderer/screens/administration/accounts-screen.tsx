import { Plus, UserRound } from 'lucide-react';
import { useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { formatNumber, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { Table } from '#desktop/renderer/ui/table.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { WholeLink } from '#desktop/renderer/ui/whole-link.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { Account } from '#shared/model/account.ts';

import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { rolesOf, stateOf, stateTones, type AccountState } from './account-words.ts';
import styles from './administration.module.css';
import { CodeSheet, type MadeCode } from './code-sheet.tsx';
import { NewAccount } from './new-account.tsx';

const listAccounts = (actions: Actions) => actions.listAccounts();
const words = accountAdminText;
type Filter = keyof typeof words.filters;

/**
 * The accounts of the site.
 *
 * - ADMIN-6 Administrators find people by name, role or team, see their state and last use, and create accounts.
 */
export function AccountsScreen() {
  const from = useServerValue(listAccounts);
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<MadeCode | null>(null);
  const now = useNow();
  const all = from.value ?? [];
  const unused = all.filter((one) => isUnused(stateOf(one, now))).length;
  return (
    <AdminPage
      title={words.title}
      lead={from.value === null ? '' : words.lead(all.length, unused)}
      from={from}
      failedTitle={words.failed}
      actions={
        <Button tone="primary" icon={<Plus aria-hidden="true" />} onPress={() => setIsNew(true)}>
          {words.add}
        </Button>
      }
    >
      {(accounts) => (
        <>
          {made !== null && <CodeSheet made={made} onClose={() => setMade(null)} />}
          <Accounts accounts={accounts} now={now} />
          {isNew && (
            <NewAccount
              onClose={() => {
                setIsNew(false);
                // The account may exist although it could not be invited.
                from.reload();
              }}
              onMade={(code) => {
                setIsNew(false);
                setMade(code);
                from.reload();
              }}
            />
          )}
        </>
      )}
    </AdminPage>
  );
}

function Accounts({ accounts, now }: { accounts: readonly Account[]; now: number }) {
  const { teams } = useLive('directory');
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const teamNames = new Map(teams.map(({ teamid, name }) => [teamid, name]));
  const teamsOf = (account: Account): string =>
    account.teams.flatMap((teamid) => teamNames.get(teamid) ?? []).join(', ');
  const wanted = typed.trim().toLowerCase();
  const found = accounts.filter(
    (one) =>
      isOf(one, filter, now) &&
      `${one.username} ${one.unique_username ?? ''} ${rolesOf(one)} ${teamsOf(one)}`
        .toLowerCase()
        .includes(wanted),
  );
  return (
    <div className={classNames(styles, 'deliveries')} data-beside-sheet>
      <div className={classNames(styles, 'tools')}>
        <div className={classNames(styles, 'grow')}>
          <TextField label={words.find} value={typed} onChange={setTyped} />
        </div>
        <SelectField
          label={words.show}
          choices={(Object.keys(words.filters) as Filter[]).map((id) => ({
            id,
            name: `${words.filters[id]} (${formatNumber(accounts.filter((one) => isOf(one, id, now)).length)})`,
          }))}
          value={filter}
          onChange={(id) => setFilter(id as Filter)}
          placeholder={words.show}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState icon={<UserRound />} title={words.noneFound}>
          {words.noneFoundHint}
        </EmptyState>
      ) : (
        <Table label={words.table} columns={Object.values(words.columns)}>
          {found.map((account) => {
            const state = stateOf(account, now);
            return (
              <tr key={account.userid}>
                <td className={classNames(styles, 'name')}>
                  <WholeLink href={`/administration/people/${account.userid}`}>{account.username}</WholeLink>
                </td>
                <td>{rolesOf(account)}</td>
                <td className={classNames(styles, 'muted')}>{teamsOf(account)}</td>
                <td className={classNames(styles, 'muted')}>
                  {account.seen_date === null ? words.never : formatSince(account.seen_date * 1000, now)}
                </td>
                <td>
                  <Badge tone={stateTones[state]}>{words.states[state]}</Badge>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </div>
  );
}

/** Whether nobody has signed in with the account yet. */
function isUnused(state: AccountState): boolean {
  return ['invited', 'refused', 'waiting'].includes(state);
}

function isOf(account: Account, filter: Filter, now: number): boolean {
  const state = stateOf(account, now);
  if (filter === 'all') return true;
  if (filter === 'invited') return isUnused(state);
  return state === filter;
}
