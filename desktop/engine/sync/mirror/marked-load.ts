import type { Observable } from 'rxjs';

import { collectionNames } from '#shared/sync/wire.ts';

import type { EngineDatabase } from '#desktop/engine/storage/database.ts';
import { mirrorOf } from '#desktop/engine/storage/database.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { ServerConnection } from '../server-connection.ts';
import { loadMirror } from './bootstrap.ts';
import { writeFirstTitles } from './first-titles.ts';
import type { Mark } from './mark.ts';
import type { MirrorWriter, Writes } from './mirror-writer.ts';
import type { PackFetcher } from './packs.ts';
import { SeenLists } from './seen-lists.ts';

interface MarkedLoadDeps {
  connection: ServerConnection;
  database: EngineDatabase;
  environment: Pick<Environment, 'uuid' | 'monotonic'>;
  /** Ends the load. */
  signal: AbortSignal;
  /** Called before records are removed that the load did not bring. */
  leaving: () => Promise<void>;
  writerAfter(writes: Writes): MirrorWriter;
  writeMark: (mark: Mark) => Promise<void>;
  progress: (received: number, total: number) => void;
  packs: PackFetcher;
  missed: Observable<string>;
  saves: () => number;
  /** Called after each batch of records was stored. */
  batchStored(): void;
}

/**
 * Loads the whole mirror. `stored` is the mark of an earlier load: the new one continues it where that is possible.
 * Until the load is complete the mark says `loading` (MIRROR-2). Returns the mark of the complete mirror.
 */
export async function loadAndMark(stored: Mark | null, deps: MarkedLoadDeps): Promise<Mark> {
  const { connection, database, environment, signal, writeMark } = deps;
  const seen = new SeenLists(database);
  // Without its lists of ids, records that the interrupted load brought would be removed as if it had not brought them.
  const continues = stored?.load !== undefined && (await seen.read(stored.load.lists)) !== null;
  const cursor = continues ? (stored.load ?? null) : null;
  const writer = deps.writerAfter(continues ? stored.writes : { loadId: environment.uuid(), counts: {} });
  const isRebuild = stored?.isRebuild ?? false;
  const loading = (): Mark => ({
    state: 'loading',
    place: '',
    history: '',
    isRebuild,
    writes: writer.writes,
    // An earlier app may have begun the load.
    kinds: cursor === null || stored === null ? collectionNames : stored.kinds,
  });
  if (cursor === null) {
    await writeMark(loading());
    await writer.begin();
  }
  let lists = cursor?.lists ?? 0;
  const records = mirrorOf(database);
  const blank = await Promise.all(Object.values(records).map((kind) => kind.isBlank()));
  const { place, history } = await loadMirror({
    connection,
    signal,
    records,
    writer,
    isEmpty: blank.every(Boolean),
    cursor,
    seen,
    storeCursor: async (load) => {
      lists = Math.max(lists, load.lists);
      await writeMark({ ...loading(), load });
      deps.batchStored();
    },
    monotonic: () => environment.monotonic(),
    progress: deps.progress,
    packs: deps.packs,
    missed: deps.missed,
    saves: deps.saves,
    showTitles: (titles) => writeFirstTitles(database, titles),
    leaving: deps.leaving,
  });
  const mark: Mark = { ...loading(), state: 'ready', place, history };
  await writeMark(mark);
  await seen.clear(lists);
  await writeFirstTitles(database, null);
  return mark;
}
