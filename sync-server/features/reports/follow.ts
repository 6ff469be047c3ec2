import { sql } from 'kysely';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { finishedOrder } from '#shared/rules/finished-order.ts';
import type { Context } from '#server/core/context.ts';

/**
 * Stores what reports count of an entry, in the transaction in which it is finished. A deleted entry takes it along, and
 * triggers give it the audience of the entry (migration 064).
 */
export async function followReports({ db }: Pick<Context, 'db'>, entry: EntryFacts): Promise<void> {
  const order = entry.events.at(-1)?.type === 'finish' ? finishedOrder(entry) : null;
  if (order === null) return;
  const { entryid, guideid } = entry;
  const { steps, missing, numbers, ...times } = order;
  const audience = sql<number>`(SELECT coalesce(max(audience), 0) FROM documents
    WHERE collection = 'workLog' AND id = ${String(entryid)})`;
  await db
    .insertInto('finished_orders')
    .values({ entryid, guideid, ...times, missing: missing.length, audience })
    .execute();
  if (steps.length > 0)
    await db
      .insertInto('step_times')
      .values(steps.map((step) => ({ entryid, ...step })))
      .execute();
  if (missing.length > 0)
    await db
      .insertInto('missing_values')
      .values(missing.map((one) => ({ entryid, ...one })))
      // A field that is required twice is missing once.
      .onConflict((is) => is.doNothing())
      .execute();
  if (numbers.length > 0)
    await db
      .insertInto('measured_numbers')
      .values(numbers.map((number) => ({ entryid, ended: order.ended, ...number })))
      .execute();
}
