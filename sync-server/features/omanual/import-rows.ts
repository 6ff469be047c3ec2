import type { Selectable } from 'kysely';

import type { Db, Tables } from '#server/storage/tables.ts';

export type ImportRow = Selectable<Tables['archive_imports']>;

/** An import, regardless of the caller. */
export async function findImport(db: Db, importid: number): Promise<ImportRow | undefined> {
  return db.selectFrom('archive_imports').selectAll().where('importid', '=', importid).executeTakeFirst();
}
