import { sql } from 'kysely';

import type { Db } from '../tables.ts';

/**
 * Stores the triggers by which a row with a number of its own raises the numbers of its table. Unlike the other triggers,
 * they are found from the catalogue at each start, so that existing databases and new tables get them too.
 *
 * - STORAGE-39 After a row that brought its number, as imports and mirrored sites do, later rows get higher ones. SQLite
 *   does that by itself; PostgreSQL would give the number out again, and refuse the row.
 */
export async function storeNumberTriggers(tx: Db): Promise<void> {
  await sql
    .raw(
      `CREATE OR REPLACE FUNCTION raise_numbers() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
        PERFORM setval(TG_ARGV[0]::regclass, CAST(to_jsonb(NEW) ->> TG_ARGV[1] AS BIGINT));
        RETURN NULL;
      END $body$`,
    )
    .execute(tx);
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    SELECT "table", "column", pg_get_serial_sequence("table", "column") AS sequence FROM (
      SELECT CAST(table_name AS TEXT) AS "table", CAST(column_name AS TEXT) AS "column"
      FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'
    ) AS numbered
    WHERE NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'raise_numbers' AND tgrelid = "table"::regclass)`.execute(
    tx,
  );
  // The function runs only for rows that bring their number. Cast from text, the name makes no dependency on the sequence,
  // which could then not be dropped.
  for (const { table, column, sequence } of rows)
    await sql
      .raw(
        `CREATE TRIGGER raise_numbers AFTER INSERT ON "${table}" FOR EACH ROW
          WHEN (NEW."${column}" > coalesce(pg_sequence_last_value('${sequence}'::text::regclass), 0))
          EXECUTE FUNCTION raise_numbers('${sequence}', '${column}')`,
      )
      .execute(tx);
}
