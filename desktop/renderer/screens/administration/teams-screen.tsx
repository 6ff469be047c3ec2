import { Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { teamAdminText } from '#desktop/renderer/text/en/team-admin.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Table } from '#desktop/renderer/ui/table.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { WholeLink } from '#desktop/renderer/ui/whole-link.tsx';
import type { Team } from '#shared/model/team.ts';

import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import styles from './administration.module.css';
import { useLeadNames } from './lead-names.ts';
import { NewTeam } from './new-team.tsx';

const listTeams = (actions: Actions) => actions.listTeams();
const words = teamAdminText;

/**
 * The teams of the site.
 *
 * - ADMIN-21 Administrators list teams with their members and leads, create, rename and delete them, add and remove members,
 *   and set the lead. What the server refuses is said in words, with the way out.
 */
export function TeamsScreen() {
  const from = useServerValue(listTeams);
  const [isNew, setIsNew] = useState(false);
  const add = (
    <Button tone="primary" icon={<Plus aria-hidden="true" />} onPress={() => setIsNew(true)}>
      {words.add}
    </Button>
  );
  return (
    <AdminPage title={words.title} lead={words.lead} from={from} failedTitle={words.failed} actions={add}>
      {(teams) => (
        <>
          {teams.length === 0 ? (
            <EmptyState icon={<UsersRound />} title={words.none}>
              {words.noneHint}
            </EmptyState>
          ) : (
            <Teams teams={teams} />
          )}
          {isNew && <NewTeam onClose={() => setIsNew(false)} />}
        </>
      )}
    </AdminPage>
  );
}

function Teams({ teams }: { teams: readonly Team[] }) {
  const leadOf = useLeadNames();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = teams.filter((team) => `${team.name} ${leadOf(team)}`.toLowerCase().includes(wanted));
  return (
    <div className={classNames(styles, 'deliveries')}>
      <div className={classNames(styles, 'tools')}>
        <div className={classNames(styles, 'grow')}>
          <TextField label={words.find} value={typed} onChange={setTyped} />
        </div>
      </div>
      {found.length === 0 ? (
        <EmptyState icon={<UsersRound />} title={words.noneFound}>
          {words.noneFoundHint}
        </EmptyState>
      ) : (
        <Table label={words.title} columns={[words.columns.name, words.columns.lead, words.columns.members]}>
          {found.map((team) => (
            <tr key={team.teamid}>
              <td className={classNames(styles, 'name')}>
                <WholeLink href={`/administration/teams/${team.teamid}`}>{team.name}</WholeLink>
              </td>
              <td className={classNames(styles, team.owner === null && 'muted')}>{leadOf(team)}</td>
              <td className={classNames(styles, 'muted')}>{words.members(team.member_count)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
