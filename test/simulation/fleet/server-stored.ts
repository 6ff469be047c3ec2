import type { Db } from '#server/storage/tables.ts';

/** All stored data that the checks read. */
export interface Stored {
  /** SHA-256 of the pictures. */
  files: string[];
  documents: { collection: string; id: string; body: string }[];
  /** Earlier versions of guides and pages. */
  past: string[];
  /** Deleted replies to deleted comments. */
  deletedReplies: { text: string; answered: string }[];
  users: { userid: number; username: string; privileges: string[]; enabled: boolean }[];
  members: { teamid: number; userid: number }[];
  teams: { teamid: number; owner: number | null }[];
  tags: string[];
  guideTags: { guideid: number; name: string }[];
  favorites: { userid: number; guideid: number }[];
  completions: { userid: number; guideid: number }[];
  stations: StoredStation[];
}

/** A station, and who is and was of it. Times are UNIX seconds. */
export interface StoredStation {
  stationid: number;
  /** What its device reported. */
  failedTries: number | null;
  members: { userid: number; since: number; until: number | null }[];
  /** Former members in whose name calls wait. */
  former: { userid: number; decision: string | null }[];
  arrivals: { userid: number; date: number; recorded: number; action: string }[];
}

/** Reads all data that the checks need. */
export async function readStored(reader: Db): Promise<Stored> {
  const images = await reader.selectFrom('images').select('sha256').execute();
  const documents = await reader.selectFrom('documents').select(['collection', 'id', 'body']).execute();
  const versions = await reader.selectFrom('guide_revisions').select('body').execute();
  const pages = await reader.selectFrom('wiki_revisions').select('body').execute();
  const deletedReplies = await reader
    .selectFrom('comments')
    .innerJoin('comments as parents', 'parents.commentid', 'comments.parentid')
    .select(['comments.text_raw as text', 'parents.text_raw as answered'])
    .where('comments.status', '=', 'deleted')
    .where('parents.status', '=', 'deleted')
    .execute();
  const users = await reader
    .selectFrom('users')
    .select(['userid', 'username', 'privileges', 'enabled'])
    .execute();
  const guideTags = await reader
    .selectFrom('guide_tags')
    .innerJoin('tags', 'tags.tagid', 'guide_tags.tagid')
    .select(['guideid', 'name'])
    .execute();
  return {
    files: images.flatMap(({ sha256 }) => sha256 ?? []),
    documents,
    past: [...versions, ...pages].map(({ body }) => body),
    deletedReplies,
    users: users.map(({ userid, username, privileges, enabled }) => ({
      userid,
      username,
      privileges: JSON.parse(privileges) as string[],
      enabled: enabled === 1,
    })),
    members: await reader.selectFrom('team_members').select(['teamid', 'userid']).execute(),
    teams: await reader.selectFrom('teams').select(['teamid', 'owner']).execute(),
    tags: (await reader.selectFrom('tags').select('name').execute()).map(({ name }) => name),
    guideTags,
    favorites: await reader.selectFrom('favorites').select(['userid', 'guideid']).execute(),
    completions: await reader.selectFrom('completions').select(['userid', 'guideid']).execute(),
    stations: await readStations(reader),
  };
}

async function readStations(reader: Db): Promise<StoredStation[]> {
  const stations = await reader.selectFrom('stations').select(['stationid', 'failed_tries']).execute();
  const found: StoredStation[] = [];
  for (const { stationid, failed_tries: failedTries } of stations) {
    const members = await reader
      .selectFrom('station_members')
      .select(['userid', 'since', 'until'])
      .where('stationid', '=', stationid)
      .execute();
    const former = await reader
      .selectFrom('station_former')
      .select(['userid', 'decision'])
      .where('stationid', '=', stationid)
      .execute();
    const arrivals = await reader
      .selectFrom('station_arrivals')
      .select(['userid', 'date', 'recorded_date as recorded', 'action'])
      .where('stationid', '=', stationid)
      .execute();
    found.push({ stationid, failedTries, members, former, arrivals });
  }
  return found;
}
