import { expect, test } from 'vitest';

import { Problem } from '#shared/api/problem.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { OverBudget, WorkerPool } from '#server/platform/worker-pool.ts';

/** Work that ends on request. */
function controlled(queue: FairQueue) {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const refused: string[] = [];
  const ask = (caller: string, name = caller): Promise<void> =>
    queue
      .run(caller, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      })
      .catch((error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'server-busy') throw error;
        refused.push(name);
      });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, endOne, started, refused };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('BUDGET-1 callers take turns: a caller with many tasks waits for its own', async () => {
  const queue = new FairQueue({ parallel: 1, mostWaiting: 100, mostOfOne: 50, retryAfterSeconds: 5 });
  const { ask, endOne, started } = controlled(queue);
  const all = Array.from({ length: 20 }, (_, n) => ask('much', `much ${n}`));
  all.push(ask('one'), ask('two'));
  for (let n = 0; n < 22; n += 1) await endOne();
  await Promise.all(all);
  expect(started.slice(0, 5)).toEqual(['much 0', 'much 1', 'one', 'two', 'much 2']);
  expect(started).toHaveLength(22);
});

test('BUDGET-2 tasks beyond the places are refused with 503: of one caller, and the newest of the caller with most', async () => {
  const queue = new FairQueue({ parallel: 1, mostWaiting: 6, mostOfOne: 4, retryAfterSeconds: 7 });
  const { ask, endOne, started, refused } = controlled(queue);
  const all = [
    ask('a', 'a0'),
    ask('a', 'a1'),
    ask('a', 'a2'),
    ask('a', 'a3'),
    ask('a', 'a4'),
    ask('a', 'a5'),
  ];
  await settle();
  expect(refused).toEqual(['a5']);
  all.push(ask('b', 'b1'), ask('b', 'b2'), ask('c', 'c1'), ask('d', 'd1'), ask('e', 'e1'));
  await settle();
  expect(refused).toEqual(['a5', 'a4', 'a3', 'a2']);
  all.push(ask('e', 'e2'), ask('f', 'f1'), ask('g', 'g1'), ask('g', 'g2'));
  await settle();
  expect(refused.toSorted()).toEqual(['a2', 'a3', 'a4', 'a5', 'b2', 'e2', 'g1', 'g2']);
  for (let n = 0; n < 8; n += 1) await endOne();
  await Promise.all(all);
  expect(started).toEqual(['a0', 'a1', 'b1', 'c1', 'd1', 'e1', 'f1']);
  await expect(
    (async () => {
      const full = new FairQueue({ parallel: 0, mostWaiting: 0, mostOfOne: 1, retryAfterSeconds: 7 });
      await full.run('a', async () => undefined);
    })(),
  ).rejects.toMatchObject({ status: 503, details: { retryAfterSeconds: 7 } });
});

test('BUDGET-2 a failed task frees its place', async () => {
  const queue = new FairQueue({ parallel: 1, mostWaiting: 6, mostOfOne: 4, retryAfterSeconds: 7 });
  await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('a', async () => 'done')).toBe('done');
});

const program = new URL('../support/odd-worker.ts', import.meta.url);
type OddWork = { what: 'spin' | 'fill' | 'fail' | 'echo'; text?: string };

test('BUDGET-3 a task that exceeds its time ends with its worker', async () => {
  const budget = { ms: 500, megabytes: 64 };
  await using pool = new WorkerPool<OddWork, string>({
    program,
    workers: 1,
    budget,
    mostWaiting: 10,
    mostOfOne: 10,
  });
  await expect(pool.do('a', { what: 'spin' })).rejects.toThrow(OverBudget);
  await expect(pool.do('a', { what: 'spin' })).rejects.toThrow(OverBudget);
});

test('BUDGET-3 a task that exceeds its memory ends with its worker, and the next gets a new one', async () => {
  const budget = { ms: 120_000, megabytes: 32 };
  await using pool = new WorkerPool<OddWork, string>({
    program,
    workers: 1,
    budget,
    mostWaiting: 10,
    mostOfOne: 10,
  });
  await expect(pool.do('a', { what: 'fill' })).rejects.toThrow(OverBudget);
  await expect(pool.do('a', { what: 'fail' })).rejects.toThrow('cannot do this');
  const echoes = await Promise.all(['1', '2', '3'].map((text) => pool.do('a', { what: 'echo', text })));
  expect(echoes).toEqual(['1', '2', '3']);
});
