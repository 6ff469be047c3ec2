import type { Selectable } from 'kysely';

import { Problem } from '#shared/api/problem.ts';
import { acceptedSeconds } from '#shared/rules/stations.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { AuditNote } from '#server/storage/audit/origin.ts';
import type { Db, Tables, Tx } from '#server/storage/tables.ts';

import { membershipsOf, type Recording, type StationCaller, type Viewer } from './viewer.ts';

/** The station whose device has this token; undefined for every other session. `name`: of its account. */
export async function stationOfToken(
  db: Db,
  tokenHash: string,
  name: string,
): Promise<StationCaller | undefined> {
  const [row] = await stationRow(db, { tokenHash });
  return row === undefined ? undefined : { stationid: row.stationid, name };
}

const stationRow = prepared<{ tokenHash: string }, { stationid: number }>((db, value) =>
  db.selectFrom('stations').select('stationid').where('token_hash', '=', value('tokenHash')),
);

const endings = {
  revoked: {
    code: 'station-revoked',
    message:
      'This station was shut out. What is recorded on it stays here. An administrator can enrol it again with a new code',
  },
  replaced: {
    code: 'station-replaced',
    message:
      'Another device is this station now. What is recorded here stays here until an administrator enrols this device again',
  },
} as const;

/**
 * Throws 401 in plain words if the token belonged to a device that no longer is a station. Its session may also have
 * ended like any other: unused for 90 days, or by an administrator.
 */
export async function refuseEndedStation(db: Db, tokenHash: string): Promise<void> {
  const [ended] = await endedRow(db, { tokenHash });
  if (ended === undefined && (await stationRow(db, { tokenHash })).length === 0) return;
  const { code, message } = endings[ended?.reason ?? 'revoked'];
  throw new Problem('unauthorized', message, { code });
}

const endedRow = prepared<{ tokenHash: string }, Pick<Tables['ended_station_tokens'], 'reason'>>(
  (db, value) =>
    db.selectFrom('ended_station_tokens').select('reason').where('token_hash', '=', value('tokenHash')),
);

/**
 * The viewer of a call that a station sends in the name of a person: the person, with the privileges of the station and
 * with what the station can read.
 *
 * - STATION-6 A station acts for people who are of it now, wherever they were when they recorded. For everybody else the
 *   answer is 403 `not-of-station`, whether or not the account exists.
 * - STATION-7 In the name of a person who was of it, but no longer is, the answer is 403 `station-needs-lead`, also for
 *   what was recorded after the end: the station may not have known. Once a lead has accepted, calls that were recorded
 *   before that pass for seven days; once a lead has refused, the answer is `not-of-station`.
 * - STATION-8 The caller is the person, with the teams of the person and what a kiosk may do. Other privileges of the
 *   person, and what only the person can see, do not count. So nobody reads more by calling in the name of others.
 * @throws Problem 403
 */
export async function recordingViewer(
  db: Db,
  caller: Viewer,
  recording: Recording,
  seconds: number,
): Promise<Viewer> {
  const { station } = caller;
  if (station === undefined) throw new Error('Expected a station');
  const [person] = await personRow(db, recording);
  const standing =
    person === undefined ? 'stranger' : await standingOf(db, station, person.userid, recording, seconds);
  if (person === undefined || standing === 'stranger')
    throw new Problem('forbidden', 'This person does not belong to this station', { code: 'not-of-station' });
  if (standing === 'former')
    throw new Problem(
      'forbidden',
      `${person.username} no longer belongs to this station. A lead decides whether to accept what was recorded; until then it stays on this device`,
      { code: 'station-needs-lead' },
    );
  const { userid, username } = person;
  const { teams } = await membershipsOf(db, userid);
  const principals = [...new Set([...caller.principals, `stations:${userid}` as const])];
  return {
    ...caller,
    userid,
    username,
    teams,
    leads: [],
    principals,
    station: { ...station, for: recording },
  };
}

