import type { AuditEntry } from '#shared/model/audit.ts';

/** Rows of the audit log on one page. */
export const auditPageSize = 50;

/** Which rows of the audit log are wanted; what is absent narrows nothing. */
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
  /** Rows that the query finds in all. */
  total: number;
}

/** What an administrator reads of the audit log. It needs the network: each asks the server and throws its `Problem`. */
export interface AuditActions {
  /** `page` counts from 0. */
  readAudit: (query: AuditQuery, page: number) => Promise<AuditPage>;
  /** The row that tells that the log did not go on from where it had ended, while nobody gave the reason; null: none. */
  readAuditGap: () => Promise<number | null>;
}
