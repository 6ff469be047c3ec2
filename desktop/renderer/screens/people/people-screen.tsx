import { UserRound, UsersRound } from 'lucide-react';
import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { LinkedRow } from '../pages/linked-row.tsx';
import styles from '../pages/pages.module.css';
import { Page } from '../shell/page.tsx';
import { TeamRow } from './team-row.tsx';

/** The people and teams of the site. */
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
        <Section title={text.people.teams}>
          <RowList columns="many">
            {foundTeams.map((team) => (
              <TeamRow key={team.teamid} team={team} />
            ))}
          </RowList>
        </Section>
      )}
      {foundPeople.length > 0 && (
        <Section title={text.people.people}>
          <RowList columns="many">
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
          </RowList>
        </Section>
      )}
    </Page>
  );
}