const personRow = prepared<{ accountid: string }, { userid: number; username: string }>((db, value) =>
  db.selectFrom('users').select(['userid', 'username']).where('accountid', '=', value('accountid')),
);

type Standing = 'present' | 'former' | 'stranger';

async function standingOf(
  db: Db,
  { stationid }: StationCaller,
  userid: number,
  { recordedMs }: Recording,
  seconds: number,
): Promise<Standing> {
  const spans = await memberships(db, { stationid, userid });
  if (spans.some(({ until }) => until === null)) return 'present';
  const first = Math.min(...spans.map(({ since }) => since));
  if (recordedMs < first * 1000) return 'stranger';
  const [decided] = await decisionRow(db, { stationid, userid });
  if (decided?.decision === 'refused') return 'stranger';
  const { decision, decided_date } = decided ?? {};
  if (decision !== 'accepted' || decided_date == null) return 'former';
  // The decision is stored in seconds: what was recorded within its second counts as before it.
  const isCovered = recordedMs < (decided_date + 1) * 1000 && seconds <= decided_date + acceptedSeconds;
  return isCovered ? 'present' : 'former';
}

const memberships = prepared<{ stationid: number; userid: number }, { since: number; until: number | null }>(
  (db, value) =>
    db
      .selectFrom('station_members')
      .select(['since', 'until'])
      .where('stationid', '=', value('stationid'))
      .where('userid', '=', value('userid')),
);

const decisionRow = prepared<
  { stationid: number; userid: number },
  Pick<Tables['station_former'], 'decision' | 'decided_date'>
>((db, value) =>
  db
    .selectFrom('station_former')
    .select(['decision', 'decided_date'])
    .where('stationid', '=', value('stationid'))
    .where('userid', '=', value('userid')),
);

/**
 * Notes a call that a station makes in the name of a person; any other call is not noted. `note` has the record of the
 * call. `action`: method and path of the endpoint.
 *
 * - STATION-9 The row of the audit log has the person as its author, and names the station and when it was recorded. Each
 *   call is listed as an arrival of the station.
 */
export async function noteRecording(
  tx: Tx,
  note: AuditNote,
  { station, userid }: Viewer,
  action: string,
  nowMs: number,
): Promise<void> {
  if (station?.for === undefined) return;
  const { stationid, name } = station;
  const { recordedMs } = station.for;
  note.facts = { ...note.facts, stationid, station: name, recorded: new Date(recordedMs).toISOString() };
  const { kind: object, id: objectid } = note.object ?? { kind: '', id: '' };
  await storeArrival(tx, {
    stationid,
    userid,
    date: Math.floor(nowMs / 1000),
    recorded_date: Math.floor(recordedMs / 1000),
    action,
    object,
    objectid,
  });
}

type NewArrival = Omit<Selectable<Tables['station_arrivals']>, 'arrivalid'>;

const storeArrival = prepared<NewArrival, unknown>((db, value) =>
  db.insertInto('station_arrivals').values({
    stationid: value('stationid'),
    userid: value('userid'),
    date: value('date'),
    recorded_date: value('recorded_date'),
    action: value('action'),
    object: value('object'),
    objectid: value('objectid'),
  }),
);

/** Whether the station sent the file, in whoever's name. `kind`: as the record of the call is named. */
export async function isSentBy(
  db: Db,
  { stationid }: StationCaller,
  object: 'image' | 'document' | 'video',
  id: number,
): Promise<boolean> {
  return (await arrivalOf(db, { stationid, object, objectid: String(id) })).length > 0;
}

const arrivalOf = prepared<{ stationid: number; object: string; objectid: string }, { arrivalid: number }>(
  (db, value) =>
    db
      .selectFrom('station_arrivals')
      .select('arrivalid')
      .where('stationid', '=', value('stationid'))
      .where('object', '=', value('object'))
      .where('objectid', '=', value('objectid'))
      .limit(1),
);
