import { type Observable, combineLatest, map } from 'rxjs';

import type { PersonFacts, TeamFacts } from '#shared/model/user.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';

import type { OutboxCall } from '../platform/ports.ts';
import type {
  ProfileEdit,
  Directory,
  PersonCard,
  PersonProfile,
  TeamCard,
  TeamProfile,
} from '../api/page-records.ts';
import { personId, profileEditOf, teamId } from '../outbox/kinds/people.ts';
import { wikiContext } from '../features/records/rendering.ts';
import { localPages } from './pages.ts';
import { type Sources, aboutPeople } from '../features/records/sources.ts';
import { pageRights } from '../features/records/wiki-access.ts';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** People who may sign in, and teams, sorted by name. */
export function directory(sources: Sources): Observable<Directory> {
  return sources.people.pipe(
    map(({ people, teams }) => ({
      people: byName(people.filter(({ enabled }) => enabled).map(personCard)),
      teams: byName(teams.map(teamCard)),
    })),
  );
}

/** The profile of one person; null when this device does not have it. */
export function person(sources: Sources, userid: number): Observable<PersonProfile | null> {
  const { people: everybody, me: viewer, images: pictures } = sources;
  return combineLatest([everybody, viewer, pictures, pageIds(sources), aboutPeople(sources.calls)]).pipe(
    map(([{ people, teams, pending }, me, images, pageids, calls]) => {
      const facts = people.find((one) => one.userid === userid);
      if (facts === undefined) return null;
      const wiki = wikiContext(me.server, [], images);
      const isOwn = me.userid === userid && !isBeyondKiosk(me, 'person.edit');
      const pageid = pageids.get(`USER:${userid}`) ?? null;
      return {
        ...personCard(facts),
        uniqueName: facts.unique_username,
        aboutHtml: facts.about_raw === '' ? '' : renderBlocks(facts.about_raw, wiki),
        location: facts.location ?? '',
        joinedAt: facts.join_date * 1000,
        badges: facts.badge_counts ?? { bronze: 0, silver: 0, gold: 0, total: 0 },
        privileges: facts.privileges,
        teams: byName(teams.filter(({ teamid }) => facts.teams.includes(teamid)).map(teamCard)),
        pageid,
        canWritePage: pageid === null && pageRights({ ...me, teams: [] }, 'USER', String(userid)).canEdit,
        pending: pending.has(personId(userid)),
        refused: refusalOf(calls, personId(userid)),
        editable: isOwn ? editableProfile(facts, calls) : null,
      };
    }),
  );
}

/** The profile with which an editor begins: the newest texts, including those of refused edits. */
function editableProfile(facts: PersonFacts, calls: readonly OutboxCall[]): Required<ProfileEdit> {
  const own = calls.filter(({ target }) => target.id === personId(facts.userid));
  const { username, unique_username, summary, about_raw, location, image } = facts;
  const edits = own.flatMap((call) => (call.state === 'parked' ? (profileEditOf(call) ?? []) : []));
  return Object.assign(
    {
      name: username,
      uniqueName: unique_username,
      summary: summary ?? '',
      about: about_raw,
      location: location ?? '',
      image,
    },
    ...edits,
  ) as Required<ProfileEdit>;
}

/** The server's message about a refused change of a person or team; null when there is none. */
function refusalOf(calls: readonly OutboxCall[], id: string): string | null {
  return (
    calls.findLast(({ target, state }) => target.id === id && state === 'parked')?.refusal?.message ?? null
  );
}

/** One team; null when this device does not have it. */
export function team(sources: Sources, teamid: number): Observable<TeamProfile | null> {
  return combineLatest([sources.people, sources.me, pageIds(sources), aboutPeople(sources.calls)]).pipe(
    map(([{ people, teams, pending }, me, pageids, calls]) => {
      const facts = teams.find((one) => one.teamid === teamid);
      if (facts === undefined) return null;
      const { name, imageGuid, description } = teamCard(facts);
      const members = people.filter(({ userid }) => facts.members.includes(userid));
      const isIn = facts.members.includes(me.userid);
      const pageid = pageids.get(`TEAM:${teamid}`) ?? null;
      const isWaiting = pending.has(teamId(teamid));
      // While joining waits, the server does not count the person as a member.
      const teamsOfMe = isIn && !isWaiting ? [teamid] : [];
      return {
        teamid,
        name,
        imageGuid,
        description,
        location: facts.location ?? '',
        reputation: members.reduce((sum, { reputation }) => sum + reputation, 0),
        owner: facts.owner,
        members: byName(members.map(personCard)),
        pageid,
        canWritePage:
          pageid === null && pageRights({ ...me, teams: teamsOfMe }, 'TEAM', String(teamid)).canEdit,
        pending: isWaiting,
        refused: refusalOf(calls, teamId(teamid)),
        canJoin: !isIn && me.userid !== 0 && !isBeyondKiosk(me, 'team.addMember'),
        canLeave: isIn && !isBeyondKiosk(me, 'team.removeMember'),
      };
    }),
  );
}

function byName<T extends { name: string }>(cards: readonly T[]): T[] {
  return cards.toSorted((a, b) => collator.compare(a.name, b.name));
}

/** Pages of people and teams by namespace and title, which is the id. Waiting pages are included. */
function pageIds(sources: Sources): Observable<ReadonlyMap<string, string>> {
  return localPages(sources).pipe(
    map((pages) => {
      const originals = pages.filter(({ version }) => (version?.source_revisionid ?? null) === null);
      return new Map(originals.map((one) => [`${one.namespace}:${one.content.title}`, one.wikiid]));
    }),
  );
}

function personCard({ userid, username, image, reputation, summary }: PersonFacts): PersonCard {
  return { userid, name: username, imageGuid: image?.guid ?? null, reputation, summary: summary ?? '' };
}

function teamCard({ teamid, name, image, description, members }: TeamFacts): TeamCard {
  return { teamid, name, imageGuid: image?.guid ?? null, description, members: members.length };
}
