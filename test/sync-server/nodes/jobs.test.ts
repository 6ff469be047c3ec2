import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { enqueueJob, findJob } from '#server/jobs/store.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

import { kill, nodeProcesses, type NodeProcess } from './processes.ts';

const steps = 40;

let database: Awaited<ReturnType<typeof makePostgresDatabase>>;
/** It queues jobs and has no kind for them. */
let server: TestServer;

beforeAll(async () => {
  database = await makePostgresDatabase();
  server = await startServer({ database: database.url });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function queue(): Promise<number> {
  return contextForJob(server.services, null, (ctx) =>
    enqueueJob(ctx, { kind: 'count', userid: null, input: { to: steps } }),
  );
}

async function stateOf(jobid: number): Promise<string | undefined> {
  return (await findJob(server.services.storage.reader, 'count', jobid))?.state;
}

/** The steps of a job in the order in which they were stored. */
async function stored(jobid: number): Promise<number[]> {
  const rows = await server.services.storage.reader
    .selectFrom('feed')
    .select('id')
    .where('id', 'like', `${jobid}-%`)
    .orderBy('seq')
    .execute();
  return rows.map(({ id }) => Number(id.split('-')[1]));
}

const all = Array.from({ length: steps }, (_, index) => index + 1);

/** The node that runs a job, once it has stored a few steps. */
async function runnerOf(jobid: number, nodes: NodeProcess[]): Promise<NodeProcess> {
  const runs = (node: NodeProcess): boolean =>
    node.lines.some((line) => line.startsWith(`runs job ${jobid} `));
  await soon(() => nodes.filter(runs).length).toBe(1);
  const runner = must(nodes.find(runs), 'a runner');
  await soon(async () => (await stored(jobid)).length).toBeGreaterThan(3);
  return runner;
}

test('JOB-9 a job whose node is killed is continued by another one from its cursor, and each step is done once', async () => {
  using processes = nodeProcesses(database.url);
  const nodes = [processes.start('count'), processes.start('count'), processes.start('count')];
  for (const node of nodes) await node.says('ready');
  const jobid = await queue();
  const first = await runnerOf(jobid, nodes);
  await kill(first);
  const before = await stored(jobid);
  await soon(() => stateOf(jobid)).toBe('done');
  expect(await stored(jobid)).toEqual(all);
  const second = must(
    nodes.find((node) => node !== first && node.lines.some((line) => line.startsWith('runs'))),
    'another node',
  );
  expect(second.lines).toContain(`runs job ${jobid} from ${before.length}`);
});

test('JOB-9 LEASE-2 a node that was paused finds its job done by another one, and writes nothing more', async () => {
  using processes = nodeProcesses(database.url);
  const nodes = [processes.start('count'), processes.start('count')];
  for (const node of nodes) await node.says('ready');
  const jobid = await queue();
  const first = await runnerOf(jobid, nodes);
  first.child.kill('SIGSTOP');
  await soon(() => stateOf(jobid)).toBe('done');
  expect(await stored(jobid)).toEqual(all);
  first.child.kill('SIGCONT');
  await first.says('ended by LeaseLost');
  const next = await queue();
  await soon(() => stateOf(next)).toBe('done');
  expect(await stored(jobid)).toEqual(all);
  expect(await stored(next)).toEqual(all);
});

test('POSTGRES-2 a node that is paused in a transaction holds up others until the database ends it, and stores nothing', async () => {
  using processes = nodeProcesses(database.url);
  const holding = processes.start('hold');
  await holding.says('holds');
  holding.child.kill('SIGSTOP');
  // Without the limit, this would wait for ever.
  await contextForJob(server.services, null, async ({ changes }) => {
    const form = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] };
    changes.put('stepForms', 'other', form, ['public']);
  });
  holding.child.kill('SIGCONT');
  holding.child.stdin?.write('go on\n');
  await holding.says('refused');
  const audiences = await server.services.storage.reader
    .selectFrom('audiences')
    .select('principals')
    .execute();
  expect(audiences.map(({ principals }) => principals)).not.toContain('team:4242 user:4242');
});
