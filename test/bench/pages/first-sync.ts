import { Dexie } from 'dexie';
import { NEVER } from 'rxjs';

import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { databaseName, mirrorOf, openDatabase } from '#desktop/engine/storage/database.ts';
import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { PackFetcher } from '#desktop/engine/sync/mirror/packs.ts';
import { SeenLists } from '#desktop/engine/sync/mirror/seen-lists.ts';
import { MirrorWriter } from '#desktop/engine/sync/mirror/mirror-writer.ts';
import { loadMirror } from '#desktop/engine/sync/mirror/bootstrap.ts';
import { toStored } from '#desktop/engine/storage/mirror-records.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

declare global {
  interface Window {
    /** ms of the initial load through the engine. */
    loadThroughEngine(server: string, token: string): Promise<number>;
    /** ms of putting the same stream into one Dexie table: the floor for one row per guide. */
    loadByHand(server: string, token: string): Promise<number>;
  }
}

const platform = pagePlatform({ defaultServer: location.origin });

function linkTo(server: string, token: string): ServerConnection {
  return new ServerConnection(
    server,
    () => token,
    null,
    platform.environment,
    new ServerClock(platform.environment),
  );
}

let runs = 0;

window.loadThroughEngine = async (server, token) => {
  runs += 1;
  const database = await openDatabase(await databaseName(server, runs), platform.storage, false);
  const startedAt = performance.now();
  await loadMirror({
    connection: linkTo(server, token),
    signal: new AbortController().signal,
    records: mirrorOf(database),
    writer: new MirrorWriter(
      {
        environment: platform.environment,
        records: mirrorOf(database),
        closing: new AbortController().signal,
      },
      { loadId: 'bench', counts: {} },
    ),
    isEmpty: true,
    cursor: null,
    seen: new SeenLists(database),
    storeCursor: (load) => database.upsertLocal('mirror', { load }).then(() => undefined),
    monotonic: () => performance.now(),
    progress: () => undefined,
    packs: new PackFetcher(),
    missed: NEVER,
    saves: () => 0,
    showTitles: async () => undefined,
    leaving: async () => undefined,
  });
  const took = performance.now() - startedAt;
  await database.remove();
  return took;
};

window.loadByHand = async (server, token) => {
  runs += 1;
  const database = new Dexie(`floor-${runs}`, { chromeTransactionDurability: 'strict' });
  database.version(1).stores({ rows: 'id' });
  await database.open();
  const connection = linkTo(server, token);
  const startedAt = performance.now();
  const answering = await connection.request('/sync/1/bootstrap');
  let rows: object[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  for await (const line of connection.lines(answering)) {
    const value = JSON.parse(line) as FeedRow;
    if (value.doc === undefined) continue;
    rows.push({ ...toStored(value), id: `${value.c}/${value.id}` });
    if (rows.length < 500) continue;
    await writing;
    writing = database.table('rows').bulkPut(rows);
    rows = [];
  }
  await writing;
  await database.table('rows').bulkPut(rows);
  const took = performance.now() - startedAt;
  await database.delete();
  return took;
};
