import { hash } from 'node:crypto';

import type { Selectable } from 'kysely';

import type { Tables } from '#server/storage/tables.ts';

/** A row of the audit log as it is stored. */
export type AuditRow = Selectable<Tables['audit_log']>;

/** What stands before the first row. */
export const noHash = '0'.repeat(64);

/**
 * The hash of a row: SHA-256 in hex over the JSON list of its columns in the order of the table, the hash of the row
 * before included, its own excluded. Every column is in it, so that none can be changed unnoticed.
 */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const canonical = JSON.stringify([
    row.seq,
    row.at,
    row.userid,
    row.name,
    row.impersonator,
    row.action,
    row.outcome,
    row.object,
    row.object_id,
    row.revision_before,
    row.revision_after,
    row.address,
    row.changes,
    row.prev_hash,
  ]);
  return hash('sha256', canonical);
}
