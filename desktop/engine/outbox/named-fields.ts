import { z } from 'zod';

import type { BatchCall } from '#shared/sync/wire.ts';

import { entryContextOf, waitingValues } from '../entry-calls.ts';
import type { OutboxCall } from '../ports.ts';

const namingField = z
  .object({ data: z.object({ field_revisionid: z.int(), field_guid: z.string() }) })
  .transform(({ data }) => ({ id: data.field_revisionid, guid: data.field_guid }));

/** The fields for which a call has values, by number and guid, as this device knew them (O34). */
export function fieldsNamed(call: OutboxCall): NonNullable<BatchCall['fields']> {
  const context = call.kind === 'entry-data' ? entryContextOf(call) : undefined;
  if (context === undefined) return [];
  return waitingValues(context).flatMap((value) => namingField.safeParse(value).data ?? []);
}

/** Whether two calls have values for different fields of the same number, as may be after a restore. */
export function nameOtherFields(one: OutboxCall, other: OutboxCall): boolean {
  const guids = new Map(fieldsNamed(one).map(({ id, guid }) => [id, guid]));
  return fieldsNamed(other).some(({ id, guid }) => (guids.get(id) ?? guid) !== guid);
}
