import { z } from 'zod';

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
    changes: z.array(z.record(z.string(), z.json())),
    prev_hash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;
