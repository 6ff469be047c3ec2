import type { Context } from '#server/core/context.ts';
import { contextForJob } from '#server/core/job.ts';
import type { Services } from '#server/core/services.ts';
import { membersOf, type Principal } from '#server/storage/audiences.ts';
import { chunks } from '#server/storage/chunks.ts';
import { findPresent, findStored, visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { republishDeviations } from '../deviations/publish.ts';
import { plannedAudience } from '../planned-orders/access.ts';
import { entryAudience, stationReadsSeconds } from '../work-log/access.ts';

type Writing = Pick<Context, 'db' | 'changes' | 'seconds'>;

/**
 * Gives the open entries and planned orders of a person the audience that includes the person's stations, where they were
 * stored before there were stations.
 */
export async function republishOpenWork(ctx: Writing, userid: number): Promise<void> {
  const { db, changes, seconds } = ctx;
  const reader: Principal = `stations:${userid}`;
  const entries = await db
    .selectFrom('work_log')
    .select('entryid')
    .where('userid', '=', userid)
    .where('status', 'in', ['started', 'paused', 'suspended'])
    .execute();
  for (const { entryid } of entries) {
    const [entry] = (await includes(db, 'workLog', entryid, reader))
      ? []
      : await findPresent(ctx, 'workLog', [entryid]);
    if (entry === undefined) continue;
    const guide = await findStored(ctx, 'guides', entry.guideid);
    const audience = entryAudience({ entry, guide, seconds });
    changes.put('workLog', entryid, entry, audience);
    await republishDeviations(ctx, entryid, audience);
  }
  const planned = await db
    .selectFrom('planned_orders')
    .select('planned_orderid')
    .where('userid', '=', userid)
    .where('status', 'in', ['open', 'started'])
    .execute();
  for (const { planned_orderid } of planned) {
    const [facts] = (await includes(db, 'plannedOrders', planned_orderid, reader))
      ? []
      : await findPresent(ctx, 'plannedOrders', [planned_orderid]);
    if (facts !== undefined) changes.put('plannedOrders', planned_orderid, facts, plannedAudience(facts));
  }
}

/** Whether the stored record is shown to this reader. */
async function includes(
  db: Db,
  collection: 'workLog' | 'plannedOrders',
  id: number,
  reader: Principal,
): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('audience')
    .where('collection', '=', collection)
    .where('id', '=', String(id))
    .executeTakeFirst();
  return row !== undefined && (await membersOf(db, row.audience)).has(reader);
}

/** Takes entries that ended long ago, with their deviations, from the stations at which they were recorded (STATION-10). */
export async function withdrawOldWork(services: Services): Promise<void> {
  const { reader } = services.storage;
  const stations = await reader.selectFrom('stations').select('stationid').execute();
  if (stations.length === 0) return;
  const oldest = Math.floor(services.now() / 1000) - stationReadsSeconds;
  const readers = stations.map(({ stationid }): Principal => `user:${stationid}`);
  const audiences = [...(await visibleAudiences(reader, readers))];
  if (audiences.length === 0) return;
  const rows = await reader
    .selectFrom('work_log')
    .select('entryid')
    .where('audience', 'in', audiences)
    .where('endtime', '<', oldest)
    .execute();
  for (const some of chunks(rows.map(({ entryid }) => entryid)))
    await contextForJob(
      services,
      null,
      async (ctx) => {
        for (const entry of await findPresent(ctx, 'workLog', some)) {
          const guide = await findStored(ctx, 'guides', entry.guideid);
          const audience = entryAudience({ entry, guide, seconds: ctx.seconds });
          ctx.changes.put('workLog', entry.entryid, entry, audience);
          await republishDeviations(ctx, entry.entryid, audience);
        }
      },
      'site',
      'old work of stations',
    );
}
