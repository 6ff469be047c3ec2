import { Pencil, UserRound } from 'lucide-react';
import { Link } from 'react-aria-components';

import type { PersonProfile } from '#desktop/engine/api/page-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDay, formatNumber } from '#desktop/renderer/text/format.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Facts, WithSide } from '#desktop/renderer/ui/panel.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { LinkedRow } from '../pages/linked-row.tsx';
import { pageAddress } from '../pages/page-address.ts';
import styles from '../pages/pages.module.css';
import { Page } from '../shell/page.tsx';
import { AccountSection, StationAccessSection } from './account-section.tsx';
import { Gone } from './gone.tsx';
import { Membership } from './membership.tsx';
import { Refused } from './refused.tsx';
import { TeamRow } from './team-row.tsx';

/** A person's profile and teams. */
export function PersonScreen({ userid }: { userid: string }) {
  const person = useLive('person', Number(userid));
  if (person === null) return <Gone />;
  return (
    <Page
      title={person.name}
      over={<Breadcrumb />}
      lead={person.summary}
      actions={
        <>
          <PageLink of={person} place={`/people/${userid}`} />
          {person.editable !== null && (
            <ButtonLink href="/profile" icon={<Pencil aria-hidden="true" />}>
              {text.people.edit}
            </ButtonLink>
          )}
        </>
      }
    >
      <WithSide side={<PersonFacts person={person} />}>
        <Waiting pending={person.pending} refused={person.refused} />
        {person.imageGuid !== null && (
          <div className={classNames(styles, 'portrait')}>
            <Picture guid={person.imageGuid} size="medium" alt="" fit="cover" />
          </div>
        )}
        {person.aboutHtml !== '' && <RichHtml html={person.aboutHtml} size="line" />}
        <Section title={text.people.teams}>
          {person.teams.length === 0 && <Note>{text.people.noTeams}</Note>}
          <RowList columns="many">
            {person.teams.map((team) => (
              <TeamRow key={team.teamid} team={team} />
            ))}
          </RowList>
        </Section>
        <StationAccessSection person={person} />
        <AccountSection person={person} />
      </WithSide>
    </Page>
  );
}

function PersonFacts({ person }: { person: PersonProfile }) {
  return (
    <Facts
      facts={[
        [text.people.reputation, formatNumber(person.reputation)],
        [text.people.badges, badgeWords(person)],
        [text.people.role, roleWords(person)],
        [text.people.location, person.location],
        [text.people.joined, formatDay(person.joinedAt)],
      ]}
    />
  );
}

function badgeWords({ badges }: PersonProfile): string {
  if (badges.total === 0) return text.people.noBadges;
  return (['gold', 'silver', 'bronze'] as const)
    .filter((type) => badges[type] > 0)
    .map((type) => `${text.people.badgeCounts[type]} ${badges[type]}`)
    .join(' · ');
}

function roleWords({ privileges }: PersonProfile): string {
  return privileges.flatMap((one) => text.people.roles[one] ?? []).join(', ');
}

/** A team and its members. */
export function TeamScreen({ teamid }: { teamid: string }) {
  const team = useLive('team', Number(teamid));
  if (team === null) return <Gone />;
  const owner = team.members.find(({ userid }) => userid === team.owner);
  return (
    <Page
      title={team.name}
      over={<Breadcrumb />}
      lead={team.description}
      actions={
        <>
          <PageLink of={team} place={`/teams/${teamid}`} />
          <Membership key={String(team.canLeave)} team={team} />
        </>
      }
    >
      <WithSide
        side={
          <Facts
            facts={[
              [text.people.memberList, formatNumber(team.members.length)],
              [text.people.reputation, formatNumber(team.reputation)],
              [text.people.owner, owner?.name ?? ''],
              [text.people.location, team.location],
            ]}
          />
        }
      >
        <Waiting pending={team.pending} refused={team.refused} />
        <Section title={text.people.memberList}>
          <RowList columns="many">
            {team.members.map(({ userid, name, reputation, imageGuid }) => (
              <LinkedRow
                key={userid}
                href={`/people/${userid}`}
                name={name}
                note={text.people.reputationOf(formatNumber(reputation))}
                imageGuid={imageGuid}
                icon={<UserRound />}
              />
            ))}
          </RowList>
        </Section>
      </WithSide>
    </Page>
  );
}

/** Notice about changes that wait for the server or that it refused. */
function Waiting({ pending, refused }: { pending: boolean; refused: string | null }) {
  if (refused !== null) return <Refused words={refused} />;
  return pending ? <Notice tone="info" title={text.people.waits} /> : null;
}

function Breadcrumb() {
  return (
    <p className={classNames(styles, 'over')}>
      <Link href="/people">{text.people.title}</Link>
    </p>
  );
}

/** Link to the own page of a person or team, or to its editor at `place` if there is none yet. */
function PageLink({ of: { pageid, canWritePage }, place }: PageLinkProps) {
  if (pageid !== null) return <ButtonLink href={pageAddress(pageid)}>{text.people.page}</ButtonLink>;
  return canWritePage ? <ButtonLink href={`${place}/page`}>{text.people.writePage}</ButtonLink> : null;
}

interface PageLinkProps {
  of: Pick<PersonProfile, 'pageid' | 'canWritePage'>;
  place: string;
}
