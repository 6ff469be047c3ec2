import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import { indexAll } from '#server/features/search/indexing.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { startServer } from '#test/support/server.ts';

import { writeCorpus } from '../corpus.ts';

/** How large a site is. */
export interface Size {
  guides: number;
  /** Finished work orders. */
  entries: number;
  /** Planned orders; one in ten is open. */
  planned: number;
}

/** What the load needs about the site. */
export interface Ground {
  admin: string;
  lead: string;
  worker: string;
  userid: number;
  teamid: number;
}

const teams = 50;
const peopleOfTeam = 10;

/** Fills an empty data folder: guides through the server, orders with SQL, because a million calls would take hours. */
export async function fill(dataDir: string, { guides, entries, planned }: Size): Promise<Ground> {
  const ground = await serve(dataDir, guides);
  const database = new BetterSqlite3(join(dataDir, databaseName));
  for (const pragma of ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -500000'])
    database.pragma(pragma);
  database.transaction(() => addOrders(database, ground, { guides, entries, planned }))();
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return ground;
}

async function serve(dataDir: string, guides: number): Promise<Ground> {
  await using server = await startServer({ checked: false, dataDir });
  const admin = await server.person('Ada', ['User', 'Author', 'Admin']);
  const lead = await server.person('Lena', ['User', 'Author']);
  const worker = await server.person('Wim', ['User']);
  await writeCorpus(server, guides, admin.userid);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  const order = { guideid: 1, workorderid: 'WO-0', teamid };
  const { status } = await lead.call('POST', '/work_orders', order);
  if (status !== 201) throw new Error(`POST /work_orders answered ${status}`);
  await indexAll(server.services);
  const tokens = { admin: admin.token, lead: lead.token, worker: worker.token };
  return { ...tokens, userid: worker.userid, teamid };
}

/** The rows of finished orders of 500 people in 50 teams, and copies of the planned order, with their feed. */
function addOrders(
  database: BetterSqlite3.Database,
  { teamid, userid }: Ground,
  { guides, entries, planned }: Size,
): void {
  const max = (sql: string): number => Number(database.prepare(sql).pluck().get());
  const people = teams * peopleOfTeam;
  const audience = max('SELECT max(audience) + 1 FROM audiences');
  const seq = max('SELECT max(seq) + 1 FROM feed');
  const entryid = max('SELECT coalesce(max(entryid), 0) + 1 FROM work_log');
  const add = database.prepare('INSERT INTO audiences (audience, principals) VALUES (?, ?)');
  for (let person = 0; person < people; person += 1) {
    const team = person < peopleOfTeam ? teamid : 1000 + Math.floor(person / peopleOfTeam);
    add.run(audience + person, `admin lead:${team} user:${person === 0 ? userid : 10_000 + person}`);
  }
  const rows = (count: number): string =>
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const e = `${rows(entries)}, e AS (SELECT i, ${entryid} + i AS entryid, 1 + i % ${guides} AS guideid,
    ${audience} + i * 7 % ${people} AS audience,
    iif(i * 7 % ${people} = 0, ${userid}, 10000 + i * 7 % ${people}) AS userid, 1700000000 + i AS at FROM n)`;
  database.exec(`INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
    ${e} SELECT entryid, guideid, userid, 'WO-' || i, 'complete', at, at + 900 FROM e`);
  const event = (type: string, after: number): string =>
    `json_object('type', '${type}', 'userid', userid, 'at', (at + ${after}) * 1000)`;
  database.exec(`INSERT INTO documents (collection, id, seq, audience, body, uid)
    ${e} SELECT 'workLog', CAST(entryid AS TEXT), ${seq} + i, audience, json_object('entryid', entryid,
      'uid', 'e' || i, 'guideid', guideid, 'workorderid', 'WO-' || i, 'guide_revisionid', guideid,
      'max_form_revisionid', 0, 'handoffid', NULL, 'images', json_array(),
      'events', json_array(${event('start', 0)}, ${event('finish', 900)})), 'e' || i FROM e`);
  database.exec(`INSERT INTO feed (seq, nonce, collection, id, audience_before, audience_after)
    ${e} SELECT ${seq} + i, hex(i), 'workLog', CAST(entryid AS TEXT), 0, audience FROM e`);
  const columns = 'guideid, workorderid, userid, teamid, status';
  database.exec(`INSERT INTO planned_orders (planned_orderid, ${columns})
    ${rows(planned)} SELECT planned_orderid + 1 + i, guideid, 'WO-' || i, userid, teamid,
      iif(i % 10 = 0, 'open', 'withdrawn') FROM n, planned_orders WHERE workorderid = 'WO-0'`);
  database.exec(`INSERT INTO documents (collection, id, seq, audience, body, uid)
    ${rows(planned)} SELECT collection, CAST(CAST(id AS INTEGER) + 1 + i AS TEXT), ${seq + entries} + i, audience,
      json_set(body, '$.planned_orderid', CAST(id AS INTEGER) + 1 + i, '$.workorderid', 'WO-' || i,
        '$.status', iif(i % 10 = 0, 'open', 'withdrawn')), 'p' || i
      FROM n, documents WHERE collection = 'plannedOrders'`);
  database.exec(`INSERT INTO feed (seq, nonce, collection, id, audience_before, audience_after)
    SELECT seq, hex(seq), collection, id, 0, audience FROM documents WHERE seq >= ${seq + entries}`);
}
