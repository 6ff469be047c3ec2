import type { SelectQueryBuilder } from 'kysely';

/**
 * Returns the rows of one page, and sets the total (`ctx.total`). `select`: filtered and ordered, without limit. Rows
 * are counted only if the page does not show where the list ends.
 */
export async function readPage<DB, TB extends keyof DB, O>(
  ctx: { total(count: number): void },
  select: SelectQueryBuilder<DB, TB, O>,
  page: { offset: number; limit: number },
): Promise<O[]> {
  const rows = (await select.limit(page.limit).offset(page.offset).execute()) as O[];
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0);
  ctx.total(isLast ? page.offset + rows.length : await countRows(select));
  return rows;
}

async function countRows<DB, TB extends keyof DB, O>(select: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counting = select
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'));
  const row = (await counting.executeTakeFirst()) as { total: number } | undefined;
  return row?.total ?? 0;
}
