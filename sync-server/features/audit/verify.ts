import { auditActions } from '#shared/model/audit.ts';
import { isPostgres, triggersOf } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';

import { Comparison, type AgainstOptions, type AgainstReport } from './against.ts';
import type { Anchors, AnchorsRead } from './anchors.ts';
import type { StoredHeads } from './heads.ts';
import { type Head, hashOf, noHash, type AuditRow } from '#server/storage/audit/recorder.ts';

/** Number of rows read at once. */
const batch = 1000;
/** Most findings that are listed. */
const mostFindings = 100;

/**
 * A failed check. `seq`: the row; null if it is not about a single row. `about`: the log, or the files given as
 * evidence, which then neither confirm nor contradict the log.
 */
export interface AuditFinding {
  about: 'log' | 'files';
  seq: number | null;
  message: string;
}

/** The result of a check of the whole log. */
export interface AuditReport {
  rows: number;
  head: Head;
  /** The newest anchor; null if there is none. */
  anchored: { seq: number; at: number } | null;
  /** The comparison with heads stored outside of the server; null if none were given. */
  against: AgainstReport | null;
  findings: AuditFinding[];
}

/**
 * Checks every row of the log against its hash and the row before, and the log against the anchors and, with `outside`,
 * against heads stored outside of the server. Changes nothing.
 */
export async function verifyAudit(
  db: Db,
  anchors: Anchors,
  outside?: { kept: StoredHeads; options: AgainstOptions },
): Promise<AuditReport> {
  const read = anchors.read();
  const wanted = new Map(read.anchors.map((one) => [one.seq, one]));
  const findings: AuditFinding[] = [];
  const found = collectingIn(findings, 'log');
  const contradictions: AuditFinding[] = [];
  const unproven: AuditFinding[] = [];
  for (const name of await missingTriggers(db))
    found(null, `The trigger ${name}, which keeps rows as they are, is gone`);
  const comparison =
    outside === undefined
      ? null
      : await Comparison.begin(outside.kept, outside.options, {
          found: collectingIn(contradictions, 'log'),
          unproven: collectingIn(unproven, 'files'),
        });
  let before: Head = { seq: 0, hash: noHash };
  let openGap: AuditRow | undefined;
  let keys: AuditRow[] = [];
  let rows = 0;
  for (let more = true; more;) {
    const some = await rowsAfter(db, before.seq);
    for (const row of some) {
      checkLink(row, before, found);
      const noted = wanted.get(row.seq);
      if (noted !== undefined && noted.hash !== row.hash)
        found(row.seq, `Row ${row.seq} is another one than the row that was noted outside of the database`);
      // Every node on one database has a key of its own.
      if (row.action === auditActions.key) keys = isPostgres(db) ? [...keys, row] : [row];
      if (row.action === auditActions.gap) openGap = row;
      if (row.action === auditActions.acknowledge) openGap = undefined;
      comparison?.see(row, row.action === auditActions.gap);
      before = { seq: row.seq, hash: row.hash };
    }
    rows += some.length;
    more = some.length === batch;
  }
  if (openGap !== undefined)
    found(
      openGap.seq,
      `Row ${openGap.seq} tells that the log did not go on from where it had ended; acknowledge it`,
    );
  const last = read.anchors.at(-1);
  if (last !== undefined && last.seq > before.seq)
    found(
      null,
      `The log ends with row ${before.seq}, but row ${last.seq} was there: its end was cut off, or a backup was restored`,
    );
  checkFiles(anchors, read, keys, found);
  const against = comparison?.end(before.seq) ?? null;
  return {
    rows,
    head: before,
    anchored: last === undefined ? null : { seq: last.seq, at: last.at },
    against,
    findings: [...contradictions, ...unproven, ...findings],
  };
}

function collectingIn(findings: AuditFinding[], about: AuditFinding['about']): Found {
  return (seq, message) => {
    if (findings.length < mostFindings) findings.push({ about, seq, message });
  };
}

type Found = (seq: number | null, message: string) => void;

function checkLink(row: AuditRow, before: Head, found: Found): void {
  const { seq } = row;
  if (seq !== before.seq + 1)
    found(
      seq,
      before.seq + 2 === seq
        ? `Row ${before.seq + 1} is missing`
        : `Rows ${before.seq + 1} to ${seq - 1} are missing`,
    );
  else if (row.prev_hash !== before.hash)
    found(
      seq,
      `Row ${seq} does not follow row ${before.seq}: one of them was changed, moved, added or removed`,
    );
  if (hashOf(row) !== row.hash) found(seq, `Row ${seq} was changed`);
}

function checkFiles(anchors: Anchors, read: AnchorsRead, keys: readonly AuditRow[], found: Found): void {
  const keyid = anchors.keyId();
  if (keyid === null) {
    found(null, 'The key of the audit log is not in the data folder: its end cannot be checked');
    return;
  }
  if (!keys.some(({ changes }) => changes.includes(`"${keyid}"`)))
    found(keys.at(-1)?.seq ?? null, 'The key in the data folder is not the one that the log names');
  for (const line of read.flaws)
    found(null, `Line ${line} of the file of anchors was not written by this server`);
  if (read.anchors.length === 0 && read.flaws.length === 0)
    found(null, 'The file of anchors is empty or missing: the end of the log cannot be checked');
}

function rowsAfter(db: Db, seq: number): Promise<AuditRow[]> {
  return db.selectFrom('audit_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(batch).execute();
}

/** The triggers that let the log only grow. */
function guards(db: Db): string[] {
  return isPostgres(db)
    ? ['audit_log_continues', 'audit_log_stays', 'audit_log_is_not_emptied']
    : ['audit_log_insert', 'audit_log_update', 'audit_log_delete'];
}

/** Names of the log's triggers that are missing. */
async function missingTriggers(db: Db): Promise<string[]> {
  const there = await triggersOf(db, 'audit_log');
  return guards(db).filter((name) => !there.has(name));
}

/** Whether the row of the newest anchor exists unchanged. */
export async function isContinued(db: Db, anchors: Anchors): Promise<boolean> {
  const last = anchors.read().anchors.at(-1);
  return last === undefined || holds(db, last);
}

/** Whether a row that was the head exists unchanged. */
export async function holds(db: Db, { seq, hash }: Head): Promise<boolean> {
  if (seq === 0) return true;
  const row = await db.selectFrom('audit_log').select('hash').where('seq', '=', seq).executeTakeFirst();
  return row?.hash === hash;
}
