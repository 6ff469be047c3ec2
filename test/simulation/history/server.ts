import { join } from 'node:path';

import type { PlantedFault } from '#test/support/planted-fault.ts';
import { startServer } from '#test/support/server.ts';
import { makeStartFolder } from '#test/support/start-process.ts';
import { sync } from '#test/support/sync-calls.ts';

import type { CheckedRecord } from './records.ts';

/** The server as a person starts it, in a process that can be killed and restarted on the same data and port. */
export interface KillableServer extends Disposable {
  url: string;
  /** Of people who may edit every record. */
  tokens: string[];
  records: CheckedRecord[];
  /** A checkpoint before the first operation. */
  checkpoint: string;
  /** Kills and restarts it; resolves immediately. */
  kill(): Promise<void>;
  /** Resolves while it is up. */
  ready(): Promise<void>;
}

/** Number of records of each kind: few, so that clients meet. */
const perKind = 6;

export async function startKillableServer(fault: PlantedFault | null = null): Promise<KillableServer> {
  const place = makeStartFolder();
  const dataDir = join(place.dir, 'data');
  const prepared = await prepareHistory({ dataDir });
  const env = {
    ...(fault !== null && {
      NODE_OPTIONS: `--import=${new URL('plant-server.ts', import.meta.url).href}`,
      BENCHBOOK_HISTORY_FAULT: fault.name,
    }),
  };
  const start = (port: string) => place.start(['--data', dataDir, '--port', port, '--no-demo'], env);
  let process = start('0');
  const url = await process.ready();
  let up: Promise<unknown> = Promise.resolve();
  return {
    ...prepared,
    url,
    async kill() {
      process.child.kill('SIGKILL');
      up = process.ended.then(async () => {
        process = start(new URL(url).port);
        await process.ready();
      });
    },
    async ready() {
      await up;
    },
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}

/** Guides with a step each and pages, and people who edit them. */
export async function prepareHistory(place: { dataDir: string } | { database: string }) {
  await using server = await startServer({ ...place, checked: false });
  await server.category('Radio');
  const people = [await server.person('Ana'), await server.person('Ben'), await server.person('Cleo')];
  const [ana] = people;
  if (ana === undefined) throw new Error('nobody');
  const records: CheckedRecord[] = [];
  for (let number = 1; number <= perKind; number += 1) {
    const guide = await ana.client.guides.create({
      body: {
        category: 'Radio',
        type: 'repair',
        title: `Guide ${number}`,
        public: true,
        summary: 'first text',
        steps: [{ title: 'first text', lines: [{ text: 'Open it.' }] }],
      },
    });
    const path = `/guides/${guide.guideid}`;
    const title = `Page ${number}`;
    await ana.client.wikis.create({ body: { namespace: 'INFO', title, contents: 'first text' } });
    records.push(
      { key: `guide/${guide.guideid}`, path, body: (text) => ({ summary: text }) },
      {
        key: `page/${title}`,
        path: `/wikis/INFO/${encodeURIComponent(title)}`,
        body: (text) => ({ contents: text }),
      },
      ...guide.steps.map(({ stepid }) => ({
        key: `step/${stepid}`,
        path: `${path}/steps/${stepid}`,
        body: (text: string) => ({ title: text }),
      })),
    );
  }
  const { checkpoint } = await sync(server, ana, 'bootstrap?collections=people');
  return { tokens: people.map(({ token }) => token), records, checkpoint };
}
