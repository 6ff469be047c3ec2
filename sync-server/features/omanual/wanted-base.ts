import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';

const baseName = 'collection_base';

/** The address of the first request for the collection; null if there was none yet. */
export async function wantedBase(services: Services): Promise<string | null> {
  const row = await services.storage.reader
    .selectFrom('meta')
    .select('value')
    .where('name', '=', baseName)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Stores the address, unless there is one. */
export async function rememberBase(services: Services, origin: string): Promise<void> {
  await services.storage.write(ownOrigin(services, 'want archives'), (tx) =>
    tx
      .insertInto('meta')
      .values({ name: baseName, value: origin })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
}
