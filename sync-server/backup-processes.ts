import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Server } from './app.ts';
import { BackupSchedule, type CommandResult } from './features/backup/schedule.ts';
import type { WantedBackup } from './features/setup/setup.ts';
import { standingLease } from './core/leading.ts';
import type { Config } from './platform/config.ts';

const program = fileURLToPath(new URL('cli/benchbook.ts', import.meta.url));

/** Restores a backup while the server is stopped. Returns why it failed, or null. */
export async function restoreBackup(
  { data: dataDir, database }: Pick<Config, 'data' | 'database'>,
  { folder, key, backup }: WantedBackup,
  signal: AbortSignal,
): Promise<string | null> {
  const args = ['restore', folder, '--backup', backup, '--data', dataDir];
  try {
    const { code, text } = await runBenchbook(args, {
      signal,
      // A key that the environment names is for the scheduled backups only.
      env: { BENCHBOOK_BACKUP_KEY: key ?? '', ...databaseIn(database) },
      // Somebody waits for it.
      priority: constants.priority.PRIORITY_NORMAL,
    });
    return code === 0 ? null : text;
  } catch (error) {
    return `The restore ended early: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Begins the scheduled backups; none without a folder for them. */
export async function scheduleBackups(
  { services }: Server,
  { data, database, backup, backupKey }: Config,
): Promise<BackupSchedule | null> {
  if (backup === undefined) return null;
  const keyed = backupKey === undefined ? [] : ['--key', backupKey];
  const lease = standingLease(services, 'backups');
  const schedule = new BackupSchedule(services, {
    dataDir: data,
    isOurs: lease.isOurs,
    run: ([command = '', ...args], signal) =>
      runBenchbook([command, backup, '--data', data, ...keyed, ...args], {
        signal,
        env: databaseIn(database),
        priority: constants.priority.PRIORITY_LOW,
      }),
  });
  await schedule.start();
  return schedule;
}

/** Names the database in the environment, because arguments are visible to others and an address may have a password. */
function databaseIn(database: string | undefined): NodeJS.ProcessEnv {
  return { BENCHBOOK_DATABASE: database ?? '' };
}

interface RunOptions {
  signal: AbortSignal;
  /** Further environment variables. */
  env?: NodeJS.ProcessEnv;
  /** Of the operating system. */
  priority: number;
}

/** Runs a command in a process of its own. */
function runBenchbook(args: string[], { signal, env = {}, priority }: RunOptions): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { signal, env: { ...process.env, ...env } },
      (error, out, err) => {
        if (error !== null && typeof error.code !== 'number' && !signal.aborted) reject(error);
        else resolve({ code: error === null ? 0 : 1, text: err.trim() || out.trim() });
      },
    );
    if (child.pid !== undefined) setPriority(child.pid, priority);
  });
}
