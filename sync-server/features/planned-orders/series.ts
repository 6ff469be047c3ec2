import type { Selectable } from 'kysely';

import { oldestSeriesDays } from '#shared/api/planned-orders.ts';
import { invalid } from '#shared/api/problem.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { contextForJob } from '#server/core/job.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { teamsOf } from '#server/core/viewer.ts';
import { findPresent } from '#server/storage/feed.ts';
import { unlessFull } from '#server/storage/sqlite.ts';
import type { Tables } from '#server/storage/tables.ts';

import { insertPlanned, type Planned } from './insert.ts';
import { storeAgain } from './publish.ts';
import { localTime, occurrencesOf, readRule } from './recurrence.ts';

/** How long before its due time an order of a series is planned, seconds. */
export const horizonSeconds = 14 * 24 * 3600;
const oldestSeriesSeconds = oldestSeriesDays * 24 * 3600;
/** Interval between two looks, ms. */
const intervalMs = 60 * 60 * 1000;
/** Maximum number of orders that one look adds to a series, to keep transactions short. */
const mostAtOnce = 100;

type Series = Selectable<Tables['planned_series']>;

/**
 * Plans the first order of a series, and those that follow within the horizon.
 *
 * - PLANNED-8 An order with a recurrence rule is planned again for each time at which the rule occurs, 14 days ahead. The
 *   rule counts in the time zone that the site had when it was planned, so that summer time does not shift it. Each time
 *   has one order, however often the server looks or restarts, also after a restore. A series begins at most 90 days ago, so
 *   that a mistyped year does not plan years of late orders.
 */
export async function planSeries(ctx: Context, planned: Planned, rule: string): Promise<PlannedOrderFacts> {
  const { due } = planned;
  if (due === null) throw invalid('due', 'An order that repeats needs a due time');
  if (due < ctx.seconds - oldestSeriesSeconds)
    throw invalid('due', `An order that repeats is first due at most ${oldestSeriesDays} days ago`);
  const { time_zone } = ctx.services.site;
  const start = localTime(due, time_zone);
  const rrule = readRule(rule, start, time_zone);
  const { userid, teamid, teamids: _teamids, due: _due, ...template } = planned;
  const series = await ctx.db
    .insertInto('planned_series')
    .values({
      rrule,
      start,
      time_zone,
      template: JSON.stringify(template),
      userid,
      teamid,
      planned_until: due,
      ended: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { seriesid } = series;
  const first = await insertPlanned(ctx, planned, { seriesid, rrule, occurrence: due }, ctx.key);
  await expand(ctx, series);
  if (first === undefined) throw new Error('A new series has no orders');
  return first;
}

/** Plans the orders of a series up to the horizon. Returns how many. */
async function expand(ctx: Context, series: Series): Promise<number> {
  const { seriesid, rrule, userid, teamid, planned_until } = series;
  const horizon = ctx.seconds + horizonSeconds;
  if (horizon <= planned_until) return 0;
  const all = occurrencesOf(series, planned_until, horizon);
  const next = all.slice(0, mostAtOnce);
  const template = JSON.parse(series.template) as Omit<Planned, 'due' | 'userid' | 'teamid' | 'teamids'>;
  const teamids = userid === null ? [teamid ?? 0] : await teamsOf(ctx.db, userid);
  for (const due of next)
    await insertPlanned(
      ctx,
      { ...template, userid, teamid, teamids, due },
      { seriesid, rrule, occurrence: due },
      null,
    );
  await ctx.db
    .updateTable('planned_series')
    .set({ planned_until: all.length > next.length ? (next.at(-1) ?? horizon) : horizon })
    .where('seriesid', '=', seriesid)
    .execute();
  return next.length;
}

/** Plans the orders of all series up to the horizon, each series in a transaction of its own. */
export async function planAhead(services: Services): Promise<void> {
  const rows = await services.storage.reader
    .selectFrom('planned_series')
    .select('seriesid')
    .where('ended', '=', 0)
    .where('planned_until', '<', Math.floor(services.now() / 1000) + horizonSeconds)
    .execute();
  for (const { seriesid } of rows)
    try {
      await contextForJob(services, null, (ctx) => expandPresent(ctx, seriesid), 'site', 'plan ahead');
    } catch (error) {
      services.log.error({ err: error, seriesid }, 'planning the orders of a series failed');
    }
}

async function expandPresent(ctx: Context, seriesid: number): Promise<void> {
  const series = await ctx.db
    .selectFrom('planned_series')
    .selectAll()
    .where('seriesid', '=', seriesid)
    .where('ended', '=', 0)
    .executeTakeFirst();
  if (series === undefined) return;
  if (await hasAssignee(ctx, series)) await expand(ctx, series);
  else await end(ctx, seriesid);
}

/** Whether the team of a series, or the account of its person, is still there. */
async function hasAssignee(ctx: Context, { userid, teamid }: Series): Promise<boolean> {
  if (userid !== null) {
    const person = await ctx.db
      .selectFrom('users')
      .select('enabled')
      .where('userid', '=', userid)
      .executeTakeFirst();
    return person?.enabled === 1;
  }
  const team = await ctx.db
    .selectFrom('teams')
    .select('teamid')
    .where('teamid', '=', teamid ?? 0)
    .executeTakeFirst();
  return team !== undefined;
}

async function end(ctx: Context, seriesid: number): Promise<void> {
  await ctx.db.updateTable('planned_series').set({ ended: 1 }).where('seriesid', '=', seriesid).execute();
}

/** Ends the series of an order, and withdraws the open orders that follow it. */
export async function endSeries(ctx: Context, { series }: PlannedOrderFacts): Promise<void> {
  if (series === undefined) return;
  await end(ctx, series.seriesid);
  const rows = await ctx.db
    .selectFrom('planned_orders')
    .select('planned_orderid')
    .where('seriesid', '=', series.seriesid)
    .where('occurrence', '>', series.occurrence)
    .where('status', '=', 'open')
    .execute();
  const ids = rows.map(({ planned_orderid }) => planned_orderid);
  for (const facts of await findPresent(ctx, 'plannedOrders', ids))
    await storeAgain(ctx, { ...facts, status: 'withdrawn' });
}

/** Plans ahead now and every hour, without keeping the process alive. Returns a function that stops it. */
export async function planAheadRegularly(services: Services): Promise<() => void> {
  await planAhead(services).catch(unlessFull(services.log));
  const timer = setInterval(() => {
    planAhead(services).catch((error: unknown) =>
      services.log.error({ err: error }, 'planning ahead failed'),
    );
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
