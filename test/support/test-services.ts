import { openServices, type ServiceOptions } from '#server/features/open-services.ts';
import type { Services } from '#server/core/services.ts';

import { databaseOf, onPostgres } from './postgres-databases.ts';

/** `openServices` on the kind of database that the run tests. */
export async function openTestServices(options: ServiceOptions): Promise<Services> {
  return openServices({
    ...(onPostgres() ? { database: await databaseOf(options.dataDir) } : {}),
    ...options,
  });
}
