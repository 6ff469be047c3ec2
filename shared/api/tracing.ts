import { z } from 'zod';

import { deviation } from '#shared/model/deviations.ts';
import { workRecordFile } from '#shared/model/work-record.ts';
import { tracedLimit } from '#shared/rules/tracing.ts';

import { get, idText, limit, offset } from './endpoint.ts';

const tag = {
  name: 'Tracing',
  description: 'Work orders by serial number, lot number or revision of the guide (extension)',
};

/** An order that was found: its record, the hash that was stored at its end, and its deviations with pictures. */
export const tracedOrder = workRecordFile
  .omit({ deviations: true })
  .extend({ deviations: z.array(deviation) })
  .meta({ id: 'TracedOrder' });
export type TracedOrderRecord = z.infer<typeof tracedOrder>;

/**
 * Query of GET /work_log/trace: either `number`, or `guideid` with `revision_number`, the number of a revision as people
 * count it.
 */
export const traceQuery = z.object({
  offset,
  limit,
  number: z
    .string()
    .trim()
    .min(1)
    .max(tracedLimit)
    .optional()
    .meta({ description: 'A serial or lot number; case and surrounding spaces do not matter' }),
  guideid: idText.optional(),
  revision_number: idText
    .optional()
    .meta({ description: 'The number of a revision of the guide, as people count it' }),
});
export type TraceQuery = z.output<typeof traceQuery>;

const prefixQuery = z.object({
  prefix: z.string().default('').meta({
    description: 'The first characters of the numbers; case does not matter. Without it there are none',
  }),
});

export const tracing = {
  trace: get('/work_log/trace', {
    tag,
    extension: true,
    summary: 'Trace a serial or lot number, or a revision of a guide',
    query: traceQuery,
    result: z.array(tracedOrder),
  }),
  numbers: get('/work_log/trace/numbers', {
    tag,
    extension: true,
    summary: 'Suggest serial and lot numbers by their first characters',
    query: prefixQuery,
    result: z.array(z.strictObject({ number: z.string() })),
  }),
};
