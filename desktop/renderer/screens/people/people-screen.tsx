import { UserRound, UsersRound } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { LinkedRow } from '../pages/linked-row.tsx';
import styles from '../pages/pages.module.css';
import { Page } from '../shell/page.tsx';

/** Who works here? */
export function PeopleScreen() {
  const { people, teams } = useLive('directory');
  const [words, setWords] = useState('');
  const isFound = ({ name }: { name: string }) => name.toLowerCase().includes(words.trim().toLowerCase());
  const [foundPeople, foundTeams] = [people.filter(isFound), teams.filter(isFound)];
  const isEmpty = people.length + teams.length === 0;
  return (
    <Page title={text.people.title} lead={text.people.counts(people.length, teams.length)}>
      {!isEmpty && (
        <div className={classNames(styles, 'filter')}>
          <TextField label={text.people.filter} value={words} onChange={setWords} />
        </div>
      )}
      {foundPeople.length + foundTeams.length === 0 && (
        <EmptyState icon={<UsersRound />} title={isEmpty ? text.people.emptyTitle : text.people.nothingFound}>
          {isEmpty ? text.people.empty : text.people.nothingFoundHint}
        </EmptyState>
      )}
      {foundTeams.length > 0 && (
        <Group title={text.people.teams}>
          {foundTeams.map(({ teamid, name, members, imageGuid }) => (
            <LinkedRow
              key={teamid}
              href={`/teams/${teamid}`}
              name={name}
              note={text.people.members(members)}
              imageGuid={imageGuid}
              icon={<UsersRound />}
            />
          ))}
        </Group>
      )}
      {foundPeople.length > 0 && (
        <Group title={text.people.people}>
          {foundPeople.map(({ userid, name, summary, reputation, imageGuid }) => (
            <LinkedRow
              key={userid}
              href={`/people/${userid}`}
              name={name}
              note={summary === '' ? text.people.reputationOf(formatNumber(reputation)) : summary}
              imageGuid={imageGuid}
              icon={<UserRound />}
            />
          ))}
        </Group>
      )}
    </Page>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classNames(styles, 'group')} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <ul className={classNames(styles, 'list')}>{children}</ul>
    </section>
  );
}
