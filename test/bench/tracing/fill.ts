import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import type { StepForm } from '#shared/model/step-form.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

/** How the data are laid out. Each unit has all its orders in one team. */
export const teams = 50;
const peopleOfTeam = 10;
export const ordersOfUnit = 20;
/** Every tenth order uses the same lot. */
export const commonLot = 'LOT COMMON';

/** What the load needs about the data. `made`: number of entries so far. */
export interface Ground {
  entries: number;
  made: number;
  admin: string;
  lead: string;
  units: number;
  teamid: number;
  /** Audiences, feed and entries of the copies begin here. */
  first: { audience: number; seq: number; entryid: number };
  templates: Templates;
  /** SQL of the indexes and triggers that are made at the end. */
  indexes: string[];
}

/** Number of entries that are added at a time. */
const together = 100_000;
const groundName = 'ground.json';

/** The serial number of a unit. Units 0, 50, 100 … are those of the team of the lead. */
export function unitNumber(unit: number): string {
  return `SN-${String(unit).padStart(6, '0')}`;
}

/**
 * Fills a data folder with copies of two orders that a server stored: one as it should be, and one in ten with a deviation.
 * The copies have their own numbers and belong to the people of 50 teams. Continues a folder that was filled in part.
 */
export async function fill(dataDir: string, entries: number): Promise<Ground> {
  const file = join(dataDir, groundName);
  const ground: Ground = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Ground)
    : await prepare(dataDir, entries);
  const database = new BetterSqlite3(join(dataDir, databaseName));
  for (const pragma of ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -1000000'])
    database.pragma(pragma);
  const keep = (): void => writeFileSync(file, JSON.stringify(ground));
  if (ground.made === 0) database.transaction(() => addAudiences(database, ground))();
  while (ground.made < ground.entries) {
    const until = Math.min(ground.made + together, ground.entries);
    database.transaction(() => addEntries(database, ground, until))();
    ground.made = until;
    keep();
  }
  for (const index of ground.indexes.splice(0)) database.exec(index);
  keep();
  database.close();
  return ground;
}

function addAudiences(database: BetterSqlite3.Database, { first, teamid, entries }: Ground): void {
  // No later row of the feed gets the number of a document.
  database.exec(`UPDATE sqlite_sequence SET seq = ${first.seq + 2 * entries} WHERE name = 'feed'`);
  const insert = database.prepare('INSERT OR IGNORE INTO audiences (audience, principals) VALUES (?, ?)');
  for (let person = 0; person < teams * peopleOfTeam; person += 1) {
    const team = Math.floor(person / peopleOfTeam);
    insert.run(
      first.audience + person,
      `admin lead:${team === 0 ? teamid : 1000 + team} user:${10_000 + person}`,
    );
  }
}

/** Adds the entries up to a number. */
function addEntries(
  database: BetterSqlite3.Database,
  { first, units, made, entries, templates }: Ground,
  until: number,
): void {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT ${made} UNION ALL SELECT i + 1 FROM n WHERE i < ${until - 1}),
    e AS (SELECT i, ${first.entryid} + i AS entryid, i % 10 = 3 AS deviates,
      ${first.audience} + (i % ${units}) % ${teams} * ${peopleOfTeam} + (i / ${units}) % ${peopleOfTeam} AS audience,
      'SN-' || printf('%06d', i % ${units}) AS serial, 'B-' || printf('%08d', i) AS battery,
      iif(i % 10 = 0, '${commonLot}', 'LOT ' || i % 9000) AS lot FROM n)`;
  database.exec(`INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
    ${numbers} SELECT entryid, ${templates.guideid}, ${templates.userid}, 'WO-' || i, 'complete', 5, 6 FROM e`);
  const body = (name: string): string =>
    `replace(replace(replace(replace(${name}, '"entryid":0', '"entryid":' || entryid), '@UNIT@', serial),
      '@BATTERY@', battery), '@LOT@', lot)`;
  database
    .prepare(
      `INSERT INTO documents (collection, id, seq, audience, body, uid) ${numbers}
       SELECT 'workLog', CAST(entryid AS TEXT), ${first.seq} + i, audience,
         ${body('iif(deviates, @deviating, @plain)')}, 'u' || i FROM e`,
    )
    .run({ deviating: templates.deviating, plain: templates.plain });
  database.exec(`INSERT INTO deviations (deviationid, entryid, guideid, workorderid, field_guid, decided)
    ${numbers} SELECT entryid, entryid, ${templates.guideid}, 'WO-' || i, 'g', 0 FROM e WHERE deviates`);
  database
    .prepare(
      `INSERT INTO documents (collection, id, seq, audience, body, uid) ${numbers}
       SELECT 'deviations', CAST(entryid AS TEXT), ${first.seq + entries} + i, audience,
         replace(${body('@deviation')}, '"deviationid":0', '"deviationid":' || entryid), 'd' || i
       FROM e WHERE deviates`,
    )
    .run({ deviation: templates.deviation });
  database.exec(`INSERT INTO traced_numbers (number, entryid, kind, audience, text)
    SELECT lower(text), entryid, kind, audience, text FROM (
      ${numbers} SELECT entryid, 'unit' AS kind, audience, serial AS text FROM e
      UNION ALL SELECT entryid, 'part', audience, battery FROM e
      UNION ALL SELECT entryid, 'part', audience, lot FROM e) ORDER BY 1, 2`);
  database.exec(`INSERT INTO worked_revisions (guideid, revision_number, entryid, audience)
    ${numbers} SELECT ${templates.guideid}, 1, entryid, audience FROM e`);
}

/**
 * Drops the indexes that are faster to make when the rows are there, and the triggers that search by them. Returns the SQL
 * that makes them again.
 */
function dropIndexes(database: BetterSqlite3.Database): string[] {
  const found = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
         AND tbl_name IN ('work_log', 'documents', 'deviations', 'traced_numbers', 'worked_revisions')
         ORDER BY type`,
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of found) database.exec(`DROP ${type} ${name}`);
  return found.map(({ sql }) => sql);
}

