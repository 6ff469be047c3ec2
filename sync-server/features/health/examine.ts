import { existsSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import { defaultSite, siteSettings, type Site } from '#server/core/site-settings.ts';
import { readMark, sentenceOf, type Seal } from '#server/storage/move/marks.ts';
import { readSqlite } from '#server/storage/move/sqlite-site.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { checkBackups } from './backup-checks.ts';
import { checkDatabase } from './database-checks.ts';
import { fault, type Finding } from './finding.ts';
import { checkDisk, checkPermissions, checkServerKey, checkWal } from './folder-checks.ts';
import { checkCertificate, checkMail, checkSignOn } from './outside-checks.ts';

export interface Examination {
  dataDir: string;
  /** Certificate file with which the server was started, if any. */
  certFile: string | undefined;
  now: number;
  isThorough: boolean;
}

/**
 * Checks everything that an administrator can repair. Changes nothing; the server may run.
 *
 * - DOCTOR-1 A correct data folder has no errors, except for things that were never set up, such as backups.
 * - DOCTOR-10 Each error says what to do.
 */
export async function examine({ dataDir, certFile, now, isThorough }: Examination): Promise<Finding[]> {
  if (!existsSync(join(dataDir, databaseName)))
    return [
      fault(
        'database',
        `There is no Benchbook data in ${dataDir}.`,
        'Name the data folder with --data. If the data is lost, restore a backup ("benchbook restore").',
      ),
    ];
  const seal = await sealOf(dataDir);
  if (seal !== null)
    return [fault('database', sentenceOf(seal), 'Go on where the site is now, or undo the move.')];
  const site = readSite(dataDir);
  const groups = await Promise.all([
    checkPermissions(dataDir),
    checkDisk(dataDir),
    checkWal(dataDir),
    checkServerKey(dataDir),
    checkDatabase({ dataDir, now, isThorough }),
    checkCertificate(certFile, site.address, now),
    checkMail(site),
    checkBackups(dataDir, site.backup_hours, now),
  ]);
  return [...groups.flat(), ...checkSignOn(site, now)];
}

/** Where the site went; null if it is here, or the database cannot be read; `checkDatabase` reports that. */
function sealOf(dataDir: string): Promise<Seal | null> {
  return readSqlite(join(dataDir, databaseName), (db) => readMark(db, 'sealed')).catch(() => null);
}

/** The settings, or the defaults if the database cannot be read; `checkDatabase` reports that. */
function readSite(dataDir: string): Site {
  try {
    const database = new BetterSqlite3(join(dataDir, databaseName), { readonly: true, fileMustExist: true });
    try {
      const value: unknown = database.prepare("SELECT value FROM meta WHERE name = 'site'").pluck().get();
      if (typeof value !== 'string') return defaultSite;
      return siteSettings.parse({ ...defaultSite, ...(JSON.parse(value) as object) });
    } finally {
      database.close();
    }
  } catch {
    return defaultSite;
  }
}
