import { sql } from 'kysely';

import {
  mostReportRows,
  mostReportValues,
  type NumberFieldReport,
  type NumberQuery,
  type NumberReport,
  type ReportFilter,
} from '#shared/api/reports.ts';
import type { Context } from '#server/core/context.ts';

import { bounded, countedOrders } from './counted.ts';

type Value = NumberReport['values'][number];

/** The number fields with values in the counted orders, those with most values first. */
export async function listNumberFields(ctx: Context, filter: ReportFilter): Promise<NumberFieldReport> {
  const { found, ...span } = await countedOrders(ctx, filter);
  // SQLite takes the other columns from the row with the greatest `at`.
  const { rows } = await sql<NumberFieldReport['rows'][number]>`
    SELECT field_guid, guideid, stepid, label, unit, count FROM (
      SELECT field_guid, guideid, stepid, label, unit, count(*) AS count, max(at)
      FROM ${found} AS counted JOIN measured_numbers USING (entryid)
      GROUP BY field_guid) AS fields
    ORDER BY count DESC, field_guid LIMIT ${mostReportRows + 1}`.execute(ctx.db);
  return { ...span, ...bounded(rows) };
}

/**
 * The values of a number field in the order in which they were recorded, with the limits that each was measured against.
 * Empty for a field without values that the viewer may see.
 */
export async function reportNumbers(
  ctx: Context,
  { field_guid, ...filter }: NumberQuery,
): Promise<NumberReport> {
  const { found, ...span } = await countedOrders(ctx, filter);
  const { rows } = await sql<Value & { label: string; unit: string }>`
    SELECT entryid, workorderid, number.userid, at, value, min, max, label, unit
    FROM measured_numbers AS number JOIN ${found} AS counted USING (entryid) JOIN work_log USING (entryid)
    WHERE field_guid = ${field_guid} AND number.ended >= ${span.from} AND number.ended < ${span.until}
    ORDER BY number.ended DESC, entryid DESC LIMIT ${mostReportValues + 1}`.execute(ctx.db);
  const { rows: latest, more } = bounded(rows, mostReportValues);
  const { label = '', unit = '' } = latest[0] ?? {};
  return {
    ...span,
    label,
    unit,
    more,
    values: latest
      .map(({ label: _label, unit: _unit, ...value }) => value)
      .toSorted((a, b) => a.at - b.at || a.entryid - b.entryid),
  };
}
