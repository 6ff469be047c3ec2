import { rmSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import { must } from '#shared/must.ts';
import { Anchors, anchorFiles } from '#server/features/audit/anchors.ts';
import { hashOf, noHash, type AuditRow } from '#server/storage/audit/recorder.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';

/** A command `benchbook audit` about a data folder. */
export const benchbook = (dataDir: string, ...args: string[]): Promise<Ran> =>
  runCommand(['audit', ...args, '--data', dataDir]);

/** The audit log of a data folder. */
export function rowsOf(dataDir: string): AuditRow[] {
  const raw = new BetterSqlite3(join(dataDir, databaseName), { readonly: true });
  const found = raw.prepare('SELECT * FROM audit_log ORDER BY seq').all() as AuditRow[];
  raw.close();
  return found;
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

/** Replaces the log with other rows, invisibly in the schema. */
export function store(raw: BetterSqlite3.Database, list: readonly AuditRow[]): void {
  const triggers = raw
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log'`)
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
  raw.exec('DELETE FROM audit_log');
  for (const row of list) {
    const names = Object.keys(row);
    raw
      .prepare(
        `INSERT INTO audit_log (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      )
      .run(row);
  }
  for (const { sql } of triggers) raw.exec(sql);
}

/** Seals notes of another log with the key of the server. */
export async function seal(dataDir: string, list: readonly AuditRow[]): Promise<Anchors> {
  rmSync(join(dataDir, anchorFiles.anchors), { force: true });
  const anchors = new Anchors(dataDir);
  await anchors.add('begin', must(list[1], 'the second row'), 0);
  await anchors.add('head', must(list.at(-1), 'the last row'), must(list.at(-1), 'the last row').at);
  return anchors;
}
