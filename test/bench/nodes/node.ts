/**
 * A node in a separate process. Arguments: the address of a PostgreSQL database (empty: SQLite), and how many guides and
 * people to make (0: another node made them). Prints its address and content on its first line.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { answerUsage } from '../scale/usage.ts';

/** What a node says when it is ready. */
export interface NodeReady {
  url: string;
  /** Tokens of authors, each with guides of their own. */
  authors: string[];
  guides: { guideid: number; revisionid: number; author: number }[];
}

/** A person may have ten streams at a node. */
const authorCount = 40;

const steps = Array.from({ length: 10 }, (_, step) => ({
  title: `Step ${step}`,
  lines: [{ text: 'Loosen the four screws of the cover. '.repeat(3) }],
}));

async function makeGuides(server: TestServer, count: number): Promise<Pick<NodeReady, 'authors' | 'guides'>> {
  const authors: string[] = [];
  const guides: NodeReady['guides'] = [];
  await server.category('Bench');
  for (let author = 0; author < authorCount; author += 1) {
    const person = await server.person(`author${author}`);
    authors.push(
      await contextForJob(server.services, null, (ctx) => issueToken(ctx, person.userid, 'bench')),
    );
    for (let n = author; n < count; n += authorCount) {
      const { status, body } = await person.call('POST', '/guides', {
        category: 'Bench',
        type: 'how-to',
        title: `Guide ${n}`,
        summary: 'A guide of usual size',
        steps,
        introduction: 'Switch the machine off and wait until it stands still. '.repeat(5),
      });
      if (status !== 201) throw new Error(`A guide was answered ${status} ${JSON.stringify(body)}`);
      const guide = body as { guideid: number; revisionid: number };
      await person.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`);
      const read = await person.call('GET', `/guides/${guide.guideid}`);
      const { guideid, revisionid } = read.body as { guideid: number; revisionid: number };
      guides.push({ guideid, revisionid, author });
    }
  }
  return { authors, guides };
}

answerUsage(monitorEventLoopDelay({ resolution: 1 }));
const [database = '', count = '0', streams = '0'] = process.argv.slice(2);
const server = await startServer({
  checked: false,
  limits: { streams: Number(streams) + 10, connections: Number(streams) + 200 },
  ...(database === '' ? {} : { database }),
});
const made = count === '0' ? { authors: [], guides: [] } : await makeGuides(server, Number(count));
const ready: NodeReady = { url: server.url, ...made };
process.stdout.write(`${JSON.stringify(ready)}\n`);
