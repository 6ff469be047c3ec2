import { LRUCache } from 'lru-cache';

import type { Problem } from '#shared/api/problem.ts';

import type { Services } from './services.ts';
import type { Recording, StationCaller, Viewer } from './viewer.ts';

/** A station that sends calls for strangers gets one row of the audit log in this time, ms. */
const tellAgainMs = 3600 * 1000;
/** A waiting call that is tried again changes its row at most this often, seconds. */
const touchAfterSeconds = 60;

const told = new WeakMap<object, LRUCache<number, true>>();

/**
 * Notes that a station was refused a call in the name of a person, so that somebody learns of it.
 *
 * - STATION-12 A lead sees which former members have calls that wait on a station, and when they were recorded. Calls in
 *   the name of people who never were of it are in the audit log, one an hour for each station, and all of them in the
 *   log of the server: a stolen token is used like this.
 */
export async function noteRefusal(
  services: Services,
  { station, username }: Viewer,
  recording: Recording,
  { refusal, address }: { refusal: Problem; address: string },
): Promise<void> {
  if (station === undefined) return;
  if (refusal.code === 'station-needs-lead') return noteWaiting(services, station, recording);
  if (refusal.code !== 'not-of-station') return;
  const { stationid } = station;
  services.log.warn({ stationid, address }, 'a station sent a call in the name of somebody who is not of it');
  const recent = told.get(services.storage) ?? new LRUCache({ max: 1000, ttl: tellAgainMs });
  told.set(services.storage, recent);
  if (recent.has(stationid)) return;
  recent.set(stationid, true);
  const origin = { userid: stationid, name: username, action: 'call of a station for a stranger', address };
  await services.storage.write(origin, async (_tx, note) => {
    note.outcome = 'refused';
    note.object = { kind: 'station', id: String(stationid) };
    note.facts = { accountid: recording.accountid, recorded: new Date(recording.recordedMs).toISOString() };
  });
}

async function noteWaiting(
  { storage, now }: Services,
  { stationid, name }: StationCaller,
  { accountid, recordedMs }: Recording,
): Promise<void> {
  const seconds = Math.floor(now() / 1000);
  const recorded = Math.floor(recordedMs / 1000);
  const known = await storage.reader
    .selectFrom('station_former')
    .innerJoin('users', 'users.userid', 'station_former.userid')
    .selectAll('station_former')
    .where('stationid', '=', stationid)
    .where('accountid', '=', accountid)
    .executeTakeFirst();
  const isWaiting = known !== undefined && known.first_tried > (known.decided_date ?? 0);
  if (isWaiting && known.last_tried > seconds - touchAfterSeconds) {
    const isCovered = known.earliest <= recorded && recorded <= known.latest;
    if (isCovered) return;
  }
  const origin = { userid: stationid, name, action: 'waiting calls of a station' };
  await storage.write(origin, async (tx) => {
    const { userid } = await tx
      .selectFrom('users')
      .select('userid')
      .where('accountid', '=', accountid)
      .executeTakeFirstOrThrow();
    const row = {
      // Later than the decision, which still counts for what it covers.
      first_tried: isWaiting ? known.first_tried : Math.max(seconds, (known?.decided_date ?? 0) + 1),
      last_tried: seconds,
      earliest: isWaiting ? Math.min(known.earliest, recorded) : recorded,
      latest: isWaiting ? Math.max(known.latest, recorded) : recorded,
    };
    const undecided = { decision: null, decided_by: null, decided_date: null };
    await tx
      .insertInto('station_former')
      .values({ stationid, userid, ...row, ...undecided })
      .onConflict((conflict) => conflict.columns(['stationid', 'userid']).doUpdateSet(row))
      .execute();
  });
}
