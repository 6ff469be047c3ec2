import type { AuditEntry } from '#shared/model/audit.ts';

/** Rows of the audit log on one page. */
export const auditPageSize = 50;

/** Filter for rows of the audit log; absent fields do not filter. */
export interface AuditQuery {
  userid?: number | undefined;
  /** Method and path template of a call, or the name of a job or command. */
  action?: string | undefined;
  /** Kind of a record. */
  object?: string | undefined;
  objectid?: string | undefined;
  outcome?: AuditEntry['outcome'] | undefined;
  /** UNIX seconds, `until` excluded. */
  from?: number | undefined;
  until?: number | undefined;
}

/** A page of the log, newest first. */
export interface AuditPage {
  entries: AuditEntry[];
  /** Total number of rows that match. */
  total: number;
}

/** Reads of the audit log by an administrator. They need the network: each asks the server and throws its `Problem`. */
export interface AuditActions {
  /** `page` counts from 0. */
  readAudit: (query: AuditQuery, page: number) => Promise<AuditPage>;
  /** The row that reports that the log did not continue from its end, until somebody has given the reason; null: none. */
  readAuditGap: () => Promise<number | null>;
}
