import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchCall, BatchResult, FeedRow } from '#shared/sync/wire.ts';

import { startServer, type TestPerson, type TestServer } from './server.ts';

/** The response to a pull or bootstrap. */
export interface Answer {
  status: number;
  rows: FeedRow[];
  checkpoint: string;
  more: boolean;
}

/** Requests `pull?…` or `bootstrap` as a device of this person. */
export async function sync(server: TestServer, person: TestPerson, path: string): Promise<Answer> {
  const response = await fetch(`${server.url}/sync/1/${path}`, {
    headers: { Authorization: `api ${person.token}` },
  });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  if (response.status !== 200) return { status: response.status, rows: [], checkpoint: '', more: false };
  const tail = lines.at(-1) as { checkpoint: string; more: boolean };
  return { status: 200, rows: lines.slice(1, -1) as FeedRow[], ...tail };
}

/** The results of a batch of calls, in order. */
export async function batch(
  server: TestServer,
  person: TestPerson,
  calls: BatchCall[],
): Promise<BatchResult[]> {
  const response = await fetch(`${server.url}/sync/1/batch`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
  });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchResult);
  return lines.slice(1);
}

/** A server with one category and two authors. */
export async function twoAuthors(): Promise<{ server: TestServer; ana: TestPerson; ben: TestPerson }> {
  const server = await startServer();
  await server.category('Bench Grinder');
  return { server, ana: await server.person('Ana'), ben: await server.person('Ben') };
}

/** The fields of a guide in that category. */
export const newGuide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' } as const;
