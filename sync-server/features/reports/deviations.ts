import { sql, type RawBuilder } from 'kysely';

import {
  mostReportRows,
  type DeviationKind,
  type DeviationQuery,
  type DeviationReport,
} from '#shared/api/reports.ts';
import type { Context } from '#server/core/context.ts';
import { jsonNumber, jsonText, ofLatest } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';

import { bounded, readReport } from './counted.ts';

interface Row {
  count: number;
  total: number;
  kind: DeviationKind | null;
  guideid: number | null;
  stepid: number | null;
  field_guid: string | null;
  label: string | null;
}

/**
 * The deviations and missing values of finished orders, most frequent first, for a Pareto chart.
 *
 * - REPORT-5 Each deviation counts once, and each required field that had no value at the end. They are grouped by kind (out of
 *   limits, failed, reported in words, missing), guide, step or field. The shares are of all that were found, also of those
 *   beyond the listed rows.
 */
export async function reportDeviations(ctx: Context, query: DeviationQuery): Promise<DeviationReport> {
  const { columns, keys } = groups(ctx.db)[query.by];
  const fieldType = jsonText(ctx.db, 'body', ['value', 'field_type']);
  const { span, rows } = await readReport(
    ctx,
    query,
    ({ found }) => sql<Row>`
    WITH counted AS ${found},
      faults AS (
        SELECT guideid, ${jsonNumber(ctx.db, 'body', ['stepid'])} AS stepid,
          ${jsonText(ctx.db, 'body', ['value', 'field_guid'])} AS field_guid,
          ${jsonText(ctx.db, 'body', ['value', 'label'])} AS label, orders.ended AS ended,
          CASE WHEN ${fieldType} = 'Numeric Input' THEN 'out-of-limits'
            WHEN ${fieldType} IS NOT NULL THEN 'failed' ELSE 'reported' END AS kind
        FROM (SELECT counted.guideid, counted.ended, CAST(deviationid AS TEXT) AS document
          FROM counted JOIN deviations USING (entryid)) AS orders
        JOIN documents ON documents.collection = 'deviations' AND documents.id = orders.document
        UNION ALL
        SELECT guideid, stepid, field_guid, label, ended, 'missing'
        FROM counted JOIN missing_values USING (entryid))
    SELECT count(*) AS count, sum(count(*)) OVER () AS total, ${columns}
    FROM faults GROUP BY ${sql.join(keys)} ORDER BY count DESC, ${inOrder(keys)} LIMIT ${mostReportRows + 1}`,
  );
  const { rows: shown, more } = bounded(rows);
  return { ...span, total: rows[0]?.total ?? 0, more, rows: shown.map(rowOf) };
}

const nothing = {
  kind: sql`NULL AS kind`,
  guideid: sql`NULL AS guideid`,
  stepid: sql`NULL AS stepid`,
  field_guid: sql`NULL AS field_guid`,
  label: sql`NULL AS label`,
};

function columnsOf(given: Partial<Record<keyof typeof nothing, RawBuilder<unknown>>>): RawBuilder<unknown> {
  return sql.join(Object.values({ ...nothing, ...given }));
}

const [kind, guideid, stepid, field_guid] = [sql`kind`, sql`guideid`, sql`stepid`, sql`field_guid`];

interface Group {
  columns: RawBuilder<unknown>;
  keys: readonly RawBuilder<unknown>[];
}

const groups = (db: Db): Record<DeviationQuery['by'], Group> => ({
  kind: { columns: columnsOf({ kind }), keys: [kind] },
  guide: { columns: columnsOf({ guideid }), keys: [guideid] },
  step: { columns: columnsOf({ guideid, stepid }), keys: [guideid, stepid] },
  field: {
    columns: columnsOf({
      guideid,
      stepid: sql`${ofLatest(db, 'stepid', 'ended')} AS stepid`,
      field_guid,
      label: sql`${ofLatest(db, 'label', 'ended')} AS label, max(ended) AS latest`,
    }),
    keys: [guideid, field_guid],
  },
});

/** The order of rows: those without a value come first. */
function inOrder(keys: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(keys.map((key) => sql`${key} NULLS FIRST`));
}

function rowOf(row: Row): DeviationReport['rows'][number] {
  return {
    count: row.count,
    ...(row.kind === null ? {} : { kind: row.kind }),
    ...(row.guideid === null ? {} : { guideid: row.guideid }),
    ...(row.stepid === null ? {} : { stepid: row.stepid }),
    ...(row.field_guid === null ? {} : { field_guid: row.field_guid }),
    ...(row.label === null ? {} : { label: row.label }),
  };
}
