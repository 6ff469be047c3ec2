import type { Database } from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';

import { randomPool } from '#server/platform/random.ts';

import type { Tables } from '../tables.ts';
import * as first from './001-first.ts';
import * as importedIds from './002-imported-ids.ts';
import * as people from './003-people.ts';
import * as wikis from './004-wikis.ts';
import * as site from './005-site.ts';
import * as webhooks from './006-webhooks.ts';
import * as search from './007-search.ts';
import * as releases from './008-releases.ts';
import * as textPictures from './009-text-pictures.ts';
import * as posts from './010-posts.ts';
import * as fileUses from './011-file-uses.ts';
import * as wikiNames from './012-wiki-names.ts';
import * as jobs from './013-jobs.ts';
import * as training from './014-training.ts';
import * as quizzes from './015-quizzes.ts';
import * as approvals from './016-approvals.ts';
import * as audit from './017-audit.ts';
import * as signOn from './018-sign-on.ts';
import * as quizSessionKeys from './019-quiz-session-keys.ts';
import * as videoPosters from './020-video-posters.ts';
import * as archivedAuthors from './027-archived-authors.ts';
import * as importLinks from './026-import-links.ts';
import * as signedForms from './028-signed-forms.ts';
import * as searchWaiting from './030-search-waiting.ts';
import * as signIns from './031-sign-ins.ts';
import * as wholeStories from './033-whole-stories.ts';
import * as authorsInGuides from './034-authors-in-guides.ts';
import * as releasedForms from './035-released-forms.ts';
import * as recordUids from './038-record-uids.ts';
import * as accountIds from './036-account-ids.ts';
import * as newAddresses from './044-new-addresses.ts';
import * as sessions from './047-sessions.ts';
import * as knownDevices from './048-known-devices.ts';
import * as accessByOthers from './049-access-by-others.ts';
import * as playersOfSessions from './050-players-of-sessions.ts';
import * as settingNames from './051-setting-names.ts';
import * as jobRequests from './052-job-requests.ts';
import * as deviceSecrets from './053-device-secrets.ts';
import * as deviations from './054-deviations.ts';
import * as plannedOrders from './055-planned-orders.ts';
import * as countedRevisions from './056-counted-revisions.ts';
import * as tracing from './057-tracing.ts';
import * as followUps from './058-follow-ups.ts';
import * as recordSignatures from './059-record-signatures.ts';
import * as listsOfOrders from './060-lists-of-orders.ts';
import * as stations from './061-stations.ts';
import * as shiftSummaries from './062-shift-summaries.ts';
import * as exitCodes from './063-exit-codes.ts';
import * as reports from './064-reports.ts';
import * as feedback from './065-feedback.ts';
import * as ordersOfAudiences from './066-orders-of-audiences.ts';
import * as invitationFailures from './067-invitation-failures.ts';
import * as accessChanges from './068-access-changes.ts';
import * as packs from './069-packs.ts';
import * as commentTitles from './070-comment-titles.ts';
import * as guideSummaries from './072-guide-summaries.ts';
import * as mirror from './073-mirror.ts';
import * as serverKeys from './077-server-keys.ts';
import * as leases from './078-leases.ts';

export type RandomBytes = (size: number) => Uint8Array;

/** A step to a newer schema, in SQL that both databases understand, or else for SQLite, with `onPostgres` beside it. */
interface Migration {
  version: number;
  oldestCode: number;
  up(db: Kysely<Tables>, randomBytes: RandomBytes): Promise<void>;
  /** The same step on PostgreSQL, whose databases begin at `baseVersion`. Default: `up`. */
  onPostgres?: (db: Kysely<Tables>, randomBytes: RandomBytes) => Promise<void>;
}

/**
 * All migrations in order; forward only. `oldestCode`: the oldest schema version whose code may still run after this
 * migration. The highest one of all performed migrations counts.
 */
