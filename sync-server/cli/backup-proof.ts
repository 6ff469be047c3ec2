import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { proveBackup, type Proof } from '#server/features/backup/prove.ts';
import { DamagedBackup, type Repository } from '#server/features/backup/repository.ts';
import { timeOf } from '#server/features/backup/retention.ts';
import { changeBackupState } from '#server/features/backup/state.ts';
import { sizeOf } from '#server/features/health/finding.ts';

import type { Answer } from './answers.ts';
import { isThere, type Place } from './terminal.ts';

/** Proves a backup and notes the result. `scratch`: where to restore it; default: in the data folder. */
export async function prove(
  repository: Repository,
  name: string,
  scratch: string | undefined,
  place: Place,
): Promise<Proof> {
  const { dataDir } = place;
  const proof = await proofOf(repository, name, resolve(scratch ?? dataDir));
  // On another machine there is no data folder.
  if (isThere(place))
    // oxlint-disable-next-line no-restricted-properties -- the clock of a command
    await changeBackupState(dataDir, { lastProof: { at: Date.now(), name, findings: proof.findings } });
  return proof;
}

async function proofOf(repository: Repository, name: string, parent: string): Promise<Proof> {
  const scratch = await mkdtemp(join(parent, 'backup-proof-'));
  try {
    return await proveBackup(repository, name, scratch);
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error;
    const madeAt = timeOf(name) ?? 0;
    return { name, madeAt, site: '', files: 0, bytes: 0, rows: 0, auditRows: 0, findings: [error.message] };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The result of a proof, for people. */
export function answerOfProof(proof: Proof): Answer {
  const { name, site, files, bytes, rows, auditRows, findings } = proof;
  return {
    data: proof,
    lines:
      findings.length > 0
        ? [`The backup ${name} cannot be relied on:`, ...findings]
        : [
            `The backup ${name} of "${site}" can be restored: ${files} files, ${sizeOf(bytes)}, ${rows} rows, ${auditRows} rows of the audit log.`,
          ],
  };
}
