import type { Selectable } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import {
  stationSettings,
  type Station,
  type StationDetail,
  type StationSettings,
} from '#shared/model/station.ts';
import { must } from '#shared/must.ts';
import type { Context } from '#server/core/context.ts';
import { teamsOf } from '#server/core/viewer.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { can } from './access.ts';

type StationRow = Selectable<Tables['stations']>;

function stationRows(db: Db) {
  return db
    .selectFrom('stations')
    .innerJoin('users', 'users.userid', 'stations.stationid')
    .selectAll('stations')
    .select(['username', 'accountid']);
}

/** The settings of a station. Settings that were added later have their defaults. */
export function settingsOf({ settings }: Pick<StationRow, 'settings'>): StationSettings {
  return stationSettings.parse(JSON.parse(settings));
}

/** The stations that the caller sees, ordered by stationid. */
export async function listStations(
  ctx: Context,
  page: { order: 'ASC' | 'DESC'; limit: number; offset: number },
): Promise<Station[]> {
  const { viewer } = ctx;
  let select = stationRows(ctx.db);
  if (!can(viewer, 'station.see', { teams: [] })) {
    const led = viewer.leads.filter((teamid) => can(viewer, 'station.see', { teams: [teamid] }));
    const own = ctx.db
      .selectFrom('team_members')
      .select('userid')
      .where('teamid', 'in', [0, ...led]);
    select = select.where('stationid', 'in', own);
  }
  const sorted = select.orderBy('stationid', page.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, sorted, page);
  const records: Station[] = [];
  for (const row of rows) records.push(await recordOf(ctx, row));
  return records;
}

type NamedRow = StationRow & { username: string; accountid: string };

async function recordOf(ctx: Context, row: NamedRow): Promise<Station> {
  const { db, seconds, services } = ctx;
  const { stationid, accountid, username: name, place, token_hash, waiting, waiting_since } = row;
  const { former_waiting } = await db
    .selectFrom('station_former')
    .select((eb) => eb.fn.countAll<number>().as('former_waiting'))
    .where('stationid', '=', stationid)
    .where((eb) => eb.or([eb('decision', 'is', null), eb('first_tried', '>', eb.ref('decided_date'))]))
    .executeTakeFirstOrThrow();
  const isCodeWaiting = row.code_expires !== null && row.code_expires >= seconds;
  return {
    stationid,
    accountid,
    name,
    place,
    teams: await teamsOf(db, stationid),
    settings: settingsOf(row),
    status: (await hasSession(db, token_hash))
      ? 'enrolled'
      : row.enrolled_date === null
        ? 'waiting'
        : 'revoked',
    created_date: row.created_date,
    code_expires_date: isCodeWaiting ? row.code_expires : null,
    enrolled_date: row.enrolled_date,
    device: row.device,
    app_version: row.app_version,
    contact_date: row.contact_date,
    is_connected: token_hash !== null && services.devices.isConnected(token_hash),
    waiting: waiting === null ? null : { count: waiting, since: waiting_since },
    failed_tries: row.failed_tries,
    revoked_date: row.revoked_date,
    former_waiting,
  };
}

async function hasSession(db: Db, tokenHash: string | null): Promise<boolean> {
  if (tokenHash === null) return false;
  const row = await db
    .selectFrom('tokens')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** A station with its people. Throws 404 if it does not exist; the caller has checked that the viewer may see it. */
export async function representStation(ctx: Context, stationid: number): Promise<StationDetail> {
  const { db } = ctx;
  const row = await stationRows(db).where('stationid', '=', stationid).executeTakeFirst();
  if (row === undefined) throw notFound('Station');
  return {
    ...(await recordOf(ctx, row)),
    people: await presentPeople(db, stationid),
    former: await formerMembers(db, stationid),
  };
}

async function presentPeople(db: Db, stationid: number): Promise<StationDetail['people']> {
  const rows = await db
    .selectFrom('station_members')
    .innerJoin('users', 'users.userid', 'station_members.userid')
    .select(['station_members.userid', 'username', 'since'])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('station_named')
            .select('station_named.userid')
            .where('station_named.stationid', '=', stationid)
            .whereRef('station_named.userid', '=', 'station_members.userid'),
        )
        .as('by_name'),
      eb
        .exists(
          eb
            .selectFrom('station_pins')
            .select('station_pins.userid')
            .whereRef('station_pins.userid', '=', 'station_members.userid'),
        )
        .as('has_pin'),
      eb
        .selectFrom('station_badges')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('station_badges.userid', '=', 'station_members.userid')
        .where('revoked_date', 'is', null)
        .as('badges'),
    ])
    .where('station_members.stationid', '=', stationid)
    .where('until', 'is', null)
    .orderBy('station_members.userid')
    .execute();
  return rows.map(({ by_name, has_pin, badges, ...row }) => ({
    ...row,
    by_name: Boolean(by_name),
    has_pin: Boolean(has_pin),
    badges: badges ?? 0,
  }));
}

const undecided = { decision: null, decided_by: null, decided_date: null };

const formerColumns = [
  'station_former.userid',
  'username',
  'first_tried',
  'last_tried',
  'earliest',
  'latest',
  'decision',
  'decided_by',
  'decided_date',
] as const;

async function formerMembers(db: Db, stationid: number): Promise<StationDetail['former']> {
  const rows = await db
    .selectFrom('station_former')
    .innerJoin('users', 'users.userid', 'station_former.userid')
    .innerJoin('station_members', (join) =>
      join
        .onRef('station_members.userid', '=', 'station_former.userid')
        .onRef('station_members.stationid', '=', 'station_former.stationid'),
    )
    .select(formerColumns)
    .select((eb) => eb.fn.max('until').as('until'))
    .where('station_former.stationid', '=', stationid)
    .groupBy(formerColumns)
    .orderBy('station_former.userid')
    .execute();
  return rows.map((row) => ({
    ...row,
    // Something that the decision does not cover waits again.
    ...(row.first_tried > (row.decided_date ?? 0) ? undecided : {}),
    until: must(row.until, 'the end of the membership'),
  }));
}
