import { sql, type RawBuilder } from 'kysely';

import { invalid } from '#shared/api/problem.ts';
import type { TracedOrderRecord, TraceQuery } from '#shared/api/tracing.ts';
import { numberKey } from '#shared/rules/tracing.ts';
import type { Context } from '#server/core/context.ts';
import { numberTable } from '#server/storage/dialect.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';

import { recordOf as deviationRecord } from '../deviations/store.ts';
import { seesEveryEntry } from '../work-log/access.ts';
import { recordAndHash } from '../work-log/seal.ts';

/** Number of suggestions. */
const mostSuggestions = 10;
/** The highest character: it ends the range of texts with a prefix. */
const highest = '\u{10FFFF}';

/**
 * A page of the orders with a number, or that were worked by a revision of a guide, newest first, with everything that was
 * recorded in them.
 *
 * - TRACE-4 Everybody traces within the orders that they may see: their own, as leads those of their teams, as
 *   administrators all. Neither the total nor a suggestion tells that there are others.
 */
export async function traceOrders(ctx: Context, query: TraceQuery): Promise<TracedOrderRecord[]> {
  const found = await foundRows(ctx, query);
  const { rows } = await sql<{ entryid: number }>`SELECT DISTINCT entryid ${found}
    ORDER BY entryid DESC LIMIT ${query.limit} OFFSET ${query.offset}`.execute(ctx.db);
  const isLast = rows.length < query.limit && (rows.length > 0 || query.offset === 0);
  ctx.total(isLast ? query.offset + rows.length : await countRows(ctx, found));
  const ids = rows.map(({ entryid }) => entryid);
  const deviations = await deviationsOf(ctx, ids);
  const orders: TracedOrderRecord[] = [];
  for (const entry of await findDocuments(ctx.db, 'workLog', ids))
    orders.push({
      ...(await recordAndHash(ctx, entry)),
      deviations: deviations.get(entry.entryid) ?? [],
    });
  return orders;
}

/** The rows of a query, as SQL from its FROM on. Throws 422 unless it names either a number or a revision. */
async function foundRows(
  ctx: Context,
  { number, guideid, revision_number }: TraceQuery,
): Promise<RawBuilder<unknown>> {
  if (number !== undefined && guideid === undefined && revision_number === undefined)
    return visible(ctx, 'traced_numbers', sql`number = ${numberKey(number)}`);
  if (number === undefined && guideid !== undefined && revision_number !== undefined)
    return visible(
      ctx,
      'worked_revisions',
      sql`guideid = ${guideid} AND revision_number = ${revision_number}`,
    );
  throw invalid('number', 'Name either a number, or a guide and the number of its revision');
}

/**
 * The rows of a table that the viewer may see. Administrators read the range of the key; others read the ranges of each
 * audience that they belong to, so that what they may not see costs no time either. SQLite keeps the order of a cross join.
 */
async function visible(
  ctx: Context,
  table: 'traced_numbers' | 'worked_revisions',
  key: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const rows = sql.table(table);
  if (seesEveryEntry(ctx.viewer)) return sql`FROM ${rows} WHERE ${key}`;
  return sql`FROM ${await audiencesOf(ctx)} CROSS JOIN ${rows} WHERE audience = audiences.value AND ${key}`;
}

/** The audiences that the viewer belongs to, as a table. */
async function audiencesOf(ctx: Context): Promise<RawBuilder<unknown>> {
  const audiences = [...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  return sql`${numberTable(ctx.db, audiences)} AS audiences`;
}

async function countRows({ db }: Context, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT COUNT(DISTINCT entryid) AS total ${found}`.execute(db);
  return rows[0]?.total ?? 0;
}

async function deviationsOf(
  ctx: Context,
  entryids: readonly number[],
): Promise<Map<number, TracedOrderRecord['deviations']>> {
  if (entryids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('deviations')
    .select('deviationid')
    .where('entryid', 'in', entryids)
    .orderBy('deviationid')
    .execute();
  const ids = rows.map(({ deviationid }) => deviationid);
  const facts = await findDocuments(ctx.db, 'deviations', ids);
  return Map.groupBy(
    facts.map((one) => deviationRecord(ctx, one)),
    ({ entryid }) => entryid,
  );
}

/**
 * Numbers that begin with a text, in alphabetical order, each as it was entered in an order that the viewer may see.
 *
 * - TRACE-5 The first characters of a number suggest the numbers that begin with them.
 */
export async function suggestNumbers(ctx: Context, prefix: string): Promise<{ number: string }[]> {
  const key = numberKey(prefix);
  if (key === '') return [];
  const next = await nextNumber(ctx, key + highest);
  const suggestions: { number: string }[] = [];
  let row = await next(sql`number >= ${key}`);
  while (row !== undefined) {
    suggestions.push({ number: row.text });
    if (suggestions.length === mostSuggestions) break;
    row = await next(sql`number > ${row.number}`);
  }
  return suggestions;
}

interface NumberRow {
  number: string;
  text: string;
}

/**
 * Finds the first row after a place. Each call reads one row for each audience, however many orders have a number. `end`: the
 * end of the range.
 */
async function nextNumber(
  ctx: Context,
  end: string,
): Promise<(from: RawBuilder<unknown>) => Promise<NumberRow | undefined>> {
  const audiences = seesEveryEntry(ctx.viewer) ? undefined : await audiencesOf(ctx);
  return async (from) => {
    const within = sql`${from} AND number < ${end} ORDER BY number LIMIT 1`;
    const query =
      audiences === undefined
        ? sql<NumberRow>`SELECT number, text FROM traced_numbers WHERE ${within}`
        : sql<NumberRow>`SELECT number, text FROM (
            SELECT own, first FROM (
              SELECT audiences.value AS own,
                (SELECT number FROM traced_numbers WHERE audience = audiences.value AND ${within}) AS first
              FROM ${audiences}) AS ranges
            WHERE first IS NOT NULL ORDER BY first LIMIT 1) AS nearest
          CROSS JOIN traced_numbers WHERE audience = own AND number = first LIMIT 1`;
    const { rows } = await query.execute(ctx.db);
    return rows[0];
  };
}
