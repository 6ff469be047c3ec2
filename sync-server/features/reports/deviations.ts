import { sql, type RawBuilder } from 'kysely';

import {
  mostReportRows,
  type DeviationKind,
  type DeviationQuery,
  type DeviationReport,
} from '#shared/api/reports.ts';
import type { Context } from '#server/core/context.ts';

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
  const { columns, keys } = groups[query.by];
  const { span, rows } = await readReport(
    ctx,
    query,
    ({ found }) => sql<Row>`
    WITH counted AS ${found},
      faults AS (
        SELECT guideid, body ->> '$.stepid' AS stepid, body ->> '$.value.field_guid' AS field_guid,
          body ->> '$.value.label' AS label, orders.ended AS ended,
          CASE WHEN body ->> '$.value.field_type' = 'Numeric Input' THEN 'out-of-limits'
            WHEN body ->> '$.value.field_type' IS NOT NULL THEN 'failed' ELSE 'reported' END AS kind
        FROM (SELECT counted.guideid, counted.ended, CAST(deviationid AS TEXT) AS document
          FROM counted JOIN deviations USING (entryid)) AS orders
        JOIN documents ON documents.collection = 'deviations' AND documents.id = orders.document
        UNION ALL
        SELECT guideid, stepid, field_guid, label, ended, 'missing'
        FROM counted JOIN missing_values USING (entryid))
    SELECT count(*) AS count, sum(count(*)) OVER () AS total, ${columns}
    FROM faults GROUP BY ${keys} ORDER BY count DESC, ${keys} LIMIT ${mostReportRows + 1}`,
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

const groups: Record<
  DeviationQuery['by'],
  { columns: ReturnType<typeof columnsOf>; keys: ReturnType<typeof columnsOf> }
> = {
  kind: { columns: columnsOf({ kind: sql`kind` }), keys: sql`kind` },
  guide: { columns: columnsOf({ guideid: sql`guideid` }), keys: sql`guideid` },
  step: {
    columns: columnsOf({ guideid: sql`guideid`, stepid: sql`stepid` }),
    keys: sql`guideid, stepid`,
  },
  field: {
    columns: columnsOf({
      guideid: sql`guideid`,
      stepid: sql`stepid`,
      field_guid: sql`field_guid`,
      // SQLite takes step and label from the row with the greatest `ended`.
      label: sql`label, max(ended) AS latest`,
    }),
    keys: sql`guideid, field_guid`,
  },
};

function rowOf({ count, kind, guideid, stepid, field_guid, label }: Row): DeviationReport['rows'][number] {
  return {
    count,
    ...(kind === null ? {} : { kind }),
    ...(guideid === null ? {} : { guideid }),
    ...(stepid === null ? {} : { stepid }),
    ...(field_guid === null ? {} : { field_guid }),
    ...(label === null ? {} : { label }),
  };
}
