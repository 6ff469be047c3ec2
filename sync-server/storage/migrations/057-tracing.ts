import { sql, type Kysely } from 'kysely';

import type { EntryFacts } from '#shared/model/work-log.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { numberKey, tracedNumbers, workedRevisionNumbers } from '#shared/rules/tracing.ts';

import type { Tables } from '../tables.ts';

/** Number of entries that are read at a time. */
const together = 500;

/** Gives the rows of an entry the audience of its document. */
const sameAudience = `BEGIN
  UPDATE traced_numbers SET audience = NEW.audience WHERE entryid = CAST(NEW.id AS INTEGER);
  UPDATE worked_revisions SET audience = NEW.audience WHERE entryid = CAST(NEW.id AS INTEGER);
END`;

const statements = [
  `CREATE TABLE traced_numbers (number TEXT NOT NULL,
     entryid INTEGER NOT NULL REFERENCES work_log (entryid) ON DELETE CASCADE,
     kind TEXT NOT NULL CHECK (kind IN ('unit', 'part')), audience INTEGER NOT NULL, text TEXT NOT NULL,
     PRIMARY KEY (number, entryid, kind)) WITHOUT ROWID`,
  'CREATE INDEX traced_numbers_of_entry ON traced_numbers (entryid)',
  'CREATE INDEX traced_numbers_of_audience ON traced_numbers (audience, number, entryid)',
  `CREATE TABLE worked_revisions (guideid INTEGER NOT NULL, revision_number INTEGER NOT NULL,
     entryid INTEGER NOT NULL REFERENCES work_log (entryid) ON DELETE CASCADE, audience INTEGER NOT NULL,
     PRIMARY KEY (guideid, revision_number, entryid)) WITHOUT ROWID`,
  'CREATE INDEX worked_revisions_of_entry ON worked_revisions (entryid)',
  `CREATE INDEX worked_revisions_of_audience
     ON worked_revisions (audience, guideid, revision_number, entryid)`,
  `CREATE TRIGGER tracing_audience_insert AFTER INSERT ON documents WHEN NEW.collection = 'workLog' ${sameAudience}`,
  `CREATE TRIGGER tracing_audience_update AFTER UPDATE OF audience ON documents
     WHEN NEW.collection = 'workLog' AND NEW.audience <> OLD.audience ${sameAudience}`,
];

/**
 * Numbers and revisions by which entries are found, including existing entries. Their documents stay as they are, because
 * their records are sealed: the numbers of a planned order are found, too, but not shown in such an entry.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const revisionOf = await countedBefore(db);
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('work_log')
      .innerJoin('documents', (join) =>
        join
          .on('documents.collection', '=', 'workLog')
          .on((eb) => eb('documents.id', '=', eb.cast<string>('work_log.entryid', 'text'))),
      )
      .select(['work_log.entryid', 'documents.audience', 'documents.body'])
      .where('work_log.entryid', '>', last)
      .orderBy('work_log.entryid')
      .limit(together)
      .execute();
    const found = rows.map(({ body, audience }) => ({ facts: JSON.parse(body) as EntryFacts, audience }));
    await addNumbers(db, found);
    await addRevisions(db, found, revisionOf);
    const next = rows.at(-1)?.entryid;
    if (next === undefined) return;
    last = next;
  }
}

type Found = readonly { facts: EntryFacts; audience: number }[];

async function addNumbers(db: Kysely<Tables>, found: Found): Promise<void> {
  const rows = [];
  for (const { facts, audience } of found) {
    const serials = facts.serials ?? (await plannedSerials(db, facts));
    for (const { kind, text } of tracedNumbers({ ...facts, serials }))
      rows.push({ number: numberKey(text), entryid: facts.entryid, kind, audience, text });
  }
  await sql`INSERT OR IGNORE INTO traced_numbers (number, entryid, kind, audience, text)
    SELECT value ->> 'number', value ->> 'entryid', value ->> 'kind', value ->> 'audience', value ->> 'text'
    FROM json_each(${JSON.stringify(rows)})`.execute(db);
}

async function plannedSerials(
  db: Kysely<Tables>,
  { planned_orderid }: Pick<EntryFacts, 'planned_orderid'>,
): Promise<string[]> {
  if (planned_orderid === undefined) return [];
  const document = await db
    .selectFrom('documents')
    .select('body')
    .where('collection', '=', 'plannedOrders')
    .where('id', '=', String(planned_orderid))
    .executeTakeFirst();
  return document === undefined ? [] : (JSON.parse(document.body) as PlannedOrderFacts).serials;
}

async function addRevisions(db: Kysely<Tables>, found: Found, revisionOf: CountedBefore): Promise<void> {
  const rows = found.flatMap(({ facts, audience }) => {
    const { entryid, guideid, guide_revisionid, revisions } = facts;
    const numbers =
      revisions === undefined
        ? [revisionOf(guideid, guide_revisionid) ?? []].flat()
        : workedRevisionNumbers({ revisions });
    return numbers.map((revision_number) => ({ guideid, revision_number, entryid, audience }));
  });
  await sql`INSERT OR IGNORE INTO worked_revisions (guideid, revision_number, entryid, audience)
    SELECT value ->> 'guideid', value ->> 'revision_number', value ->> 'entryid', value ->> 'audience'
    FROM json_each(${JSON.stringify(rows)})`.execute(db);
}

type CountedBefore = (guideid: number, guide_revisionid: number) => number | undefined;

/** The numbers of stored versions as people count them, for entries that were stored before orders recorded them. */
async function countedBefore(db: Kysely<Tables>): Promise<CountedBefore> {
  const { rows } = await sql<{ guideid: number; guide_revisionid: number; number: number }>`
    SELECT guideid, guide_revisionid,
      coalesce(json_extract(body, '$.revision.number'),
        row_number() OVER (PARTITION BY guideid ORDER BY guide_revisionid)) AS number
    FROM guide_revisions
    WHERE guideid IN (SELECT guideid FROM work_log)`.execute(db);
  const numbers = new Map(rows.map((row) => [`${row.guideid} ${row.guide_revisionid}`, row.number]));
  return (guideid, guide_revisionid) => numbers.get(`${guideid} ${guide_revisionid}`);
}
