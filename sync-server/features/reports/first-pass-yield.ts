import { sql } from 'kysely';

import { mostReportRows, type ReportFilter, type YieldReport } from '#shared/api/reports.ts';
import type { Context } from '#server/core/context.ts';

import { bounded, readReport } from './counted.ts';

interface Row {
  guideid: number;
  counted: number;
  passed: number;
  all_counted: number;
  all_passed: number;
}

/**
 * The first-pass yield of each guide: how many of its finished orders were right the first time.
 *
 * - REPORT-3 First-pass yield is the number of finished orders without any deviation and without a missing required value,
 *   divided by the number of all finished orders that are no rework. A deviation counts whatever was decided about it, also
 *   “use as is”, and when it was reported after the end. Orders that follow up a deviation are rework: they are not counted.
 *
 * Source: ISO 22400-2:2014, “First pass yield”: good parts of the first run, without rework, over inspected parts.
 */
export async function reportFirstPassYield(ctx: Context, filter: ReportFilter): Promise<YieldReport> {
  const { span, rows } = await readReport(
    ctx,
    filter,
    ({ found }) => sql<Row>`
    WITH first_runs AS (
      SELECT guideid, CASE WHEN missing = 0 AND NOT EXISTS
          (SELECT 1 FROM deviations WHERE deviations.entryid = counted.entryid) THEN 1 ELSE 0 END AS passed
      FROM ${found} AS counted
      WHERE NOT EXISTS (SELECT 1 FROM planned_orders
        WHERE planned_orders.entryid = counted.entryid AND planned_orders.deviationid IS NOT NULL))
    SELECT guideid, count(*) AS counted, sum(passed) AS passed,
      sum(count(*)) OVER () AS all_counted, sum(sum(passed)) OVER () AS all_passed
    FROM first_runs GROUP BY guideid ORDER BY counted DESC, guideid LIMIT ${mostReportRows + 1}`,
  );
  const { rows: shown, more } = bounded(rows);
  return {
    ...span,
    counted: rows[0]?.all_counted ?? 0,
    passed: rows[0]?.all_passed ?? 0,
    more,
    rows: shown.map(({ guideid, counted, passed }) => ({ guideid, counted, passed })),
  };
}
