import { sql, type RawBuilder } from 'kysely';

import { mostReportRows, reportDays, type ReportFilter } from '#shared/api/reports.ts';
import type { Context } from '#server/core/context.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { seesEveryEntry } from '../work-log/access.ts';

/** The orders that a report counts. */
export interface Counted {
  /** UNIX seconds. */
  from: number;
  until: number;
  /** Number of the orders. */
  orders: number;
  /** The orders as a subquery: entryid, guideid, userid, ended, active, missing. */
  found: RawBuilder<unknown>;
}

/**
 * The finished orders that match a filter, among those that the viewer may see in reports.
 *
 * - REPORT-2 Everybody sees figures of the orders that they finished, leads also those of the teams that they own, and
 *   administrators all. An order that a person may read for another reason, such as a suspended one, is not counted, so that
 *   nobody sees how long others worked.
 * - REPORT-6 A report without a start covers the last 90 days, has at most 200 rows or 1,000 values, and says whether there
 *   are more.
 */
export async function countedOrders(ctx: Context, filter: ReportFilter): Promise<Counted> {
  const { until = ctx.seconds + 1 } = filter;
  const { from = Math.max(0, until - reportDays * 24 * 3600) } = filter;
  const conditions = [sql`ended >= ${from}`, sql`ended < ${until}`, ...(await visible(ctx))];
  if (filter.guideid !== undefined) conditions.push(sql`guideid = ${filter.guideid}`);
  if (filter.userid !== undefined) conditions.push(sql`userid = ${filter.userid}`);
  if (filter.teamid !== undefined)
    conditions.push(sql`audience IN ${await audiencesOf(ctx, [`lead:${filter.teamid}`])}`);
  const found = sql`(SELECT entryid, guideid, userid, ended, active, missing FROM finished_orders
    WHERE ${sql.join(conditions, sql` AND `)})`;
  const { rows } = await sql<{ orders: number }>`SELECT count(*) AS orders FROM ${found} AS counted`.execute(
    ctx.db,
  );
  return { from, until, orders: rows[0]?.orders ?? 0, found };
}

async function visible(ctx: Context): Promise<RawBuilder<unknown>[]> {
  const { viewer } = ctx;
  if (seesEveryEntry(viewer)) return [];
  const leads = viewer.principals.filter((one) => one.startsWith('lead:'));
  const ofTeams = await audiencesOf(ctx, leads);
  return [sql`(userid = ${viewer.userid} OR audience IN ${ofTeams})`];
}

/** The audiences of principals, as a list for IN. */
async function audiencesOf(
  ctx: Context,
  principals: Parameters<typeof visibleAudiences>[1],
): Promise<RawBuilder<unknown>> {
  const audiences = [...(await visibleAudiences(ctx.db, principals))];
  return sql`(SELECT value FROM json_each(${JSON.stringify(audiences)}))`;
}

/** The rows of an answer, which are read with one more than it may have, and whether there are more. */
export function bounded<Row>(rows: readonly Row[], most = mostReportRows): { rows: Row[]; more: boolean } {
  return { rows: rows.slice(0, most), more: rows.length > most };
}
