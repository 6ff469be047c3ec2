import { firstValueFrom } from 'rxjs';
import { expect, test, vi } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import { callVersion, textOf } from '#desktop/engine/outbox/at-rest.ts';
import type { CallStore } from '#desktop/engine/outbox/stored-calls.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { must } from '#shared/must.ts';
import { commentOn } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { heldTime } from '#test/desktop/engine/support/held-time.ts';

const silent = { noteTrouble: () => undefined, noteSuccess: () => undefined };

/** The copies of the calls in a database that can be full or unreadable. */
function database() {
  const rows = new Map<string, OutboxCall>();
  const state = { isFull: false, readings: 0, failures: 0 };
  let tellTabs: (removed: OutboxCall[]) => void = () => undefined;
  const stored: CallStore = {
    read: async (isKnown) => {
      state.readings += 1;
      return [...rows.values()].filter((call) => !isKnown(call.id, textOf(call, callVersion)));
    },
    count: async () => rows.size,
    texts: async (ids) => {
      if (state.failures > 0) throw new Error(`Failure ${(state.failures -= 1)} of the database`);
      return new Map(
        ids.flatMap((id) => {
          const call = rows.get(id);
          return call === undefined ? [] : [[id, textOf(call, callVersion)]];
        }),
      );
    },
    write: async (put, drop) => {
      if (state.isFull) throw new Error('QuotaExceededError');
      for (const call of put) rows.set(call.id, call);
      for (const id of drop) rows.delete(id);
    },
    watchOthers: (tell) => {
      tellTabs = tell;
      return () => undefined;
    },
  };
  return { rows, state, stored, tellTabs: () => tellTabs([]) };
}

