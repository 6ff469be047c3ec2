import { workerData } from 'node:worker_threads';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';

import { serveCalls } from './worker-calls.ts';

const { fault } = workerData as { fault: PlantedFault | null };
if (fault?.where === 'server') plantHere(fault);
const { startServer } = await import('#test/support/server.ts');

export interface Account {
  email: string;
  password: string;
}

const server = await startServer();
const password = 'a long password';
await server.category('Radio');
const people = { ana: await server.person('Ana'), ben: await server.person('Ben') };
/** Prerequisites of other guides: guides 1 to 6. */
for (let n = 1; n <= 6; n += 1) await newGuide(`Preparation ${n}`, []);

async function newGuide(title: string, steps: string[][]): Promise<number> {
  const { guideid } = await people.ana.client.guides.create({
    body: {
      category: 'Radio',
      type: 'repair',
      title,
      public: true,
      introduction: 'Use this guide to mend the radio.\nDischarge it first.',
      parts: [{ name: 'Battery', type: 'part', quantity: 1 }],
      steps: steps.map((lines, index) => ({
        title: `Step title ${index + 1}`,
        lines: lines.map((text) => ({ text, bullet: 'black' as const, level: 0 })),
      })),
    },
  });
  return guideid;
}

const methods = {
  address: async () => ({
    url: server.url,
    accounts: [
      { email: 'ana@example.com', password },
      { email: 'ben@example.com', password },
    ] satisfies Account[],
  }),
  newGuide,
  /** The guide for anonymous readers. */
  guide: async (guideid: number): Promise<Guide> => server.anonymous.guides.read({ params: { guideid } }),
  /** The newest checkpoint of the feed. */
  place: async (): Promise<string> => (await sync('bootstrap?collections=people')).place,
  /** Changes since a checkpoint, as each of the two people may see them. */
  moved: async (since: string): Promise<{ ana: FeedRow[]; ben: FeedRow[] }> => ({
    ana: await movedFor(people.ana.token, since),
    ben: await movedFor(people.ben.token, since),
  }),
};
export type ServerThread = typeof methods;

async function movedFor(token: string, since: string): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  for (let place = since; ;) {
    const page = await sync(`pull?since=${place}&limit=2000`, token);
    rows.push(...page.rows);
    if (!page.more) return rows;
    place = page.place;
  }
}

async function sync(path: string, token = people.ana.token) {
  const answer = await fetch(`${server.url}/sync/1/${path}`, { headers: { Authorization: `api ${token}` } });
  const lines = (await answer.text()).trim().split('\n');
  const tail = JSON.parse(must(lines.at(-1), 'a last line')) as { checkpoint: string; more: boolean };
  const rows = lines.slice(1, -1).map((line) => JSON.parse(line) as FeedRow);
  return { rows, place: tail.checkpoint, more: tail.more };
}

serveCalls(methods);
