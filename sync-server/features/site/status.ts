import { statfs } from 'node:fs/promises';

import type { ServerStatus } from '#shared/model/site.ts';
import { deviceSummary } from '#server/core/devices.ts';
import type { Services } from '#server/core/services.ts';
import { programVersion } from '#server/platform/config.ts';
import { countOpenJobs } from '#server/jobs/store.ts';

import { readBackupState, type BackupAttempt } from '../backup/state.ts';
import { checkBackups } from '../health/backup-checks.ts';
import { fault, ok, type Finding } from '../health/finding.ts';
import { checkDisk, checkPermissions, checkServerKey, checkWal } from '../health/folder-checks.ts';
import { checkSignOn } from '../health/outside-checks.ts';

const hourMs = 3_600_000;

/** The state of the server (SITE-19). */
export async function statusOf(services: Services): Promise<ServerStatus> {
  const { storage, dataDir, setup, now, backups, site } = services;
  const { lastBackup, failedBackup, lastProof } = await readBackupState(dataDir, now());
  const { bavail, bsize } = await statfs(dataDir);
  const { oldestSeconds, ...counts } = await deviceSummary(services);
  return {
    program: programVersion,
    started_date: Math.floor(now() / 1000 - process.uptime()),
    findings: (await findingsOf(services)).map((finding) => ({ ...finding, advice: finding.advice ?? null })),
    backup: {
      scheduled: setup.host?.folder !== undefined,
      folder: setup.host?.folder ?? null,
      running: backups.schedule?.isWorking === true,
      next_date:
        setup.host?.folder === undefined
          ? null
          : Math.floor(Math.max(now(), (lastBackup?.at ?? 0) + site.backup_hours * hourMs) / 1000),
      last: lastBackup === null ? null : { ...attemptOf(lastBackup), size: lastBackup.bytes },
      failed: failedBackup === null ? null : attemptOf(failedBackup),
      proof: lastProof === null ? null : attemptOf(lastProof),
    },
    devices: { ...counts, oldest_seconds: oldestSeconds === null ? null : Math.round(oldestSeconds) },
    jobs: await countOpenJobs(storage.reader),
    database_size: await storage.size(),
    free_size: bavail * bsize,
    memory_size: process.memoryUsage.rss(),
  };
}

/** The checks that take no time worth mentioning, errors first. */
async function findingsOf({ dataDir, damage, site, setup, now, storage }: Services): Promise<Finding[]> {
  const groups = await Promise.all([
    checkPermissions(dataDir),
    checkDisk(dataDir),
    ...(storage.kind === 'sqlite' ? [checkWal(dataDir), checkServerKey(dataDir)] : []),
    checkBackups(dataDir, site.backup_hours, now(), setup.host?.folder !== undefined),
  ]);
  const database =
    damage.found === null
      ? ok('database', 'No damage of the database was found.')
      : fault(
          'database',
          `The database is damaged: ${damage.found}.`,
          'Stop the server and restore the newest backup ("benchbook restore").',
        );
  const levels = ['error', 'warning', 'ok'];
  return [database, ...groups.flat(), ...checkSignOn(site, now())].toSorted(
    (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level),
  );
}

function attemptOf({ at, findings }: BackupAttempt): { date: number; findings: string[] } {
  return { date: Math.floor(at / 1000), findings };
}
