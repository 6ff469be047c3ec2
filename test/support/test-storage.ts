import { openPostgres } from '#server/storage/postgres/open.ts';
import { databaseName, openSqlite } from '#server/storage/sqlite.ts';
import type { Storage } from '#server/storage/storage.ts';

import { databaseOf, onPostgres } from './postgres-databases.ts';

/** Opens the storage of a data folder on the kind of database that the run tests. */
export async function openTestStorage(dataDir: string): Promise<Storage> {
  return onPostgres() ? openPostgres(await databaseOf(dataDir)) : openSqlite(`${dataDir}/${databaseName}`);
}
