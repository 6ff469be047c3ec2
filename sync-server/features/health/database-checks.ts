import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';

import { factsOf } from '#server/features/backup/database-facts.ts';
import { Anchors } from '#server/features/audit/anchors.ts';
import { blobsElsewhere } from '#server/media/open.ts';
import { recordedLocation } from '#server/media/recorded-location.ts';
import { locationText } from '#server/platform/s3-location.ts';
import { schemaVersion, oldestCodeFor } from '#server/storage/migrations/index.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { fault, ok, span, type Finding } from './finding.ts';

/** A clock this far behind the newest entry of the audit log was set back, ms. */
const clockToleranceMs = 5 * 60_000;

interface Options {
  dataDir: string;
  now: number;
  /** Also compares each index with its table, which takes minutes for a large database. */
  isThorough: boolean;
}

/**
 * Checks the database, and the files that must fit it. Opens it for reading only, so that the checks work with a full disk,
 * a damaged database and a running server. Checks that a damaged database makes impossible are skipped.
 */
export async function checkDatabase(options: Options): Promise<Finding[]> {
  const { dataDir } = options;
  let database: BetterSqlite3.Database;
  try {
    database = new BetterSqlite3(join(dataDir, databaseName), { readonly: true, fileMustExist: true });
    database.pragma('busy_timeout = 5000');
    database.prepare('SELECT count(*) FROM sqlite_master').get();
  } catch (error) {
    return [damaged(`The database cannot be opened: ${messageOf(error)}.`)];
  }
  try {
    const integrity = checkIntegrity(database, options);
    if (integrity.level === 'error')
      return [integrity, ...(await attempt('files', () => checkFiles(database, dataDir)))];
    return [
      integrity,
      ...(await attempt('version', async () => [checkVersion(database)])),
      ...(await attempt('clock', async () => [checkClock(database, options.now)])),
      ...(await attempt('audit', async () => [checkAudit(database, dataDir)])),
      ...(await attempt('files', () => checkFiles(database, dataDir))),
    ];
  } finally {
    database.close();
  }
}

async function attempt(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [{ ...damaged(`This could not be checked: ${messageOf(error)}.`), check }];
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function damaged(message: string): Finding {
  return fault(
    'database',
    message,
    'Stop the server and restore the newest backup ("benchbook backups" lists them). Devices offer again what the backup lacks. Check the disk before you go on using it.',
  );
}

function checkIntegrity(database: BetterSqlite3.Database, { isThorough }: Options): Finding {
  try {
    const result = database.pragma(isThorough ? 'integrity_check(5)' : 'quick_check(5)') as Record<
      string,
      unknown
    >[];
    const lines = result.map((row) => String(Object.values(row)[0]));
    if (lines.length === 1 && lines[0] === 'ok') return ok('database', 'The database is sound.');
    return damaged(`The database is damaged: ${lines.join('; ')}.`);
  } catch (error) {
    return damaged(`The database is damaged: ${messageOf(error)}.`);
  }
}

function checkVersion(database: BetterSqlite3.Database): Finding {
  const { version, oldest } = oldestCodeFor(database);
  if (oldest > schemaVersion)
    return fault(
      'version',
      `The database was written by a newer Benchbook (schema ${version}); this one knows schema ${schemaVersion}.`,
      'Install that version again, or restore a backup that was made before the upgrade.',
    );
  return ok('version', `The database has schema ${version}.`);
}

const newestRow = z.object({ at: z.number() }).optional();

function checkClock(database: BetterSqlite3.Database, now: number): Finding {
  const row = newestRow.parse(database.prepare('SELECT at FROM audit_log ORDER BY seq DESC LIMIT 1').get());
  if (row !== undefined && row.at > now + clockToleranceMs)
    return fault(
      'clock',
      `The clock of this machine is ${span(row.at - now)} behind the newest entry of the audit log.`,
      'Set the clock, and see to it that it follows a time server ("timedatectl").',
    );
  return ok('clock', 'The clock is not behind the newest entry of the audit log.');
}

/** Compares the end of the audit log with the anchors. `benchbook audit verify` checks the whole chain. */
function checkAudit(database: BetterSqlite3.Database, dataDir: string): Finding {
  const { anchors, flaws } = new Anchors(dataDir).read();
  const advice = 'Run "benchbook audit verify", which says what is missing or changed.';
  if (flaws.length > 0)
    return fault(
      'audit',
      `${flaws.length} lines of audit-anchors are damaged or were written with another key.`,
      advice,
    );
  const last = anchors.at(-1);
  if (last === undefined)
    return ok('audit', 'The audit log has no entries that were noted outside of the database.');
  const hash: unknown = database.prepare('SELECT hash FROM audit_log WHERE seq = ?').pluck().get(last.seq);
  return hash === last.hash
    ? ok('audit', `The audit log holds entry ${last.seq}, which was noted outside of the database.`)
    : fault(
        'audit',
        `Entry ${last.seq} of the audit log is missing or was changed since it was noted.`,
        advice,
      );
}

/** The hashes of the files that are stored, and where they are. */
async function storedFiles(dataDir: string): Promise<{ place: string; stored: Set<string> }> {
  const stored = new Set<string>();
  const location = recordedLocation(dataDir);
  // oxlint-disable-next-line no-restricted-properties -- the clock of a check
  const elsewhere = await blobsElsewhere(dataDir, Date.now);
  if (elsewhere !== null && location !== null) {
    for await (const { sha256 } of elsewhere.list()) stored.add(sha256);
    return { place: locationText(location), stored };
  }
  for (const name of await readdir(join(dataDir, 'media'), { recursive: true }).catch(() => [])) {
    const [, sha256] = /^[0-9a-f]{2}[\\/]([0-9a-f]{64})$/.exec(name) ?? [];
    if (sha256 !== undefined) stored.add(sha256);
  }
  return { place: 'the data folder', stored };
}

async function checkFiles(database: BetterSqlite3.Database, dataDir: string): Promise<Finding[]> {
  const wanted = factsOf(database).files;
  const { place, stored } = await storedFiles(dataDir);
  const missing = wanted.filter((sha256) => !stored.has(sha256));
  const known = new Set(wanted);
  const unused = [...stored].filter((sha256) => !known.has(sha256));
  return [
    missing.length === 0
      ? ok('files', `All ${wanted.length} files that records name are in ${place}.`)
      : fault(
          'files',
          `${missing.length} of ${wanted.length} files that records name are missing, such as media/${missing[0]?.slice(0, 2)}/${missing[0]}.`,
          'Copy them from a backup: "benchbook restore FOLDER --data SCRATCH" makes a folder with its media in it.',
        ),
    ok('unused-files', `${unused.length} stored files belong to no record; they take room and do no harm.`),
  ];
}
