import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { must } from '#shared/must.ts';
import { Anchors, anchorFiles } from '#server/features/audit/anchors.ts';
import { hashOf, noHash, type AuditRow } from '#server/storage/audit/recorder.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { onPostgres } from '#test/support/postgres-databases.ts';
import { openRaw, type RawDatabase } from '#test/support/raw-database.ts';

/** A command `benchbook audit` about a data folder. */
export const benchbook = (dataDir: string, ...args: string[]): Promise<Ran> =>
  runCommand(['audit', ...args, '--data', dataDir]);

/** The audit log of a data folder. */
export async function rowsOf(dataDir: string): Promise<AuditRow[]> {
  await using raw = await openRaw(dataDir);
  return await raw.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
}

/** Renumbers rows and gives them correct hashes; nobody needs a key for that. */
export function chained(list: readonly AuditRow[]): AuditRow[] {
  let prev = noHash;
  return list.map((row, index) => {
    const next = { ...row, seq: index + 1, prev_hash: prev };
    prev = hashOf(next);
    return { ...next, hash: prev };
  });
}

/** Replaces the log of a data folder with other rows in one transaction, invisibly in the schema. */
export async function store(dataDir: string, list: readonly AuditRow[]): Promise<void> {
  await using raw = await openRaw(dataDir);
  await raw.run(onPostgres() ? 'BEGIN' : 'BEGIN IMMEDIATE');
  await raw.past(() => storeRows(raw, list));
  await raw.run('COMMIT');
}

/** Replaces the rows of the log. The caller gets past its triggers. */
export async function storeRows({ db }: RawDatabase, list: readonly AuditRow[]): Promise<void> {
  await db.deleteFrom('audit_log').execute();
  for (const row of list) await db.insertInto('audit_log').values(row).execute();
}

/** Seals notes of another log with the key of the server. */
export async function seal(dataDir: string, list: readonly AuditRow[]): Promise<Anchors> {
  rmSync(join(dataDir, anchorFiles.anchors), { force: true });
  const anchors = new Anchors(dataDir);
  await anchors.add('begin', must(list[1], 'the second row'), 0);
  await anchors.add('head', must(list.at(-1), 'the last row'), must(list.at(-1), 'the last row').at);
  return anchors;
}
