import { sql } from 'kysely';
import { expect, test } from 'vitest';

import type { Tx } from '#server/storage/tables.ts';
import { together } from '#server/storage/group-commit.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openTestStorage } from '#test/support/test-storage.ts';
import { byTest } from '#test/support/written.ts';

function put(name: string, value = 'x'): (tx: Tx) => Promise<string> {
  return async (tx) => {
    await tx.insertInto('meta').values({ name, value }).execute();
    return name;
  };
}

async function opened() {
  const folder = await temporaryFolder('group-commit');
  const storage = await openTestStorage(folder.path);
  return {
    storage,
    names: async (): Promise<string[]> =>
      (
        await storage.reader
          .selectFrom('meta')
          .select('name')
          .where('value', '=', 'x')
          .orderBy('name')
          .execute()
      ).map((row) => row.name),
    [Symbol.asyncDispose]: async () => {
      await storage[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('GROUP-COMMIT-1 waiting tasks share a commit, in order, and each has its own result', async () => {
  await using own = await opened();
  const { storage } = own;
  const before = storage.version();
  const order: string[] = [];
  const pieces = ['a', 'b', 'c', 'd'].map((name) =>
    storage.write(byTest, async (tx) => {
      order.push(name);
      return put(name)(tx);
    }),
  );
  expect(await Promise.all(pieces)).toEqual(['a', 'b', 'c', 'd']);
  expect(order).toEqual(['a', 'b', 'c', 'd']);
  expect(await own.names()).toEqual(['a', 'b', 'c', 'd']);
  expect(storage.version()).toBeGreaterThan(before);
});

test('GROUP-COMMIT-4 tasks that arrive in one turn share a commit, each with its own reads', async () => {
  await using own = await opened();
  const answered: string[] = [];
  const before: string[][] = [];
  const pieces = ['a', 'b', 'c'].map(async (name) => {
    // A separate callback, as for each request; all in one turn of the event loop, however busy the machine is.
    await new Promise((resolve) => setImmediate(resolve));
    const told = await own.storage.write(byTest, async (tx) => {
      before.push([...answered]);
      return put(name)(tx);
    });
    answered.push(told);
  });
  await Promise.all(pieces);
  expect(before).toEqual([[], [], []]);
  expect(answered).toEqual(['a', 'b', 'c']);
});

test('GROUP-COMMIT-5 between long tasks of a commit, other requests get a turn', async () => {
  await using own = await opened();
  let turns = 0;
  const atTurn: number[] = [];
  const long = (name: string) => async (tx: Tx) => {
    atTurn.push(turns);
    setImmediate(() => (turns += 1));
    const until = performance.now() + 25;
    while (performance.now() < until);
    return put(name)(tx);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => own.storage.write(byTest, long(name))));
  expect(atTurn).toEqual([0, 1, 2]);
});

test('GROUP-COMMIT-2 a failed task leaves nothing and does not affect others', async () => {
  await using own = await opened();
  const failing = (name: string) => async (tx: Tx) => {
    await put(name)(tx);
    throw new Error(`${name} fails`);
  };
  await expect(own.storage.write(byTest, failing('alone'))).rejects.toThrow('alone fails');
  const all = await Promise.allSettled([
    own.storage.write(byTest, put('one')),
    own.storage.write(byTest, failing('two')),
    own.storage.write(byTest, put('three')),
    own.storage.write(byTest, put('one')),
  ]);
  expect(all.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(all[1]).toMatchObject({ reason: { message: 'two fails' } });
  expect(await own.names()).toEqual(['one', 'three']);
});

test('GROUP-COMMIT-3 no task succeeds before the commit, and all fail with it', async () => {
  await using own = await opened();
  const { storage } = own;
  const seen: string[][] = [];
  await Promise.all(
    ['first', 'second', 'third'].map((name) =>
      storage.write(byTest, put(name)).then(async () => seen.push(await own.names())),
    ),
  );
  for (const names of seen) expect(names).toEqual(['first', 'second', 'third']);
  const ended = async (tx: Tx): Promise<void> => {
    await put('lost')(tx);
    // Like a full disk: the database rolls back by itself.
    await sql`ROLLBACK`.execute(tx);
    throw new Error('database or disk is full');
  };
  await storage.write(byTest, put('fourth'));
  const all = await Promise.allSettled([
    storage.write(byTest, put('fifth')),
    storage.write(byTest, ended),
    storage.write(byTest, put('sixth')),
  ]);
  expect(all.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await own.names()).toEqual(['first', 'fourth', 'second', 'third']);
  await storage.write(byTest, put('after'));
  expect(await own.names()).toContain('after');
});

test('GROUP-COMMIT-6 what parts of a failed task would store later is not stored with another task', async () => {
  await using own = await opened();
  const fails = async (): Promise<void> => {
    await Promise.resolve();
    throw new Error('the first error');
  };
  const storesLater = async (tx: Tx): Promise<void> => {
    for (let read = 0; read < 5; read += 1) await tx.selectFrom('meta').selectAll().execute();
    await put('late')(tx);
  };
  const all = await Promise.allSettled([
    own.storage.write(byTest, put('before')),
    own.storage.write(byTest, (tx) => together(fails(), storesLater(tx))),
    own.storage.write(byTest, put('behind')),
    own.storage.write(byTest, put('last')),
  ]);
  expect(all.map((one) => (one.status === 'rejected' ? String(one.reason) : one.status))).toEqual([
    'fulfilled',
    'Error: the first error',
    'fulfilled',
    'fulfilled',
  ]);
  expect(await own.names()).toEqual(['before', 'behind', 'last']);
});
