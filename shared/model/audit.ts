import { z } from 'zod';

/** Values of columns; a JSON column as its text. */
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A change of a row of the database, or facts that are in no row. */
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

/** Reads the stored changes of a row of the audit log. */
export function auditChanges(text: string): AuditChange[] {
  const changes = JSON.parse(text) as Record<string, unknown>[];
  return changes.map((change) =>
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

/** A row of the audit log: what happened on the server, who did it, when, and which values changed. */
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

/** The kind of record named by entries of the log about itself. */
export const auditObject = 'audit';

/** The actions of entries of the log about itself. */
export const auditActions = {
  /** A new key seals anchors from now on; `keyid` names it. */
  key: 'audit key',
  /** The log did not continue at its last row. */
  gap: 'audit gap',
  /** An administrator explained a gap. */
  acknowledge: 'audit acknowledge',
} as const;

/** A hash of the audit log: SHA-256 in hex. */
export const auditHash = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The head of the audit log of a server: its last row at `time` (ISO 8601, UTC). The hash covers that row and every row
 * before it.
 */
export const auditHead = z.strictObject({
  server: z.string(),
  seq: z.int().min(0),
  hash: auditHash,
  time: z.string(),
});
export type AuditHead = z.infer<typeof auditHead>;

/**
 * A head with the time stamp of an authority over the hash (RFC 3161, DER in base64). `stamped`: the time in the stamp.
 */
export const stampedAuditHead = z.strictObject({
  ...auditHead.shape,
  stamped: z.string(),
  token: z.string(),
});
export type StampedAuditHead = z.infer<typeof stampedAuditHead>;
