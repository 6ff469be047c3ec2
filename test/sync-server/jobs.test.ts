import { expect, test, vi } from 'vitest';
import { z } from 'zod';

import { invalid } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { jobKind, type JobKind, type RunningJob } from '#server/jobs/kind.ts';
import { JobRunner } from '#server/jobs/runner.ts';
import { cancelJob, enqueueJob, findJob, findJobs } from '#server/jobs/store.ts';
import { onPostgres } from '#test/support/postgres-databases.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openTestServices } from '#test/support/test-services.ts';
import { written } from '#test/support/written.ts';

type Count = RunningJob<{ to: number }, number>;

/** Counts to a number; `between` runs before each step. */
function counting(
  kind: string,
  between: (job: Count, at: number, services: Services) => Promise<void> | void = () => undefined,
  abandoned: (job: Count) => void = () => undefined,
): JobKind {
  return jobKind({
    kind,
    input: z.strictObject({ to: z.int() }),
    cursor: z.int(),
    result: z.strictObject({ counted: z.array(z.int()) }),
    async run(job, services) {
      const counted: number[] = [];
      for (let at = (job.cursor ?? 0) + 1; at <= job.input.to; at += 1) {
        await job.pause();
        await between(job, at, services);
        job.progress(at, job.input.to, 'Counting');
        await contextForJob(services, null, (ctx) => job.advance(ctx, at));
        counted.push(at);
      }
      return { counted };
    },
    abandon: async (job) => abandoned(job),
  });
}

async function put(services: Services, kind: string, to: number): Promise<number> {
  return contextForJob(services, null, (ctx) =>
    enqueueJob(ctx, { kind, userid: 7, subject: `to:${to}`, input: { to } }),
  );
}

test('JOB-1 A job starts after the commit that queued it, and its result is stored', async () => {
  await using folder = await temporaryFolder('jobs');
  await using open = await opened(folder.path, [counting('count')]);
  const jobid = await put(open.services, 'count', 3);
  await open.runner.idle();
  const job = must(await findJob(open.services.storage.reader, 'count', jobid), 'the job');
  expect(job).toMatchObject({
    state: 'done',
    userid: 7,
    result: { counted: [1, 2, 3] },
    progress: { done: 3, total: 3, phase: 'Counting' },
    error: null,
  });
  expect(await findJob(open.services.storage.reader, 'other', jobid)).toBeUndefined();
  const [found] = await findJobs(open.services.storage.reader, 'count', { subject: 'to:3', userid: 7 });
  expect(found?.jobid).toBe(jobid);
});

test('JOB-2 A kind runs one job at a time in order, without blocking other kinds', async () => {
  await using folder = await temporaryFolder('jobs');
  const order: string[] = [];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const slow = counting('slow', async (job) => {
    order.push(`slow ${job.jobid}`);
    await gate;
  });
  await using world = await opened(folder.path, [slow, counting('quick', () => void order.push('quick'))]);
  const first = await put(world.services, 'slow', 1);
  const second = await put(world.services, 'slow', 1);
  const quick = await put(world.services, 'quick', 1);
  await expect
    .poll(async () => (await findJob(world.services.storage.reader, 'quick', quick))?.state)
    .toBe('done');
  expect(order).toStrictEqual([`slow ${first}`, 'quick']);
  open();
  await world.runner.idle();
  expect(order).toStrictEqual([`slow ${first}`, 'quick', `slow ${second}`]);
});

test('JOB-3 A stopped job continues from its last cursor at the next start', async () => {
  await using folder = await temporaryFolder('jobs');
  let jobid = 0;
  let reached: () => void = () => undefined;
  const third = new Promise<void>((resolve) => (reached = resolve));
  {
    const stuck = counting('count', async (job, at) => {
      if (at < 3) return;
      reached();
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
      job.signal.throwIfAborted();
    });
    await using world = await opened(folder.path, [stuck]);
    jobid = await put(world.services, 'count', 4);
    await third;
  }
  await using world = await opened(folder.path, [counting('count')]);
  await world.runner.idle();
  expect(await findJob(world.services.storage.reader, 'count', jobid)).toMatchObject({
    state: 'done',
    result: { counted: [3, 4] },
  });
});

