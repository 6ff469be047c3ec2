import { z } from 'zod';

/** Values of columns; what is JSON itself stands as its text. */
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A change of a row of the database, or facts that no row shows. */
const auditChange = z
  .strictObject({
    table: z.string().optional(),
    op: z.enum(['insert', 'update', 'delete']).optional(),
    key: values.optional(),
    old: values.optional(),
    new: values.optional(),
    facts: values.optional(),
  })
  .meta({ id: 'AuditChange' });
type AuditChange = z.infer<typeof auditChange>;

/** Reads the changes of a row as they are stored. */
export function auditChanges(text: string): AuditChange[] {
  const told = JSON.parse(text) as Record<string, unknown>[];
  return told.map((change) =>
    auditChange.parse(
      Object.fromEntries(
        Object.entries(change).map(([name, value]) => [name, isGroup(value) ? withTexts(value) : value]),
      ),
    ),
  );
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withTexts(group: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(group).map(([name, value]) => [name, isGroup(value) ? JSON.stringify(value) : value]),
  );
}

/** A row of the audit log: what happened on the server, by whom, when, and what it changed. */
export const auditEntry = z
  .strictObject({
    seq: z.int(),
    date: z.int(),
    time: z.string(),
    userid: z.int().nullable(),
    name: z.string(),
    impersonator: z.int().nullable(),
    action: z.string(),
    outcome: z.enum(['done', 'refused']),
    object: z.string(),
    objectid: z.string(),
    revision_before: z.int().nullable(),
    revision_after: z.int().nullable(),
    address: z.string(),
    changes: z.array(auditChange),
    prev_hash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

/** The kind of record of the rows that the log writes about itself. */
export const auditObject = 'audit';

/** Actions of the log about itself. */
export const auditActions = {
  /** The key that seals anchors from now on; `keyid` names it. */
  key: 'audit key',
  /** The log did not go on from where it had ended. */
  gap: 'audit gap',
  /** An administrator says why. */
  acknowledge: 'audit acknowledge',
} as const;

/** A hash of the audit log: SHA-256 in hex. */
export const auditHash = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Where the audit log of a server ended: its last row at that time. The hash covers that row and every row before it.
 * `time`: when it was told, ISO 8601 in UTC.
 */
export const auditHead = z.strictObject({
  server: z.string(),
  seq: z.int().min(0),
  hash: auditHash,
  time: z.string(),
});
export type AuditHead = z.infer<typeof auditHead>;

/** The same with the stamp of a time-stamping authority on the hash (RFC 3161, DER in base64). `stamped`: its time. */
export const stampedAuditHead = z.strictObject({
  ...auditHead.shape,
  stamped: z.string(),
  token: z.string(),
});
export type StampedAuditHead = z.infer<typeof stampedAuditHead>;
