import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

/** File in the data folder with what the last backup and the last proof did. It is not part of a backup. */
export const backupStateFile = 'backup-state.json';

const attempt = z.strictObject({
  /** UNIX milliseconds. */
  at: z.int(),
  /** Name of the backup; null: none could be made, or found. */
  name: z.string().nullable(),
  /** What was wrong, in sentences; none: it succeeded. */
  findings: z.array(z.string()),
});
export type BackupAttempt = z.infer<typeof attempt>;

const stateSchema = z.strictObject({
  /** The last backup that was made, whatever came after it. */
  lastBackup: attempt.extend({ files: z.int(), bytes: z.int() }).nullable(),
  /** The last attempt, where it failed. */
  failedBackup: attempt.nullable(),
  lastProof: attempt.nullable(),
  /** Whether administrators were notified that a scheduled command fails, and not yet that it works again. */
  told: z.strictObject({ backup: z.boolean(), verify: z.boolean() }),
});
export type BackupState = z.infer<typeof stateSchema>;

const nothing: BackupState = {
  lastBackup: null,
  failedBackup: null,
  lastProof: null,
  told: { backup: false, verify: false },
};

/** What is known of backups of a data folder; nothing where the file is missing or damaged. */
export async function readBackupState(dataDir: string): Promise<BackupState> {
  try {
    const text = await readFile(join(dataDir, backupStateFile), 'utf8');
    return stateSchema.catch(nothing).parse(JSON.parse(text));
  } catch {
    return nothing;
  }
}

export async function changeBackupState(dataDir: string, change: Partial<BackupState>): Promise<void> {
  const state = { ...(await readBackupState(dataDir)), ...change };
  const path = join(dataDir, backupStateFile);
  await writeFile(`${path}.next`, `${JSON.stringify(stateSchema.parse(state), null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  await rename(`${path}.next`, path);
}