test('JOB-3 A job that crashed its process five times is given up', async () => {
  await using folder = await temporaryFolder('jobs');
  await using world = await opened(folder.path, []);
  const jobid = await put(world.services, 'count', 1);
  // The state after a killed process.
  await written(world.services, (tx) =>
    tx.updateTable('jobs').set({ state: 'running', starts: 5 }).where('jobid', '=', jobid).execute(),
  );
  const abandoned: number[] = [];
  const kind = counting('count', undefined, (job) => void abandoned.push(job.jobid));
  const runner = new JobRunner(world.services, [kind]);
  await runner.start();
  await runner.idle();
  expect(await findJob(world.services.storage.reader, 'count', jobid)).toMatchObject({
    state: 'failed',
    error: { message: 'The job was interrupted 5 times' },
  });
  expect(abandoned).toStrictEqual([jobid]);
  await runner.stop();
});

test('JOB-4 A cancelled job ends and is rolled back; a cancelled waiting job never starts', async () => {
  await using folder = await temporaryFolder('jobs');
  const began: number[] = [];
  const takenBack: [number, number | null][] = [];
  let reached: () => void = () => undefined;
  const second = new Promise<void>((resolve) => (reached = resolve));
  const kind = counting(
    'count',
    async (job, at) => {
      began.push(job.jobid);
      if (at < 2) return;
      reached();
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
    },
    (job) => void takenBack.push([job.jobid, job.cursor]),
  );
  await using world = await opened(folder.path, [kind]);
  const running = await put(world.services, 'count', 5);
  const waiting = await put(world.services, 'count', 5);
  await second;
  await contextForJob(world.services, null, async (ctx) => {
    await cancelJob(ctx, waiting);
    await cancelJob(ctx, running);
  });
  await world.runner.idle();
  const states = await findJobs(world.services.storage.reader, 'count');
  expect(states.map(({ jobid, state }) => [jobid, state])).toStrictEqual([
    [waiting, 'cancelled'],
    [running, 'cancelled'],
  ]);
  expect(new Set(began)).toStrictEqual(new Set([running]));
  expect(takenBack).toStrictEqual([[running, 2]]);
});

test('JOB-5 A refusal fails a job with its message, a fault without its text', async () => {
  await using folder = await temporaryFolder('jobs');
  const refusing = counting('refusing', () => {
    throw invalid('file', 'No archive');
  });
  const faulty = counting('faulty', () => {
    throw new Error('secret path');
  });
  await using world = await opened(folder.path, [refusing, faulty]);
  const refused = await put(world.services, 'refusing', 1);
  const failed = await put(world.services, 'faulty', 1);
  await world.runner.idle();
  expect(await findJob(world.services.storage.reader, 'refusing', refused)).toMatchObject({
    state: 'failed',
    error: { message: 'No archive', errors: [{ field: 'file', message: 'No archive' }] },
  });
  const fault = must(await findJob(world.services.storage.reader, 'faulty', failed), 'the job');
  expect(fault.state).toBe('failed');
  expect(fault.error?.message).not.toContain('secret');
});

test('JOB-6 The first progress is written immediately, then the latest every 0.7 s, and the last at the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using folder = await temporaryFolder('jobs');
    const kind = counting('count', (_, at) => {
      if (at === 50) vi.advanceTimersByTime(700);
    });
    await using world = await opened(folder.path, [kind]);
    await using raw = await openRaw(folder.path);
    for (const statement of tellProgress()) await raw.run(statement);
    await put(world.services, 'count', 99);
    await world.runner.idle();
    const told = await raw.run('SELECT progress FROM told ORDER BY n');
    expect(told.map(({ progress }) => JSON.parse(String(progress)) as unknown)).toMatchObject([
      { done: 1 },
      { done: 49 },
      { done: 99 },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

/** Statements that keep each progress that is written in a table. */
function tellProgress(): string[] {
  const tell = 'CREATE TRIGGER tell AFTER UPDATE OF progress ON jobs';
  const keep = 'INSERT INTO told (progress) VALUES (NEW.progress);';
  return onPostgres()
    ? [
        'CREATE TABLE told (n BIGINT GENERATED ALWAYS AS IDENTITY, progress TEXT)',
        `CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${keep} RETURN NULL; END $$`,
        `${tell} FOR EACH ROW EXECUTE FUNCTION tell()`,
      ]
    : ['CREATE TABLE told (n INTEGER PRIMARY KEY, progress TEXT)', `${tell} BEGIN ${keep} END`];
}

async function opened(
  dataDir: string,
  kinds: JobKind[],
): Promise<AsyncDisposable & { services: Services; runner: JobRunner }> {
  const services = await openTestServices({ dataDir });
  const runner = new JobRunner(services, kinds);
  await runner.start();
  return {
    services,
    runner,
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await services.storage[Symbol.asyncDispose]();
    },
  };
}
