import type { RawBuilder } from 'kysely';

import { membershipsOf, principalsOf, type Memberships } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';
import type { WriteHook } from '#server/core/write.ts';
import { contains } from '#server/storage/dialect.ts';
import type { Changes } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db, Tx } from '#server/storage/tables.ts';

import { republishOpenWork } from './open-work.ts';

/** The privileges of every station. */
export const stationPrivileges = ['User', 'Kiosk'];

const allStations = prepared<Record<never, never>, { stationid: number }>((db) =>
  db.selectFrom('stations').select('stationid').orderBy('stationid'),
);

/**
 * Keeps the people of stations up to date. Runs in every write.
 *
 * - STATION-2 The people of a station are the members of its teams and those added by name, without kiosks and closed
 *   accounts. They change in the transaction in which a team, an account or the list of names changes. Since when and
 *   until when each was of it is kept.
 */
export const followPeople: WriteHook = async ({ tx, services, changes }) => {
  const touched = touchedPeople(changes);
  if (touched.size === 0) return;
  const seconds = Math.floor(services.now() / 1000);
  for (const { stationid } of await allStations(tx, {}))
    await followStation({ db: tx, changes, seconds }, stationid, touched.has(stationid) ? null : touched);
};

/** Ids of the people whose public facts a write changes; they name teams, privileges and whether the account is open. */
function touchedPeople({ records }: Changes): Set<number> {
  const ids = [...records].flatMap(({ collection, id }) =>
    collection === 'people' && id.startsWith('user:') ? [Number(id.slice('user:'.length))] : [],
  );
  return new Set(ids);
}

type Writing = Pick<Context, 'changes' | 'seconds'> & { db: Tx | Db };

/** Brings the people of a station up to date. `among`: those who may have changed; null: anybody. */
export async function followStation(
  ctx: Writing,
  stationid: number,
  among: ReadonlySet<number> | null = null,
): Promise<void> {
  const { db, seconds } = ctx;
  const present = await userids(presentRows, somePresentRows, db, stationid, among);
  const wanted = await userids(wantedRows, someWantedRows, db, stationid, among);
  const gone = [...present].filter((userid) => !wanted.has(userid));
  const fresh = [...wanted].filter((userid) => !present.has(userid));
  if (gone.length === 0 && fresh.length === 0) return;
  const before = await membershipsOf(db, stationid);
  for (const userid of gone)
    await db
      .updateTable('station_members')
      .set({ until: seconds })
      .where('stationid', '=', stationid)
      .where('userid', '=', userid)
      .where('until', 'is', null)
      .execute();
  for (const userid of fresh) {
    await db
      .insertInto('station_members')
      .values({ stationid, userid, since: seconds, until: null })
      .execute();
    // What waited needs no decision any more.
    await db
      .deleteFrom('station_former')
      .where('stationid', '=', stationid)
      .where('userid', '=', userid)
      .execute();
    await republishOpenWork(ctx, userid);
  }
  publishAccess(ctx, stationid, before, await membershipsOf(db, stationid));
}

type Rows = { userid: number }[];

async function userids(
  all: (db: Db, values: { stationid: number }) => Promise<Rows>,
  some: (db: Db, among: readonly number[], values: { stationid: number }) => Promise<Rows>,
  db: Db,
  stationid: number,
  among: ReadonlySet<number> | null,
): Promise<Set<number>> {
  const rows = among === null ? await all(db, { stationid }) : await some(db, [...among], { stationid });
  return new Set(rows.map(({ userid }) => userid));
}

function publishAccess(
  { changes }: Writing,
  stationid: number,
  before: Memberships,
  after: Memberships,
): void {
  changes.access(
    stationid,
    principalsOf(stationid, stationPrivileges, before),
    principalsOf(stationid, stationPrivileges, after),
  );
}

const presentRows = prepared<{ stationid: number }, { userid: number }>((db, value) =>
  presentOf(db, value('stationid')),
);
const somePresentRows = preparedList<{ stationid: number }, number, { userid: number }>((db, among, value) =>
  presentOf(db, value('stationid')).where('userid', 'in', among),
);
const wantedRows = prepared<{ stationid: number }, { userid: number }>((db, value) =>
  wantedOf(db, value('stationid')),
);
const someWantedRows = preparedList<{ stationid: number }, number, { userid: number }>((db, among, value) =>
  wantedOf(db, value('stationid')).where('userid', 'in', among),
);

function presentOf(db: Db, stationid: RawBuilder<number>) {
  return db
    .selectFrom('station_members')
    .select('userid')
    .where('stationid', '=', stationid)
    .where('until', 'is', null);
}

function wantedOf(db: Db, stationid: RawBuilder<number>) {
  const teams = db.selectFrom('team_members as own').select('own.teamid').where('own.userid', '=', stationid);
  const ofTeams = db.selectFrom('team_members').select('userid').where('teamid', 'in', teams);
  const named = db.selectFrom('station_named').select('userid').where('stationid', '=', stationid);
  return db
    .selectFrom('users')
    .select('userid')
    .where('enabled', '=', 1)
    .where((eb) => eb.not(contains(db, 'privileges', '"Kiosk"')))
    .where((eb) => eb.or([eb('userid', 'in', ofTeams), eb('userid', 'in', named)]));
}

/** Adds a person to a station by name. */
export async function addPerson(ctx: Context, stationid: number, userid: number): Promise<void> {
  await ctx.db
    .insertInto('station_named')
    .values({ stationid, userid })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await followStation(ctx, stationid);
}

/** Removes a person who was added by name. Returns false if the person was not. */
export async function removePerson(ctx: Context, stationid: number, userid: number): Promise<boolean> {
  const removed = await ctx.db
    .deleteFrom('station_named')
    .where('stationid', '=', stationid)
    .where('userid', '=', userid)
    .returning('userid')
    .executeTakeFirst();
  await followStation(ctx, stationid);
  return removed !== undefined;
}
