import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import { Anchors, anchorFiles } from '#server/features/audit/anchors.ts';
import { verifyAudit } from '#server/features/audit/verify.ts';
import { databaseName, openSqlite } from '#server/storage/sqlite.ts';
import { schemaVersion } from '#server/storage/migrations/index.ts';

import { factsOf } from './database-facts.ts';
import type { Manifest } from './manifest.ts';
import { DamagedBackup, type Repository } from './repository.ts';
import { databaseFile, unpackFile } from './unpack.ts';

/** The result of a proof. Without findings, the backup can be restored and equals the data folder of its time. */
export interface Proof {
  name: string;
  madeAt: number;
  site: string;
  files: number;
  bytes: number;
  rows: number;
  auditRows: number;
  /** Sentences for the administrator. */
  findings: string[];
}

/** Most findings that are listed. */
const mostFindings = 50;

/**
 * Proves that a backup can be restored. Restores its database into the empty folder `scratch`, reads all its files, and
 * checks the database, the row counts, the audit log, and that the backup has every file that a record names.
 *
 * - BACKUP-6 Any damage of the stored content is found.
 *
 * @throws DamagedBackup if the list of files is damaged
 */
export async function proveBackup(repository: Repository, name: string, scratch: string): Promise<Proof> {
  const manifest = await repository.manifest(name);
  const findings = new Findings();
  await readFiles(repository, manifest, scratch, findings);
  const hasDatabase = await unpackOr(repository, databaseFile(manifest), scratch, findings);
  const auditRows = hasDatabase ? await checkDatabase(manifest, scratch, findings) : 0;
  return {
    name,
    madeAt: manifest.madeAt,
    site: manifest.site,
    files: manifest.files.length,
    bytes: manifest.files.reduce((sum, { size }) => sum + size, manifest.database.size),
    rows: Object.values(manifest.counts).reduce((sum, count) => sum + count, 0),
    auditRows,
    findings: findings.sentences(),
  };
}

class Findings {
  readonly #found: string[] = [];

  add(sentence: string): void {
    this.#found.push(sentence);
  }

  sentences(): string[] {
    const more = this.#found.length - mostFindings;
    return [
      ...this.#found.slice(0, mostFindings),
      ...(more > 0 ? [`${more} more findings of this kind.`] : []),
    ];
  }
}

/** Reads all files but the database. Writes those that the check of the audit log needs to `scratch`. */
async function readFiles(
  repository: Repository,
  manifest: Manifest,
  scratch: string,
  findings: Findings,
): Promise<void> {
  const needed: readonly string[] = Object.values(anchorFiles);
  for (const file of manifest.files) {
    if (needed.includes(file.path)) {
      await unpackOr(repository, file, scratch, findings);
      continue;
    }
    try {
      for await (const _ of repository.readObject(file.sha256));
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      findings.add(`${file.path} of the backup cannot be used: ${error.message}.`);
    }
  }
}

async function unpackOr(
  repository: Repository,
  file: { path: string; sha256: string },
  scratch: string,
  findings: Findings,
): Promise<boolean> {
  try {
    await unpackFile(repository, file, scratch);
    return true;
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error;
    findings.add(error.message);
    return false;
  }
}

/** Returns the number of rows of the audit log. */
async function checkDatabase(manifest: Manifest, scratch: string, findings: Findings): Promise<number> {
  const path = join(scratch, databaseName);
  if (manifest.oldestSchema > schemaVersion) {
    findings.add(
      `The backup was made by a newer Benchbook (${manifest.program}, schema ${manifest.schema}); this one knows schema ${schemaVersion}.`,
    );
    return 0;
  }
  const database = new BetterSqlite3(path);
  try {
    const damage = database.pragma('integrity_check(10)', { simple: true });
    if (damage !== 'ok') findings.add(`The database of the backup is damaged: ${String(damage)}.`);
    const foreign = database.pragma('foreign_key_check') as unknown[];
    if (foreign.length > 0)
      findings.add(`${foreign.length} rows of the database refer to rows that do not exist.`);
    compare(manifest, factsOf(database), findings);
  } finally {
    database.close();
  }
  await using storage = await openSqlite(path);
  const report = await verifyAudit(storage.reader, new Anchors(scratch));
  for (const { message } of report.findings) findings.add(`Audit log: ${message}.`);
  return report.rows;
}

function compare(manifest: Manifest, facts: ReturnType<typeof factsOf>, findings: Findings): void {
  for (const [table, count] of Object.entries(manifest.counts))
    if (facts.counts[table] !== count)
      findings.add(
        `The table ${table} has ${facts.counts[table] ?? 0} rows; it had ${count} when it was backed up.`,
      );
  const stored = new Set(manifest.files.map(({ path }) => path));
  for (const sha256 of facts.files)
    if (!stored.has(`media/${sha256.slice(0, 2)}/${sha256}`))
      findings.add(
        `The file ${sha256} that a record names is not in the backup. It was missing or damaged in the data folder.`,
      );
}