const migrations: readonly Migration[] = [
  { version: 1, oldestCode: 1, up: first.up },
  { version: 2, oldestCode: 1, up: importedIds.up },
  { version: 3, oldestCode: 1, up: people.up },
  { version: 4, oldestCode: 1, up: wikis.up },
  { version: 5, oldestCode: 5, up: site.up },
  { version: 6, oldestCode: 5, up: webhooks.up },
  { version: 7, oldestCode: 7, up: search.up },
  { version: 8, oldestCode: 8, up: releases.up },
  { version: 9, oldestCode: 8, up: textPictures.up },
  { version: 10, oldestCode: 8, up: posts.up },
  { version: 11, oldestCode: 11, up: fileUses.up },
  { version: 12, oldestCode: 11, up: wikiNames.up },
  { version: 13, oldestCode: 8, up: jobs.up },
  { version: 14, oldestCode: 14, up: training.up },
  { version: 15, oldestCode: 14, up: quizzes.up },
  { version: 16, oldestCode: 16, up: approvals.up },
  { version: 17, oldestCode: 17, up: audit.up },
  { version: 18, oldestCode: 17, up: signOn.up },
  { version: 19, oldestCode: 17, up: quizSessionKeys.up },
  { version: 20, oldestCode: 17, up: videoPosters.up },
  { version: 26, oldestCode: 14, up: importLinks.up },
  { version: 27, oldestCode: 17, up: archivedAuthors.up },
  { version: 28, oldestCode: 28, up: signedForms.up },
  { version: 30, oldestCode: 30, up: searchWaiting.up },
  { version: 31, oldestCode: 30, up: signIns.up },
  { version: 33, oldestCode: 30, up: wholeStories.up },
  { version: 34, oldestCode: 34, up: authorsInGuides.up },
  { version: 35, oldestCode: 34, up: releasedForms.up },
  { version: 36, oldestCode: 36, up: accountIds.up },
  { version: 38, oldestCode: 36, up: recordUids.up },
  { version: 44, oldestCode: 36, up: newAddresses.up },
  // Older code would accept passwords that another person set for signing.
  { version: 47, oldestCode: 47, up: sessions.up },
  { version: 48, oldestCode: 47, up: knownDevices.up },
  { version: 49, oldestCode: 47, up: accessByOthers.up },
  { version: 50, oldestCode: 47, up: playersOfSessions.up },
  // Older code refuses settings with unknown names.
  { version: 51, oldestCode: 51, up: settingNames.up },
  { version: 52, oldestCode: 51, up: jobRequests.up },
  { version: 53, oldestCode: 51, up: deviceSecrets.up },
  { version: 54, oldestCode: 54, up: deviations.up },
  { version: 55, oldestCode: 55, up: plannedOrders.up },
  { version: 56, oldestCode: 55, up: countedRevisions.up },
  // Older code would not record the numbers of new entries.
  { version: 57, oldestCode: 57, up: tracing.up },
  { version: 58, oldestCode: 55, up: followUps.up },
  // Older code would keep the confirmation of a step whose values change.
  { version: 59, oldestCode: 59, up: recordSignatures.up },
  { version: 60, oldestCode: 55, up: listsOfOrders.up },
  // Older code would let the account of a station record in its own name, and show people of a station nothing.
  { version: 61, oldestCode: 61, up: stations.up },
  { version: 62, oldestCode: 62, up: shiftSummaries.up },
  { version: 63, oldestCode: 62, up: exitCodes.up },
  { version: 64, oldestCode: 64, up: reports.up },
  { version: 65, oldestCode: 64, up: feedback.up },
  { version: 66, oldestCode: 64, up: ordersOfAudiences.up },
  { version: 67, oldestCode: 64, up: invitationFailures.up },
  { version: 68, oldestCode: 64, up: accessChanges.up },
  { version: 69, oldestCode: 64, up: packs.up },
  { version: 70, oldestCode: 64, up: commentTitles.up },
  { version: 72, oldestCode: 64, up: guideSummaries.up },
  { version: 73, oldestCode: 64, up: mirror.up },
  { version: 77, oldestCode: 64, up: serverKeys.up },
  { version: 78, oldestCode: 64, up: leases.up, onPostgres: leases.onPostgres },
];

