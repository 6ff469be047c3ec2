import type { DeviationFacts } from '#shared/model/deviations.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { jsonNumber } from '#server/storage/dialect.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';

/** The work of a team of which a summary is made. It may contain records that the span does not concern. */
export interface TeamWork {
  entries: EntryFacts[];
  deviations: DeviationFacts[];
  planned: PlannedOrderFacts[];
  /** The titles of guides that everyone may see, by guideid. */
  titles: ReadonlyMap<number, string>;
}

/** Reads what the leads of a team see of its work since `from` (UNIX seconds). */
export async function gatherWork(
  ctx: Context,
  { teamid, from }: { teamid: number; from: number },
): Promise<TeamWork> {
  // The list in the query is never empty.
  const audiences = [0, ...(await visibleAudiences(ctx.db, [`lead:${teamid}`]))];
  const entries = await findDocuments(ctx.db, 'workLog', await entriesSince(ctx, audiences, from));
  const guides = await findDocuments(
    ctx.db,
    'guides',
    entries.map(({ guideid }) => guideid),
  );
  return {
    entries,
    deviations: await findDocuments(ctx.db, 'deviations', await deviationsSince(ctx, audiences, from)),
    planned: await findDocuments(ctx.db, 'plannedOrders', await openPlans(ctx, audiences)),
    titles: new Map(guides.flatMap((guide) => (guide.public ? [[guide.guideid, guide.title] as const] : []))),
  };
}

async function entriesSince(ctx: Context, audiences: readonly number[], from: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('work_log')
    .innerJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'workLog')
        .on((eb) => eb('documents.id', '=', eb.cast<string>('entryid', 'text'))),
    )
    .select('entryid')
    .where('documents.audience', 'in', audiences)
    .where((eb) => eb.or([eb('endtime', 'is', null), eb('endtime', '>=', from)]))
    .orderBy('entryid')
    .execute();
  return rows.map(({ entryid }) => entryid);
}

/** Open deviations, and those that were reported or decided since. */
async function deviationsSince(ctx: Context, audiences: readonly number[], from: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('deviations')
    .innerJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'deviations')
        .on((eb) => eb('documents.id', '=', eb.cast<string>('deviationid', 'text'))),
    )
    .select('deviationid')
    .where('documents.audience', 'in', audiences)
    .where((eb) =>
      eb.or([
        eb('decided', '=', 0),
        eb(jsonNumber(ctx.db, 'documents.body', ['date']), '>=', from),
        eb(jsonNumber(ctx.db, 'documents.body', ['decisions', -1, 'date']), '>=', from),
      ]),
    )
    .orderBy('deviationid')
    .execute();
  return rows.map(({ deviationid }) => deviationid);
}

async function openPlans(ctx: Context, audiences: readonly number[]): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('planned_orders')
    .innerJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'plannedOrders')
        .on((eb) => eb('documents.id', '=', eb.cast<string>('planned_orderid', 'text'))),
    )
    .select('planned_orderid')
    .where('documents.audience', 'in', audiences)
    .where('status', 'in', ['open', 'started'])
    .orderBy('planned_orderid')
    .execute();
  return rows.map(({ planned_orderid }) => planned_orderid);
}
