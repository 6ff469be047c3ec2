import { sql, type RawBuilder } from 'kysely';

import { invalid } from '#shared/api/problem.ts';
import { mostReportRows, type DurationQuery, type DurationReport } from '#shared/api/reports.ts';
import { percentileBetween } from '#shared/rules/statistics.ts';
import type { Context } from '#server/core/context.ts';

import { bounded, readReport } from './counted.ts';

interface Row {
  id: number;
  count: number;
  total: number;
  median_lower: number;
  median_upper: number;
  p90_lower: number;
  p90_upper: number;
}

/**
 * How long finished orders took: median, 90th percentile and sum of the working time of each guide, step of a guide, or
 * person. Throws 422 for steps without a guide.
 *
 * - REPORT-4 Durations are working time, without pauses and suspensions. The time of a step is all that an order spent on it,
 *   also in several visits.
 */
export async function reportDurations(ctx: Context, query: DurationQuery): Promise<DurationReport> {
  if (query.by === 'step' && query.guideid === undefined)
    throw invalid('guideid', 'Name the guide whose steps are compared');
  const { span, rows } = await readReport(
    ctx,
    query,
    ({ found }) => sql<Row>`
    WITH measured AS (${measured(query, found)}),
      ranked AS (SELECT id, seconds, row_number() OVER (PARTITION BY id ORDER BY seconds) AS place,
        count(*) OVER (PARTITION BY id) AS size FROM measured)
    SELECT id, count(*) AS count, sum(seconds) AS total,
      ${ranks(5, 'median')}, ${ranks(9, 'p90')}
    FROM ranked GROUP BY id ORDER BY count DESC, id LIMIT ${mostReportRows + 1}`,
  );
  const { rows: shown, more } = bounded(rows);
  return {
    ...span,
    more,
    rows: shown.map(({ id, count, total, ...row }) => ({
      id,
      count,
      median: percentileBetween(5, count, row.median_lower, row.median_upper),
      p90: percentileBetween(9, count, row.p90_lower, row.p90_upper),
      total,
    })),
  };
}

/** The times that are compared, each with the id of its row. */
function measured({ by }: DurationQuery, found: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (by) {
    case 'guide':
      return sql`SELECT guideid AS id, active AS seconds FROM ${found} AS counted`;
    case 'person':
      return sql`SELECT userid AS id, active AS seconds FROM ${found} AS counted`;
    case 'step':
      return sql`SELECT stepid AS id, seconds FROM ${found} AS counted JOIN step_times USING (entryid)`;
  }
}

/** The neighbours of a percentile (`percentileBetween`); at the ends both are the same. */
function ranks(tenths: number, name: 'median' | 'p90'): RawBuilder<unknown> {
  const rank = sql`${sql.lit(tenths)} * (size + 1) / 10`;
  const lower = sql`max(CASE WHEN place <= ${rank} THEN seconds END)`;
  const upper = sql`min(CASE WHEN place > ${rank} THEN seconds END)`;
  return sql`coalesce(${lower}, ${upper}) AS ${sql.ref(`${name}_lower`)},
    coalesce(${upper}, ${lower}) AS ${sql.ref(`${name}_upper`)}`;
}
