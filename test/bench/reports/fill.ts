import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import { databaseName } from '#server/storage/sqlite.ts';
import { startServer } from '#test/support/server.ts';

/** How the data are laid out. */
export const guides = 50;
const teams = 50;
const peopleOfTeam = 10;
const stepsOfGuide = 10;
const numbersOfGuide = 5;
/** Each tenth order has a deviation, each twentieth misses a value. */
const deviating = 10;
const incomplete = 20;
const daySeconds = 24 * 3600;
/** The orders were finished evenly in this time. */
export const days = 730;

/** What the load needs about the data. */
export interface Ground {
  orders: number;
  admin: string;
  lead: string;
  worker: string;
  /** The team of the lead, and the first of the guides. */
  teamid: number;
  guideid: number;
  /** UNIX seconds: the end of the last order. */
  until: number;
}

/** The guid of a number field of a guide. */
export function fieldOf(guideid: number, place: number): string {
  return `00000000-0000-4000-8000-${String(guideid * 10 + place).padStart(12, '0')}`;
}

/** Fills a data folder with finished orders of 500 people in 50 teams, as reports count them. */
export async function fill(dataDir: string, orders: number): Promise<Ground> {
  const file = join(dataDir, 'ground.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Ground;
  const ground = await serve(dataDir, orders);
  const database = new BetterSqlite3(join(dataDir, databaseName));
  for (const pragma of ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -500000'])
    database.pragma(pragma);
  database.transaction(() => addOrders(database, ground))();
  database.close();
  writeFileSync(file, JSON.stringify(ground));
  return ground;
}

async function serve(dataDir: string, orders: number): Promise<Ground & { workerid: number }> {
  await using server = await startServer({ checked: false, dataDir });
  const admin = await server.person('Ada', ['User', 'Author', 'Admin']);
  const lead = await server.person('Lena', ['User', 'Author']);
  const worker = await server.person('Wim', ['User']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  // oxlint-disable-next-line no-restricted-properties -- the server of the run counts by the clock
  const until = Math.floor(Date.now() / 1000);
  const { token: workerToken, userid: workerid } = worker;
  const tokens = { admin: admin.token, lead: lead.token, worker: workerToken };
  return { orders, ...tokens, teamid, guideid: 5000, until, workerid };
}

/** A deviation as a device stores it, without its numbers. */
const deviation = JSON.stringify({
  title: 'Torque of screw 3 out of limits',
  note: 'Tightened twice, the washer seems to be of the wrong kind.',
  images: [],
  created: 1,
  userid: 10_000,
  disposition: null,
  value: {
    label: 'Torque of screw 1',
    field_type: 'Numeric Input',
    value: '3.9',
    unit: 'N·m',
    min: 2,
    max: 3,
  },
});

function addOrders(
  database: BetterSqlite3.Database,
  { orders, teamid, guideid, until, workerid }: Ground & { workerid: number },
): void {
  const max = (sql: string): number => Number(database.prepare(sql).pluck().get());
  const first = {
    audience: max('SELECT max(audience) + 1 FROM audiences'),
    seq: max('SELECT max(seq) + 1 FROM feed'),
    entryid: max('SELECT coalesce(max(entryid), 0) + 1 FROM work_log'),
  };
  database.exec(`UPDATE sqlite_sequence SET seq = ${first.seq + orders} WHERE name = 'feed'`);
  const people = teams * peopleOfTeam;
  const useridOf = (person: number): number => (person === 0 ? workerid : 10_000 + person);
  const audiences = database.prepare('INSERT INTO audiences (audience, principals) VALUES (?, ?)');
  for (let person = 0; person < people; person += 1) {
    const team = person < peopleOfTeam ? teamid : 1000 + Math.floor(person / peopleOfTeam);
    audiences.run(first.audience + person, `admin lead:${team} user:${useridOf(person)}`);
  }
  const e = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${orders - 1}),
    e AS (SELECT i, ${first.entryid} + i AS entryid, ${guideid} + i % ${guides} AS guideid,
      ${first.audience} + i * 7 % ${people} AS audience,
      iif(i * 7 % ${people} = 0, ${workerid}, 10000 + i * 7 % ${people}) AS userid,
      ${until} - 60 - CAST(i * ${days - 1}.0 * ${daySeconds} / ${orders} AS INTEGER) AS ended,
      600 + i * 7919 % 3600 AS active FROM n),
    k (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM k WHERE k < ${Math.max(stepsOfGuide, numbersOfGuide) - 1})`;
  database.exec(`INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
    ${e} SELECT entryid, guideid, userid, 'WO-' || i, 'complete', ended - 1000, ended FROM e`);
  database.exec(`INSERT INTO finished_orders (entryid, guideid, userid, ended, active, missing, audience)
    ${e} SELECT entryid, guideid, userid, ended, active, i % ${incomplete} = 5, audience FROM e`);
  database.exec(`INSERT INTO step_times (entryid, stepid, seconds)
    ${e} SELECT entryid, guideid * 100 + k, active / 10 + k * 7 FROM e, k WHERE k < ${stepsOfGuide}`);
  const guid = (place: string): string =>
    `'00000000-0000-4000-8000-' || printf('%012d', guideid * 10 + ${place})`;
  database.exec(`INSERT INTO missing_values (entryid, field_guid, stepid, label)
    ${e} SELECT entryid, ${guid('0')}, guideid * 100, 'Lot of the screws' FROM e WHERE i % ${incomplete} = 5`);
  database.exec(`INSERT INTO measured_numbers
      (field_guid, ended, entryid, stepid, label, unit, value, min, max, userid, at)
    ${e} SELECT ${guid('k')}, ended, entryid, guideid * 100 + k, 'Torque of screw ' || k, 'N·m',
      2.5 + (i * 7919 + k) % 1000 / 1000.0, 2, 3, userid, ended - 10 FROM e, k WHERE k < ${numbersOfGuide}`);
  database.exec(`INSERT INTO deviations (deviationid, entryid, guideid, workorderid, field_guid, decided)
    ${e} SELECT entryid, entryid, guideid, 'WO-' || i, ${guid('1')}, 0 FROM e WHERE i % ${deviating} = 3`);
  database
    .prepare(
      `INSERT INTO documents (collection, id, seq, audience, body, uid)
       ${e} SELECT 'deviations', CAST(entryid AS TEXT), ${first.seq} + i, audience,
         json_set(@deviation, '$.deviationid', entryid, '$.entryid', entryid, '$.guideid', guideid,
           '$.stepid', guideid * 100, '$.value.field_guid', ${guid('1')}), 'd' || i
       FROM e WHERE i % ${deviating} = 3`,
    )
    .run({ deviation });
}
