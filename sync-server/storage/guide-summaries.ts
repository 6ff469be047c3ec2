import type { GuideFacts } from '#shared/model/guide.ts';
import { ownSummary } from '#shared/rules/guide-record.ts';

import { prepared, preparedList } from './prepared.ts';
import type { Db, Tables } from './tables.ts';

/**
 * Summaries of guides beside their documents, in the form in which lists send them, so that a list of 200 does not read
 * 200 guides.
 *
 * - SUMMARY-1 A stored summary is that of the current version of the guide. Any change of the document removes it
 *   (triggers), and the transaction of the change stores the new one. A guide without a stored summary of the present
 *   form is read whole.
 */
const summaryVersion = 1;

/**
 * Stands for the origin of the site in a stored summary. JSON never contains this character unescaped, so no text of a
 * guide does.
 */
const siteOrigin = '\u0001';

export type StoredSummary = Omit<Tables['guide_summaries'], 'version'>;

/** Stores the summary of a guide. `audience`: the number of the audience of its document. */
export async function storeSummary(tx: Db, facts: GuideFacts, audience: number): Promise<void> {
  const { guideid, userid, modified_date, prerequisites } = facts;
  await insertSummary(tx, {
    guideid,
    version: summaryVersion,
    audience,
    userid,
    modified_date,
    prerequisites: prerequisites.length === 0 ? null : JSON.stringify(prerequisites),
    body: textWithoutOrigin(facts),
  });
}

function textWithoutOrigin(facts: GuideFacts): string {
  const texts = JSON.stringify(ownSummary(facts, ''));
  let number = 0;
  while (texts.includes(`origin ${number}`)) number += 1;
  const placeholder = `origin ${number}`;
  return JSON.stringify(ownSummary(facts, placeholder)).replaceAll(placeholder, siteOrigin);
}

/** The stored summaries of guides, in any order. */
export async function readSummaries(db: Db, guideids: readonly number[]): Promise<StoredSummary[]> {
  return summaryRows(db, guideids, { version: summaryVersion });
}

/** A stored summary, or a text made of several, with the origin of the site (`baseUrl`). */
export function withOrigin(text: string, baseUrl: string): string {
  return text.replaceAll(siteOrigin, JSON.stringify(baseUrl).slice(1, -1));
}

/** Stores the summaries of guides that have none. */
export async function storeMissing(tx: Db, guideids: readonly number[]): Promise<void> {
  for (const row of await documentRows(tx, guideids.map(String), {}))
    await storeSummary(tx, JSON.parse(row.body) as GuideFacts, row.audience);
}

const documentRows = preparedList<Record<never, never>, string, { audience: number; body: string }>(
  (db, ids) =>
    db
      .selectFrom('documents')
      .select(['audience', 'body'])
      .where('collection', '=', 'guides')
      .where('id', 'in', ids),
);

const insertSummary = prepared<Tables['guide_summaries'], unknown>((db, value) =>
  db
    .insertInto('guide_summaries')
    .values({
      guideid: value('guideid'),
      version: value('version'),
      audience: value('audience'),
      userid: value('userid'),
      modified_date: value('modified_date'),
      prerequisites: value('prerequisites'),
      body: value('body'),
    })
    .onConflict((conflict) =>
      conflict.column('guideid').doUpdateSet((eb) => ({
        version: eb.ref('excluded.version'),
        audience: eb.ref('excluded.audience'),
        userid: eb.ref('excluded.userid'),
        modified_date: eb.ref('excluded.modified_date'),
        prerequisites: eb.ref('excluded.prerequisites'),
        body: eb.ref('excluded.body'),
      })),
    ),
);

const summaryRows = preparedList<{ version: number }, number, StoredSummary>((db, guideids, value) =>
  db
    .selectFrom('guide_summaries')
    .select(['guideid', 'audience', 'userid', 'modified_date', 'prerequisites', 'body'])
    .where('guideid', 'in', guideids)
    .where('version', '=', value('version')),
);
