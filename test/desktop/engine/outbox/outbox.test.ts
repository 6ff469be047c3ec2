import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { CallStore } from '#desktop/engine/outbox/stored-calls.ts';
import type { OutboxCall } from '#desktop/engine/ports.ts';
import { commentOn } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';

/** The copies of the calls in a database that may be full. */
function database() {
  const rows = new Map<string, OutboxCall>();
  const state = { isFull: false };
  const stored: CallStore = {
    read: async () => [...rows.values()],
    write: async (put, drop) => {
      if (state.isFull) throw new Error('QuotaExceededError');
      for (const call of put) rows.set(call.id, call);
      for (const id of drop) rows.delete(id);
    },
    watchOthers: () => () => undefined,
  };
  return { rows, state, stored };
}

test('O8 a call that the database could not take stays in sight, and is offered to it again', async () => {
  const environment = testEnvironment(() => Promise.reject(new Error('No network in this test')));
  const { rows, state, stored } = database();
  const troubles: unknown[] = [];
  const outbox = await JournaledOutbox.open({
    environment,
    journal: await openJournal(memoryStore({}, new Map()), { ...environment }),
    stored,
    home: 'bench',
    userid: 1,
    multiInstance: true,
    lock: (_, run) => run(),
    noteTrouble: (error) => troubles.push(error),
  });
  const texts = async (): Promise<unknown[]> =>
    (await firstValueFrom(outbox.calls)).map(({ body }) => (body as { text: string }).text);
  state.isFull = true;
  const [first] = await outbox.add([commentOn('1', 'On a full disk')]);
  await outbox.add([commentOn('1', 'Another')]);
  expect(await texts()).toEqual(['On a full disk', 'Another']);
  expect(troubles).toHaveLength(2);
  expect(rows.size).toBe(0);
  state.isFull = false;
  await outbox.change(first?.id ?? '', { body: { text: 'Changed' } });
  expect(await texts()).toEqual(['Changed', 'Another']);
  expect(rows.size).toBe(2);
  state.isFull = true;
  await outbox.remove(first?.id ?? '');
  await outbox.add([commentOn('1', 'Third')]);
  expect(await texts()).toEqual(['Another', 'Third']);
});
