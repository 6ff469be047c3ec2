import { sql } from 'kysely';

import { isPostgres } from '#server/storage/dialect.ts';
import type { Storage } from '#server/storage/storage.ts';

/** Lets writes not wait for the disk. A PostgreSQL for tests never does. */
export async function withoutDiskWaits({ writer }: Storage): Promise<void> {
  if (!isPostgres(writer)) await sql`PRAGMA synchronous = OFF`.execute(writer);
}

const most = 1_073_741_823;

/** Lets the database refuse to grow, as if its disk were full. Returns what makes room again. */
export async function fillDisk({ writer }: Storage): Promise<() => Promise<void>> {
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(writer);
  if (isPostgres(writer)) {
    await run(`CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    await run('CREATE TRIGGER full_disk BEFORE INSERT ON documents EXECUTE FUNCTION full_disk()');
    return async () => void (await run('DROP TRIGGER full_disk ON documents'));
  }
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(writer);
  await run(`PRAGMA max_page_count = ${rows[0]?.page_count}`);
  return async () => void (await run(`PRAGMA max_page_count = ${most}`));
}
