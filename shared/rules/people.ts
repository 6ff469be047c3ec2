import type { GuideFacts } from '#shared/model/guide.ts';
import { imageObjectOf } from '#shared/model/image.ts';
import type { Team } from '#shared/model/team.ts';
import type { PersonFacts, TeamFacts, User, UserSummary } from '#shared/model/user.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';

import { teamPath, userPath } from './urls.ts';

/** The UserSummary of the API: authors of guides and comments, items of lists. */
export function userSummaryRecord(person: PersonFacts, baseUrl: string): UserSummary {
  return {
    userid: person.userid,
    username: person.username,
    unique_username: person.unique_username,
    join_date: person.join_date,
    image: person.image === null ? null : imageObjectOf(person.image, baseUrl),
    reputation: person.reputation,
    url: baseUrl + userPath(person),
    teams: person.teams,
    privileges: person.privileges,
  };
}

/** The author of a guide: the summary with the two keys that live servers add there, without privileges. */
export function authorRecord(person: PersonFacts, baseUrl: string): UserSummary {
  const { privileges: _privileges, ...summary } = userSummaryRecord(person, baseUrl);
  return { ...summary, banned: null, enabled: person.enabled };
}

/** The author of a comment: with privileges (spec, "Comment object") and the keys that live servers add. */
export function commentAuthorRecord(person: PersonFacts, baseUrl: string): UserSummary {
  return { ...userSummaryRecord(person, baseUrl), banned: null, enabled: person.enabled };
}

/** The full user record of the API. Empty `about` is false, as live servers answer. */
export function userRecord(person: PersonFacts, baseUrl: string, wiki: WikiContext): User {
  return {
    userid: person.userid,
    username: person.username,
    unique_username: person.unique_username,
    image: person.image === null ? null : imageObjectOf(person.image, baseUrl),
    teams: person.teams,
    reputation: person.reputation,
    join_date: person.join_date,
    location: person.location,
    latitude: person.latitude,
    longitude: person.longitude,
    certification_count: 0,
    badge_counts: person.badge_counts ?? { bronze: 0, silver: 0, gold: 0, total: 0 },
    summary: person.summary,
    about_raw: person.about_raw === '' ? false : person.about_raw,
    about_rendered: person.about_raw === '' ? false : renderBlocks(person.about_raw, wiki),
    privileges: person.privileges,
  };
}

/** A team in the list of teams. `reputation`: the sum over its members. */
export function teamRecord(team: TeamFacts, reputation: number, baseUrl: string): Team {
  return {
    teamid: team.teamid,
    name: team.name,
    description: team.description,
    owner: team.owner,
    image: team.image === null ? null : imageObjectOf(team.image, baseUrl),
    url: baseUrl + teamPath(team),
    location: team.location,
    latitude: team.latitude,
    longitude: team.longitude,
    reputation,
    member_count: team.members.length,
    new_member_since: team.new_member_since,
  };
}

/** The author of a guide: their number on their site, and their name. */
export interface GuideAuthor {
  userid: number;
  name: string;
}

/**
 * The author that archives and pages name for an imported guide: its author on the original site, while the guide still
 * belongs to the person to whom the import gave it. Undefined: its owner on this site.
 */
export function authorElsewhere({
  userid,
  archived_author: archived,
}: Pick<GuideFacts, 'userid' | 'archived_author'>): GuideAuthor | undefined {
  if (archived === undefined || archived.given_userid !== userid) return undefined;
  return { userid: archived.userid, name: archived.name };
}