interface Templates {
  guideid: number;
  userid: number;
  /** Documents with placeholders for their numbers. */
  plain: string;
  deviating: string;
  deviation: string;
}

/** A server with a lead and an administrator, and the documents of two orders with ten values each. */
async function prepare(dataDir: string, entries: number): Promise<Ground> {
  const { last, ...made } = await serve(dataDir);
  const database = new BetterSqlite3(join(dataDir, databaseName));
  try {
    const max = (sql: string): number => Number(database.prepare(sql).pluck().get());
    const first = {
      audience: max('SELECT max(audience) + 1 FROM audiences'),
      seq: max('SELECT max(seq) + 1 FROM feed'),
      entryid: last + 1,
    };
    const units = Math.max(teams, Math.floor(entries / ordersOfUnit));
    return { entries, made: 0, units, first, indexes: dropIndexes(database), ...made };
  } finally {
    database.close();
  }
}

/** Lets a server store what is copied. `last`: the last entryid. */
async function serve(
  dataDir: string,
): Promise<Pick<Ground, 'teamid' | 'admin' | 'lead' | 'templates'> & { last: number }> {
  const server = await startServer({ checked: false, dataDir });
  try {
    await server.category('Bench Grinder');
    const admin = await server.person('Ada', ['User', 'Author', 'Admin']);
    const lead = await server.person('Lena', ['User', 'Author']);
    const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
    const guide = await makeGuide(admin);
    const fields = [
      { field_type: 'Text Input', label: 'Battery', format: 'barcode' },
      { field_type: 'Text Input', label: 'Lot of the screws', format: 'barcode' },
      ...Array.from({ length: 8 }, (_, index) => ({
        field_type: 'Numeric Input',
        label: `Torque of screw ${index + 1}`,
        unit: 'N·m',
        target: 3,
        tolerance: 0.2,
      })),
    ];
    const path = `/step_forms/${stepAt(guide, 0)}`;
    const form = (await admin.call('POST', path, { fields })).body as StepForm;
    const plain = await work(admin, guide.guideid, form, '3.1');
    const deviating = await work(admin, guide.guideid, form, '3.9');
    const bodyOf = async (collection: string, id: number): Promise<string> => {
      const row = await server.services.storage.reader
        .selectFrom('documents')
        .select('body')
        .where('collection', '=', collection)
        .where('id', '=', String(id))
        .executeTakeFirstOrThrow();
      return row.body.replace(/"entryid":\d+/, '"entryid":0').replace(/"deviationid":\d+/, '"deviationid":0');
    };
    const { deviationid } = await server.services.storage.reader
      .selectFrom('deviations')
      .select('deviationid')
      .where('entryid', '=', deviating)
      .executeTakeFirstOrThrow();
    return {
      last: deviating,
      teamid,
      admin: admin.token,
      lead: lead.token,
      templates: {
        guideid: guide.guideid,
        userid: admin.userid,
        plain: await bodyOf('workLog', plain),
        deviating: await bodyOf('workLog', deviating),
        deviation: await bodyOf('deviations', deviationid),
      },
    };
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** An order with a value in each field. Returns its entryid. */
async function work(person: TestPerson, guideid: number, form: StepForm, torque: string): Promise<number> {
  const body = { guideid, workorderid: 'WO-1', serials: ['@UNIT@'] };
  const { entryid } = (await person.call('POST', '/work_log', body)).body as { entryid: number };
  for (const [index, { field_revisionid }] of form.fields.entries()) {
    const value = index === 0 ? '@BATTERY@' : index === 1 ? '@LOT@' : index === 2 ? torque : '3.1';
    const fields = { [field_revisionid]: value };
    await person.call('PUT', `/work_log/${entryid}/stepData`, { fields });
  }
  await person.call('POST', `/work_log/${entryid}/finish`, {});
  return entryid;
}