test('OUTBOX-8 a call that the database could not store stays visible, and is offered to it again', async () => {
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
    reading: silent,
    noteSuccess: () => undefined,
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

/** An outbox that can be reopened, on a database that can be full. */
async function restartable() {
  const { rows, state, stored } = database();
  const environment = testEnvironment(() => Promise.reject(new Error('No network in this test')));
  const journal = await openJournal(memoryStore({}, new Map()), { ...environment });
  const open = () =>
    JournaledOutbox.open({
      ...silent,
      environment,
      journal,
      stored,
      home: 'bench',
      userid: 1,
      multiInstance: false,
      lock: (_, run) => run(),
      reading: silent,
    });
  return { rows, state, journal, open };
}

test.each([
  ['was removed', (outbox: JournaledOutbox, id: string) => outbox.remove(id), []],
  [
    'got another key',
    (outbox: JournaledOutbox, id: string) => outbox.change(id, { id: 'another', state: 'queued' }),
    ['another'],
  ],
])('OUTBOX-9 a call that %s while the database was full does not come back', async (_, leave, left) => {
  const { rows, state, open } = await restartable();
  const before = await open();
  const [call] = await before.add([commentOn('1', 'Hello')]);
  state.isFull = true;
  await leave(before, must(call, 'a call').id);
  await before.close();
  const again = await open();
  expect(again.present().map(({ id }) => id)).toEqual(left);
  await again.close();
  state.isFull = false;
  const after = await open();
  expect(after.present().map(({ id }) => id)).toEqual(left);
  expect(after.hasRecovered).toBe(false);
  expect([...rows.keys()]).toEqual(left);
});

test('OUTBOX-9 a call that returns after a full database kept its copy comes back when the journal is lost', async () => {
  const { state, journal, open } = await restartable();
  const before = await open();
  const call = must((await before.add([commentOn('1', 'Hello')]))[0], 'a call');
  state.isFull = true;
  await before.remove(call.id);
  state.isFull = false;
  await before.take([call]);
  await before.close();
  await journal.forget('outbox', [call.id]);
  const after = await open();
  expect(after.present().map(({ id }) => id)).toEqual([call.id]);
  expect(after.hasRecovered).toBe(true);
});

test('OUTBOX-9 a tab forgets the call copy that it still has to write when another tab has sent the call', async () => {
  const { rows, state, stored } = database();
  const { setTimer, lock, passTime } = heldTime();
  const environment = {
    ...testEnvironment(() => Promise.reject(new Error('No network in this test'))),
    setTimer,
  };
  const journal = await openJournal(memoryStore({}, new Map()), { ...environment });
  const openTab = () =>
    JournaledOutbox.open({
      environment,
      journal,
      stored,
      home: 'bench',
      userid: 1,
      multiInstance: true,
      lock,
      reading: silent,
      noteSuccess: () => undefined,
      noteTrouble: () => undefined,
    });
  const tab = await openTab();
  state.isFull = true;
  const [call] = await tab.add([commentOn('1', 'Hello')]);
  state.isFull = false;
  const leading = await openTab();
  expect(rows.size).toBe(1);
  await leading.update(() => ({ drop: [must(call, 'the call').id] }));
  expect(rows.size).toBe(0);
  await passTime();
  expect(rows.size).toBe(0);
});

/** A closed outbox with this number of comments, and a function that opens it again. */
async function closedOutbox(count: number) {
  const { rows, state, stored } = database();
  const { setTimer, lock, passTime } = heldTime();
  const environment = {
    ...testEnvironment(() => Promise.reject(new Error('No network in this test'))),
    setTimer,
  };
  const disk = new Map<string, Uint8Array>();
  const notes: string[] = [];
  const open = async () =>
    JournaledOutbox.open({
      environment,
      journal: await openJournal(memoryStore({}, disk), { ...environment }),
      stored,
      home: 'bench',
      userid: 1,
      multiInstance: false,
      lock,
      reading: {
        noteTrouble: () => notes.push('trouble'),
        noteSuccess: () => notes.push('success'),
      },
      noteSuccess: () => undefined,
      noteTrouble: (error) => {
        throw error;
      },
    });
  const outbox = await open();
  await outbox.add(Array.from({ length: count }, (_, index) => commentOn('1', `Comment ${index}`)));
  await outbox.close();
  return { rows, state, notes, open, passTime };
}

test('OUTBOX-9 OUTBOX-40 many copies are compared after the start, and differing or missing ones are repaired', async () => {
  const { rows, state, open, passTime } = await closedOutbox(1600);
  const [first, second, third] = [...rows.values()];
  const [a, b, c] = [must(first, 'first'), must(second, 'second'), must(third, 'third')];
  rows.set(b.id, { ...b, body: { text: 'An older word' } });
  rows.delete(c.id);
  rows.set('other', { ...c, id: 'other', body: { text: 'Only the database has it' } });
  const outbox = await open();
  expect(state.readings).toBe(1);
  expect(outbox.index.size).toBe(1600);
  await outbox.change(a.id, { body: { text: 'Changed since' } });
  await passTime();
  expect(rows.get(a.id)?.body).toEqual({ text: 'Changed since' });
  expect(rows.get(b.id)?.body).toEqual(b.body);
  expect(rows.get(c.id)?.body).toEqual(c.body);
  await outbox.close();
  // Now the numbers differ: calls lost in the journal are restored.
  const again = await open();
  expect(again.get('other')?.body).toEqual({ text: 'Only the database has it' });
  await again.close();
});

test('OUTBOX-40 copies are read at start if their number differs from that of the calls', async () => {
  const { rows, open } = await closedOutbox(1600);
  const [first] = [...rows.values()];
  rows.set('other', { ...must(first, 'first'), id: 'other' });
  const outbox = await open();
  expect(outbox.index.size).toBe(1601);
  await outbox.close();
});

test('OUTBOX-27 OUTBOX-40 copies that cannot be compared are compared again automatically, and the warning then ends', async () => {
  const { rows, state, notes, open, passTime } = await closedOutbox(1600);
  const [, , third] = [...rows.values()];
  const damaged = must(third, 'third');
  rows.set(damaged.id, { ...damaged, body: { text: 'An older word' } });
  await open();
  state.failures = 2;
  await passTime();
  expect(notes).toEqual(['trouble', 'trouble', 'success', 'success', 'success', 'success']);
  expect(rows.get(damaged.id)?.body).toEqual(damaged.body);
});

test('OUTBOX-27 records written by another tab are read again where the journal failed, and the warning then ends', async () => {
  const { stored, tellTabs } = database();
  const { setTimer, lock, passTime } = heldTime();
  const environment = {
    ...testEnvironment(() => Promise.reject(new Error('No network in this test'))),
    setTimer,
  };
  const journal = await openJournal(memoryStore({}, new Map()), { ...environment });
  const notes: string[] = [];
  const open = () =>
    JournaledOutbox.open({
      environment,
      journal,
      stored,
      home: 'bench',
      userid: 1,
      multiInstance: true,
      lock,
      reading: {
        noteTrouble: () => notes.push('trouble'),
        noteSuccess: () => notes.push('success'),
      },
      ...silent,
    });
  const other = await open();
  const tab = await open();
  await other.add([commentOn('1', 'Hello')]);
  vi.spyOn(journal, 'changes').mockRejectedValueOnce(new Error('EIO'));
  tellTabs();
  await vi.waitFor(() => expect(notes).toEqual(['trouble']), { timeout: 60_000 });
  expect(tab.index.size).toBe(0);
  await passTime();
  await vi.waitFor(() => expect(notes).toEqual(['trouble', 'success']), { timeout: 60_000 });
  expect(tab.index.size).toBe(1);
});
