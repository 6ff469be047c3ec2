import { sql, type RawBuilder } from 'kysely';

import {
  mostReportRows,
  mostReportValues,
  type NumberFieldReport,
  type NumberQuery,
  type NumberReport,
  type ReportFilter,
} from '#shared/api/reports.ts';
import type { Context } from '#server/core/context.ts';

import { ofLatest } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';

import { bounded, readReport, type Counted } from './counted.ts';

type Value = NumberReport['values'][number];

type FieldRow = NumberFieldReport['rows'][number];

/** The number fields with values in the counted orders, those with most values first. */
export async function listNumberFields(ctx: Context, filter: ReportFilter): Promise<NumberFieldReport> {
  const { span, rows } = await readReport(
    ctx,
    filter,
    (counted) => sql<FieldRow>`
      SELECT field_guid, guideid, stepid, label, unit, count FROM
        (${counted.areAll ? allFields(ctx.db, counted) : fieldsOf(ctx.db, counted)}) AS fields
      ORDER BY count DESC, field_guid LIMIT ${mostReportRows + 1}`,
  );
  return { ...span, ...bounded(rows) };
}

/** The named columns of the newest value of each field. */
function ofNewest(db: Db, ...columns: string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${ofLatest(db, column, 'at')} AS ${sql.ref(column)}`));
}

/** The fields of the counted orders. */
function fieldsOf(db: Db, { found }: Counted): RawBuilder<unknown> {
  return sql`SELECT field_guid, ${ofNewest(db, 'guideid', 'stepid', 'label', 'unit')}, count(*) AS count, max(at)
    FROM ${found} AS counted JOIN measured_numbers USING (entryid) GROUP BY field_guid`;
}

/**
 * The fields of all orders of a time. Their values lie together by field and time, and are read as they lie: order by order
 * takes fifteen times as long. Each field is found by a search for the one after the last.
 */
function allFields(db: Db, { from, until }: Counted): RawBuilder<unknown> {
  return sql`WITH RECURSIVE known (field) AS (
      SELECT min(field_guid) FROM measured_numbers UNION ALL
      SELECT (SELECT min(field_guid) FROM measured_numbers WHERE field_guid > field) FROM known
      WHERE field IS NOT NULL),
    latest AS (SELECT field AS field_guid, ${ofNewest(db, 'entryid', 'stepid', 'label', 'unit')},
        count(*) AS count, max(at)
      FROM known CROSS JOIN measured_numbers
      WHERE field_guid = field AND ended >= ${from} AND ended < ${until} GROUP BY field)
    SELECT field_guid, guideid, stepid, label, unit, count FROM latest JOIN finished_orders USING (entryid)`;
}

/**
 * The values of a number field in the order in which they were recorded, with the limits that each was measured against.
 * Empty for a field without values that the viewer may see.
 */
export async function reportNumbers(
  ctx: Context,
  { field_guid, ...filter }: NumberQuery,
): Promise<NumberReport> {
  const { span, rows } = await readReport(
    ctx,
    filter,
    ({ found, from, until }) => sql<Value & { label: string; unit: string }>`
    SELECT entryid, workorderid, number.userid, at, value, min, max, label, unit
    FROM measured_numbers AS number JOIN ${found} AS counted USING (entryid) JOIN work_log USING (entryid)
    WHERE field_guid = ${field_guid} AND number.ended >= ${from} AND number.ended < ${until}
    ORDER BY number.ended DESC, entryid DESC LIMIT ${mostReportValues + 1}`,
  );
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
