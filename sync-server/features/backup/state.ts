import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

/** File in the data folder with the results of the last backup and proof. It is not part of a backup. */
export const backupStateFile = 'backup-state.json';

const attempt = z.object({
  /** UNIX milliseconds. */
  at: z.int(),
  /** Name of the backup; null if there is none. */
  name: z.string().nullable(),
  /** Sentences for the administrator; empty if it succeeded. */
  findings: z.array(z.string()),
});
export type BackupAttempt = z.infer<typeof attempt>;

/** Unknown fields are ignored and missing ones have defaults: another version may have written the file. */
const stateSchema = z.object({
  /** The last backup that was made. */
  lastBackup: attempt.extend({ files: z.int(), bytes: z.int() }).nullable().default(null),
  /** The last attempt, if it failed. */
  failedBackup: attempt.nullable().default(null),
  lastProof: attempt.nullable().default(null),
  /** Folders with backups of this data folder. */
  targets: z.array(z.string()).default([]),
  /** Whether administrators know that a scheduled command fails. */
  notified: z
    .object({ backup: z.boolean().default(false), verify: z.boolean().default(false) })
    .default({ backup: false, verify: false }),
});
export type BackupState = z.infer<typeof stateSchema>;

const nothing: BackupState = {
  lastBackup: null,
  failedBackup: null,
  lastProof: null,
  targets: [],
  notified: { backup: false, verify: false },
};

/**
 * The state of the backups of a data folder; empty if the file is missing or damaged. With `now` (UNIX milliseconds), what
 * happened in the future counts as not done: the clock was wrong then.
 */
export async function readBackupState(dataDir: string, now = Infinity): Promise<BackupState> {
  const past = <T extends BackupAttempt>(one: T | null): T | null =>
    one !== null && one.at > now ? null : one;
  try {
    const text = await readFile(join(dataDir, backupStateFile), 'utf8');
    const state = stateSchema.catch(nothing).parse(JSON.parse(text));
    return { ...state, lastBackup: past(state.lastBackup), lastProof: past(state.lastProof) };
  } catch {
    return nothing;
  }
}

/** Changes some fields of the state; the others stay. */
export async function changeBackupState(dataDir: string, change: Partial<BackupState>): Promise<void> {
  const state = { ...(await readBackupState(dataDir)), ...change };
  const path = join(dataDir, backupStateFile);
  await writeFile(`${path}.next`, `${JSON.stringify(stateSchema.parse(state), null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  await rename(`${path}.next`, path);
}