/** The schema version this code is written for. */
export const schemaVersion = Math.max(...migrations.map((migration) => migration.version));

/** The schema with which databases on PostgreSQL begin (`postgres/schema`), and the oldest code that may run on it. */
export const baseVersion = 73;
const baseOldestCode = 64;

/** The schema version of a database, and the oldest version whose code may run on it. */
export function oldestCodeFor(database: Database): { version: number; oldest: number } {
  const read = database.prepare('SELECT value FROM meta WHERE name = ?').pluck();
  const numberOf = (name: string): number => Number(read.get(name) ?? 0);
  return { version: numberOf('schema_version'), oldest: numberOf('oldest_code') };
}

/**
 * Migrates the database to `schemaVersion`, with the write lock, so that two processes cannot migrate at the same
 * time. Returns the previous version.
 * @throws Error if the database was written by a newer Benchbook that this code cannot read
 */
export async function migrate(
  db: Kysely<Tables>,
  {
    all = migrations,
    randomBytes = randomPool(),
  }: { all?: readonly Migration[]; randomBytes?: RandomBytes } = {},
): Promise<number> {
  await sql`PRAGMA locking_mode = NORMAL`.execute(db);
  return db.connection().execute(async (connection) => {
    await sql`BEGIN IMMEDIATE`.execute(connection);
    try {
      await sql`CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)`.execute(
        connection,
      );
      const version = await migrateFurther(connection, all, randomBytes, 'up');
      await sql`COMMIT`.execute(connection);
      return version;
    } catch (error) {
      await sql`ROLLBACK`.execute(connection);
      throw error;
    }
  });
}

/**
 * The migrations of a database on PostgreSQL after `baseVersion`, in the caller's transaction. `isNew`: it has just got
 * the tables of that version. Returns the previous version.
 * @throws Error if the database was written by a newer Benchbook that this code cannot read
 */
export async function migrateOnPostgres(
  tx: Kysely<Tables>,
  isNew: boolean,
  randomBytes: RandomBytes,
): Promise<number> {
  if (isNew) {
    await people.storeBadges(tx);
    await writeMeta(tx, 'schema_version', String(baseVersion));
    await writeMeta(tx, 'oldest_code', String(baseOldestCode));
  }
  return migrateFurther(tx, migrations, randomBytes, 'onPostgres');
}

async function migrateFurther(
  db: Kysely<Tables>,
  all: readonly Migration[],
  randomBytes: RandomBytes,
  direction: 'up' | 'onPostgres',
): Promise<number> {
  const version = await readNumber(db, 'schema_version');
  let oldestCode = await readNumber(db, 'oldest_code');
  if (oldestCode > schemaVersion) {
    throw new Error(
      `The database was written by a newer Benchbook (schema ${version}); this one knows schema ${schemaVersion}. Update Benchbook.`,
    );
  }
  for (const migration of all.filter((candidate) => candidate.version > version)) {
    if (direction === 'onPostgres' && migration.onPostgres !== undefined)
      await migration.onPostgres(db, randomBytes);
    else await migration.up(db, randomBytes);
    await writeMeta(db, 'schema_version', String(migration.version));
    oldestCode = Math.max(oldestCode, migration.oldestCode);
    await writeMeta(db, 'oldest_code', String(oldestCode));
  }
  const history = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'history')
    .executeTakeFirst();
  if (history === undefined) await writeMeta(db, 'history', Buffer.from(randomBytes(12)).toString('hex'));
  return version;
}

async function readNumber(db: Kysely<Tables>, name: string): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return row === undefined ? 0 : Number(row.value);
}

async function writeMeta(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
