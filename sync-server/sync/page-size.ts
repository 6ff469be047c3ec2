import { sql } from 'kysely';

/** The documents of a page take at most this many bytes, unless the first alone takes more (FEED-20). */
const pageBytes = 1_000_000;

/** Bytes of the document of a row; the database does not read the document itself for it. */
export const bodySize = sql<number | null>`octet_length(documents.body)`.as('bytes');

/** How many of the rows that have these sizes make a page: at least one. */
export function fitting(rows: readonly { bytes: number | null }[]): number {
  let bytes = 0;
  const over = rows.findIndex((row) => (bytes += row.bytes ?? 0) > pageBytes);
  return Math.max(1, over === -1 ? rows.length : over);
}
