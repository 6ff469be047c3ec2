import type { SyncedCollection } from '#shared/sync/wire.ts';

import type { EngineDatabase } from '../database.ts';

/** How far a load of the whole mirror has come. Kept with what it stored, so that a load that was cut goes on (M8). */
export interface LoadCursor {
  /** The place in the feed at which the load began: pulling goes on from there when it is complete. */
  place: string;
  history: string;
  /** Every record up to this seq is stored. */
  after: number;
  /** How many records have been stored. */
  received: number;
  /** The mirror was empty when the load began, so that nothing is there but what the load brought. */
  isFresh: boolean;
  /** How many lists of seen ids are kept. */
  lists: number;
}

/** Ids of records that a load brought. */
export type SeenIds = { readonly [C in SyncedCollection]?: readonly string[] | undefined };

/** The ids that a load over a mirror that was not empty has brought so far, in lists that are only ever added. */
export class SeenLists {
  readonly #database: EngineDatabase;

  constructor(database: EngineDatabase) {
    this.#database = database;
  }

  async write(list: number, ids: SeenIds): Promise<void> {
    await this.#database.upsertLocal<{ ids: SeenIds }>(idOf(list), { ids });
  }

  async read(lists: number): Promise<SeenIds[]> {
    const all: SeenIds[] = [];
    for (let list = 0; list < lists; list += 1)
      all.push((await this.#database.getLocal<{ ids: SeenIds }>(idOf(list)))?.toJSON().data.ids ?? {});
    return all;
  }

  async clear(lists: number): Promise<void> {
    for (let list = 0; list < lists; list += 1) await (await this.#database.getLocal(idOf(list)))?.remove();
  }
}

function idOf(list: number): string {
  return `mirror-load-${list}`;
}
