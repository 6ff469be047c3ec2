import { z } from 'zod';

import { collectionName } from '#shared/sync/wire.ts';

import type { EngineDatabase } from '#desktop/engine/storage/database.ts';

const list = z.object({ ids: z.partialRecord(collectionName, z.array(z.string())) });

/** Ids of records that a load brought. */
export type SeenIds = z.infer<typeof list>['ids'];

/** The ids that a load over a non-empty mirror has brought so far. Lists are only added, never changed. */
export class SeenLists {
  readonly #database: EngineDatabase;

  constructor(database: EngineDatabase) {
    this.#database = database;
  }

  async write(index: number, ids: SeenIds): Promise<void> {
    await this.#database.upsertLocal<{ ids: SeenIds }>(idOf(index), { ids });
  }

  /** The first `lists` lists; null where one is missing or cannot be read. */
  async read(lists: number): Promise<SeenIds[] | null> {
    const all: SeenIds[] = [];
    for (let index = 0; index < lists; index += 1) {
      const stored = await this.#database.getLocal<object>(idOf(index));
      const { data } = list.safeParse(stored?.toJSON().data);
      if (data === undefined) return null;
      all.push(data.ids);
    }
    return all;
  }

  async clear(lists: number): Promise<void> {
    for (let index = 0; index < lists; index += 1)
      await (await this.#database.getLocal(idOf(index)))?.remove();
  }
}

function idOf(index: number): string {
  return `mirror-load-${index}`;
}
