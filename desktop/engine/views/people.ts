import type { Observable } from 'rxjs';
import { combineLatest, map } from 'rxjs';

import type { PersonFacts, TeamFacts } from '#shared/model/user.ts';
import { renderBlocks } from '#shared/wikitext/html.ts';

import type { Directory, PersonCard, PersonProfile, TeamCard, TeamProfile } from './page-records.ts';
import { wikiContext } from './rendering.ts';
import type { Sources } from './sources.ts';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

interface Everybody {
  people: PersonFacts[];
  teams: TeamFacts[];
}

function everybody({ core }: Sources): Observable<Everybody> {
  return core.mirror.all('people').pipe(
    map((records) => {
      const facts = records.map((record) => record.facts);
      return {
        people: facts
          .filter((one) => one.kind === 'user')
          .toSorted((a, b) => collator.compare(a.username, b.username)),
        teams: facts
          .filter((one) => one.kind === 'team')
          .toSorted((a, b) => collator.compare(a.name, b.name)),
      };
    }),
  );
}

/** People who may sign in, and teams, by name. */
export function directory(sources: Sources): Observable<Directory> {
  return everybody(sources).pipe(
    map(({ people, teams }) => ({
      people: people.filter(({ enabled }) => enabled).map(personCard),
      teams: teams.map(teamCard),
    })),
  );
}

export function person(sources: Sources, userid: number): Observable<PersonProfile | null> {
  return combineLatest([everybody(sources), sources.me, sources.images, pageIds(sources)]).pipe(
    map(([{ people, teams }, me, images, pageids]) => {
      const facts = people.find((one) => one.userid === userid);
      if (facts === undefined) return null;
      const wiki = wikiContext(me.server, new Map(), images);
      return {
        ...personCard(facts),
        uniqueName: facts.unique_username,
        aboutHtml: facts.about_raw === '' ? '' : renderBlocks(facts.about_raw, wiki),
        location: facts.location ?? '',
        joinedAt: facts.join_date * 1000,
        badges: facts.badge_counts ?? { bronze: 0, silver: 0, gold: 0, total: 0 },
        privileges: facts.privileges,
        teams: teams.filter(({ teamid }) => facts.teams.includes(teamid)).map(teamCard),
        pageid: pageids.get(`USER:${userid}`) ?? null,
      };
    }),
  );
}

export function team(sources: Sources, teamid: number): Observable<TeamProfile | null> {
  return combineLatest([everybody(sources), pageIds(sources)]).pipe(
    map(([{ people, teams }, pageids]) => {
      const facts = teams.find((one) => one.teamid === teamid);
      if (facts === undefined) return null;
      const { name, imageGuid, description } = teamCard(facts);
      const members = people.filter(({ userid }) => facts.members.includes(userid));
      return {
        teamid,
        name,
        imageGuid,
        description,
        location: facts.location ?? '',
        reputation: members.reduce((sum, { reputation }) => sum + reputation, 0),
        owner: facts.owner,
        members: members.map(personCard),
        pageid: pageids.get(`TEAM:${teamid}`) ?? null,
      };
    }),
  );
}

/** Pages of people and teams, which bear their ids as titles. */
function pageIds({ core }: Sources): Observable<ReadonlyMap<string, string>> {
  return core.mirror
    .all('wikis')
    .pipe(
      map((records) => new Map(records.map(({ id, facts }) => [`${facts.namespace}:${facts.title}`, id]))),
    );
}

function personCard({ userid, username, image, reputation, summary }: PersonFacts): PersonCard {
  return { userid, name: username, imageGuid: image?.guid ?? null, reputation, summary: summary ?? '' };
}

function teamCard({ teamid, name, image, description, members }: TeamFacts): TeamCard {
  return { teamid, name, imageGuid: image?.guid ?? null, description, members: members.length };
}
