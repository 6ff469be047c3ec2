import { z } from 'zod';

import { auditEntry } from '#shared/model/audit.ts';

import { get, idText, limit, offset, unixSeconds } from './endpoint.ts';

const date = z.coerce.number().pipe(unixSeconds);

const filter = z.object({
  userid: idText.optional(),
  action: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only this action, such as `PATCH /guides/{guideid}`' }),
  object: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only about this kind of record, such as `guide`' }),
  objectid: z.string().max(100).optional().meta({ description: 'Only about the record with this id' }),
  outcome: z
    .enum(['done', 'refused'])
    .optional()
    .meta({ description: 'Only what was done, or what was turned down' }),
  from: date.optional().meta({ description: 'Only from this UNIX time on' }),
  until: date.optional().meta({ description: 'Only before this UNIX time' }),
  limit,
  offset,
});

/** The audit log, for administrators. `benchbook audit verify --against FILE` verifies it. */
export const audit = {
  list: get('/audit', {
    summary: 'List rows of the audit log, newest first',
    access: 'admin',
    query: filter,
    result: z.array(auditEntry),
    extension: true,
  }),
};
