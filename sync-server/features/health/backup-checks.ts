import { readBackupState, type BackupState } from '#server/features/backup/state.ts';

import { fault, ok, span, warning, type Finding } from './finding.ts';

const hourMs = 3_600_000;
/** A proof is due every week. If the last one is older, one was missed, ms. */
const oldestProofMs = 8 * 24 * hourMs;

/**
 * `hours`: the time between two backups in the settings of the site. `isScheduled`: the server makes them, as far as that is
 * known.
 */
export async function checkBackups(
  dataDir: string,
  hours: number,
  now: number,
  isScheduled = false,
): Promise<Finding[]> {
  const state = await readBackupState(dataDir, now);
  if (isScheduled && state.lastBackup === null && state.failedBackup === null)
    return [
      warning(
        'backup-age',
        'There is no backup yet.',
        'The server makes the first one ten minutes after it starts.',
      ),
    ];
  return [ageOf(state, hours, now), proofOf(state, now)];
}

function ageOf({ lastBackup, failedBackup }: BackupState, hours: number, now: number): Finding {
  const check = 'backup-age';
  const advice =
    'Start the server with --backup DIR, or run "benchbook backup DIR" by a timer of the system. Use another disk, or a network share.';
  if (lastBackup === null)
    return fault(
      check,
      failedBackup === null
        ? 'There is no backup.'
        : `There is no backup: ${failedBackup.findings.join(' ')}`,
      advice,
    );
  const age = now - lastBackup.at;
  const message = `The last backup was made ${span(age)} ago.`;
  if (failedBackup !== null)
    return fault(
      check,
      `${message} Since then one failed: ${failedBackup.findings.join(' ')}`,
      'Mend what it says.',
    );
  // 1.5 intervals, so that a late backup is not an error.
  if (age > 1.5 * hours * hourMs) return fault(check, message, advice);
  if (lastBackup.findings.length > 0)
    return warning(
      check,
      `${message} It lacks files: ${lastBackup.findings.join(' ')}`,
      'Run "benchbook doctor" for the files that are missing.',
    );
  return ok(check, message);
}

function proofOf({ lastProof }: BackupState, now: number): Finding {
  const check = 'backup-proof';
  const advice = 'Run "benchbook verify DIR", and look at what it says.';
  if (lastProof === null) return warning(check, 'No backup has passed a restore test yet.', advice);
  if (lastProof.findings.length > 0)
    return fault(check, `The last restore test failed: ${lastProof.findings.slice(0, 3).join(' ')}`, advice);
  const age = now - lastProof.at;
  const message = `The last restore test passed ${span(age)} ago.`;
  return age > oldestProofMs ? warning(check, message, advice) : ok(check, message);
}
