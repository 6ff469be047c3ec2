import { sql, type RawBuilder } from 'kysely';

import { invalid } from '#shared/api/problem.ts';
import { mostReportDays, mostReportRows, reportDays, type ReportFilter } from '#shared/api/reports.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { numberTable } from '#server/storage/dialect.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { seesEveryEntry } from '../work-log/access.ts';

const daySeconds = 24 * 3600;

/** The orders that a report counts. */
export interface Counted {
  /** UNIX seconds. */
  from: number;
  until: number;
  /** The orders as a subquery: entryid, guideid, userid, ended, active, missing. */
  found: RawBuilder<unknown>;
  /** Whether they are all orders of the time, of everybody. */
  areAll: boolean;
}

/** A report without its rows: the time that was counted, and the number of its orders. */
interface Span {
  from: number;
  until: number;
  orders: number;
}

/**
 * Reads a report and the number of its orders. `query`: the rows.
 *
 * - REPORT-2 Everybody sees figures of the orders that they finished, leads also those of the teams that they own, and
 *   administrators all. An order that a person may read for another reason, such as a suspended one, is not counted, so that
 *   nobody sees how long others worked.
 */
export async function readReport<Row>(
  ctx: Context,
  filter: ReportFilter,
  query: (counted: Counted) => RawBuilder<Row>,
): Promise<{ span: Span; rows: Row[] }> {
  const counted = await countedOrders(ctx, filter);
  const { from, until, found } = counted;
  const count = sql`SELECT count(*) AS orders FROM ${found} AS counted`;
  const statements = [count, query(counted)].map((one) => one.compile(ctx.db));
  const { longReads } = ctx.services.storage;
  const [counts, rows] = await longReads.read(String(mustUserid(ctx)), statements);
  // The statements return these types.
  const [first] = counts as { orders: number }[];
  return { span: { from, until, orders: first?.orders ?? 0 }, rows: rows as Row[] };
}

/**
 * The finished orders that match a filter, among those that the viewer may see in reports. Throws 422 for a time that is too
 * long.
 *
 * - REPORT-16 A report reads ranges of indexes only: of a time, a guide, a person, or the teams of a lead. It never reads the
 *   orders of others, or those outside of the time.
 */
export async function countedOrders(ctx: Context, filter: ReportFilter): Promise<Counted> {
  const { from, until } = spanOf(filter, ctx.seconds);
  const { guideid, userid, teamid } = filter;
  const team = teamid === undefined ? null : await visibleAudiences(ctx.db, [`lead:${teamid}`]);
  const matching = (...conditions: RawBuilder<unknown>[]): RawBuilder<unknown> => {
    const all = [
      ...conditions,
      ...(guideid === undefined ? [] : [sql`guideid = ${guideid}`]),
      ...(userid === undefined ? [] : [sql`userid = ${userid}`]),
      sql`ended >= ${from} AND ended < ${until}`,
    ];
    return sql`SELECT entryid, guideid, userid, ended, active, missing FROM finished_orders
      WHERE ${sql.join(all, sql` AND `)}`;
  };
  const ofTeam = team === null ? [] : [isOneOf(ctx.db, team)];
  const { viewer } = ctx;
  const isFiltered = [guideid, userid, teamid].some((one) => one !== undefined);
  if (seesEveryEntry(viewer))
    return { from, until, areAll: !isFiltered, found: sql`(${matching(...ofTeam)})` };
  const leads = viewer.principals.filter((one) => one.startsWith('lead:'));
  const led = await visibleAudiences(ctx.db, leads);
  const ledOfTeam = team === null ? led : new Set([...led].filter((one) => team.has(one)));
  const own = matching(sql`userid = ${viewer.userid}`, ...ofTeam);
  // Two reads of an index each: with OR, SQLite would read the orders of everybody.
  const others = matching(isOneOf(ctx.db, ledOfTeam), sql`userid <> ${viewer.userid}`);
  const found = ledOfTeam.size === 0 ? sql`(${own})` : sql`(${own} UNION ALL ${others})`;
  return { from, until, areAll: false, found };
}

/**
 * The time that a report covers, UNIX seconds.
 *
 * - REPORT-6 A report without a start covers the last 90 days, has at most 200 rows or 1,000 values, and says whether there
 *   are more.
 * - REPORT-15 A report covers at most 732 days: two years, with a leap day and the hour of a change of clocks. A longer time is
 *   422 for `from`.
 */
function spanOf({ from, until }: ReportFilter, now: number): { from: number; until: number } {
  const end = until ?? now + 1;
  const start = from ?? Math.max(0, end - reportDays * daySeconds);
  if (end - start > mostReportDays * daySeconds)
    throw invalid('from', `A report covers at most two years (${mostReportDays} days)`);
  return { from: start, until: end };
}

function isOneOf(db: Db, audiences: ReadonlySet<number>): RawBuilder<unknown> {
  return sql`audience IN (SELECT value FROM ${numberTable(db, [...audiences])} AS audiences)`;
}

/** The rows of an answer, which are read with one more than it may have, and whether there are more. */
export function bounded<Row>(rows: readonly Row[], most = mostReportRows): { rows: Row[]; more: boolean } {
  return { rows: rows.slice(0, most), more: rows.length > most };
}
