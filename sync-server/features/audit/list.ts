import { auditChanges, type AuditEntry } from '#shared/model/audit.ts';
import type { Db } from '#server/storage/tables.ts';

import type { AuditRow } from '#server/storage/audit/recorder.ts';

/** Filter for rows of the log. Dates: UNIX seconds, `until` is exclusive. */
export interface AuditFilter {
  userid?: number | undefined;
  action?: string | undefined;
  object?: string | undefined;
  objectid?: string | undefined;
  outcome?: 'done' | 'refused' | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

function matching(db: Db, filter: AuditFilter) {
  const { userid, action, object, objectid, outcome, since, until } = filter;
  return db
    .selectFrom('audit_log')
    .$if(userid !== undefined, (query) => query.where('userid', '=', userid ?? null))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(object !== undefined, (query) => query.where('object', '=', object ?? ''))
    .$if(objectid !== undefined, (query) => query.where('object_id', '=', objectid ?? ''))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'done'))
    .$if(since !== undefined, (query) => query.where('at', '>=', (since ?? 0) * 1000))
    .$if(until !== undefined, (query) => query.where('at', '<', (until ?? 0) * 1000));
}

/**
 * A page of the log, by default newest first.
 *
 * - AUDIT-9 `benchbook audit list` and `export` return rows by person, action, record and time, as text, CSV or JSON.
 *   `GET /audit` returns them to administrators in pages. The app shows what was done in plain words, what changed, and
 *   whether the rows shown are consecutive.
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  page: { limit: number; offset: number; order?: 'asc' | 'desc' },
): Promise<AuditEntry[]> {
  const rows = await matching(db, filter)
    .selectAll()
    .orderBy('seq', page.order ?? 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(entryOf);
}

/** The number of rows that match. */
export async function countAudit(db: Db, filter: AuditFilter): Promise<number> {
  const { count } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const batch = 500;

/** Every row that matches, oldest first, read in batches. */
export async function* everyAuditRow(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow> {
  for (let after = 0; ;) {
    const rows = await matching(db, filter)
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(batch)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = last.seq;
  }
}

/** A row as the API returns it. */
export function entryOf(row: AuditRow): AuditEntry {
  const { at, object_id, changes, ...rest } = row;
  return {
    ...rest,
    date: Math.floor(at / 1000),
    time: new Date(at).toISOString(),
    objectid: object_id,
    changes: auditChanges(changes),
  };
}

const columns = [
  'seq',
  'time',
  'userid',
  'name',
  'impersonator',
  'action',
  'outcome',
  'object',
  'objectid',
  'revision_before',
  'revision_after',
  'address',
  'changes',
  'prev_hash',
  'hash',
] as const;

/** The header line of a CSV export (RFC 4180). */
export const csvHeading = columns.join(',');

/** A row as a line of CSV. */
export function csvLine(row: AuditRow): string {
  const entry = { ...entryOf(row), changes: row.changes };
  return columns.map((name) => csvCell(entry[name])).join(',');
}

function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  // Spreadsheets would evaluate such a text as a formula.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
