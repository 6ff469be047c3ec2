import { sql } from 'kysely';

import type { EntryFilter } from '#shared/api/work-log.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';

import { entryRecords } from './record.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

/** Most audiences whose entries are found by an index. */
const mostSought = 50;

/** A page of the entries that the viewer may see, ordered by entryid. */
export async function listEntries(
  ctx: Context,
  filter: EntryFilter,
): Promise<{
  results: WorkLogEntry[];
  offset: number;
  limit: number;
  totalResults: number;
  moreResults: boolean;
}> {
  const visible = [nobody, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  let select = ctx.db.selectFrom('work_log');
  if (filter.guideid !== undefined) select = select.where('guideid', '=', filter.guideid);
  if (filter.userid !== undefined) select = select.where('userid', '=', filter.userid);
  if (filter.workorderid !== undefined) select = select.where('workorderid', '=', filter.workorderid);
  if (filter.status !== undefined) select = select.where('status', '=', filter.status);
  if (filter.from !== undefined) select = select.where('starttime', '>=', filter.from);
  if (filter.until !== undefined) select = select.where('starttime', '<', filter.until);
  if (filter.teamid !== undefined) {
    const ofTeam = [nobody, ...(await visibleAudiences(ctx.db, [`lead:${filter.teamid}`]))];
    select = select.where('audience', 'in', ofTeam);
  }
  if (filter.deviating)
    select = select.where((eb) =>
      eb.or([
        eb('gaps', '>', 0),
        eb.exists(
          eb.selectFrom('deviations').select('deviationid').whereRef('entryid', '=', 'work_log.entryid'),
        ),
      ]),
    );
  const { total } = await select
    .where('audience', 'in', visible)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  // Who may see many audiences may see most entries: an index would collect all of them for each page. A term does not
  // use an index.
  const isOfMost = visible.length > mostSought;
  const rows = await select
    .where(isOfMost ? sql<number>`+audience` : 'audience', 'in', visible)
    .select('entryid')
    .orderBy('entryid', filter.order === 'ASC' ? 'asc' : 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const entries = await findDocuments(
    ctx.db,
    'workLog',
    rows.map((row) => row.entryid),
  );
  ctx.total(total);
  return {
    results: await entryRecords(ctx, entries),
    offset: filter.offset,
    limit: filter.limit,
    totalResults: total,
    moreResults: filter.offset + rows.length < total,
  };
}

/** The suspended entries of a guide, oldest first. The caller has checked that the viewer may see the guide. */
export async function listSuspended(ctx: Context, guideid: number): Promise<WorkLogEntry[]> {
  const rows = await ctx.db
    .selectFrom('work_log')
    .select('entryid')
    .where('guideid', '=', guideid)
    .where('status', '=', 'suspended')
    .orderBy('entryid')
    .execute();
  return entryRecords(
    ctx,
    await findDocuments(
      ctx.db,
      'workLog',
      rows.map((row) => row.entryid),
    ),
  );
}
