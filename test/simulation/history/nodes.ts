import { must } from '#shared/must.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { serverNodes } from '#test/sync-server/nodes/servers.ts';

import { prepareHistory, type KillableServer } from './server.ts';

/** Three nodes on one PostgreSQL database. Each request goes to the next one, so every client moves between all of them. */
export async function startKillableNodes(): Promise<KillableServer & AsyncDisposable> {
  const database = await makePostgresDatabase();
  const prepared = await prepareHistory({ database: database.url });
  const nodes = serverNodes(database.url);
  const all = [await nodes.start(), await nodes.start(), await nodes.start()];
  const next = (number: number) => must(all[number % all.length], 'a node');
  let requests = 0;
  let kills = 0;
  let up: Promise<unknown> = Promise.resolve();
  return {
    ...prepared,
    get url() {
      requests += 1;
      return next(requests).url;
    },
    async kill() {
      kills += 1;
      const node = next(kills);
      up = up.then(async () => {
        await node.end('SIGKILL');
        await node.start();
      });
    },
    async ready() {
      await up;
    },
    [Symbol.dispose]: () => nodes[Symbol.dispose](),
    async [Symbol.asyncDispose]() {
      nodes[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
