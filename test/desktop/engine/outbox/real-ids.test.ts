import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { CallStore } from '#desktop/engine/outbox/stored-calls.ts';
import { must } from '#shared/must.ts';

async function openOutbox(journal?: Journal): Promise<JournaledOutbox> {
  let ids = 0;
  const environment = {
    now: () => 1000,
    monotonic: () => 0,
    uuid: () => `call-${(ids += 1)}`,
    setTimer: () => () => undefined,
  };
  const nothing: CallStore = {
    read: () => Promise.resolve([]),
    count: () => Promise.resolve(0),
    texts: () => Promise.resolve(new Map()),
    write: () => Promise.resolve(),
    watchOthers: () => () => undefined,
  };
  return JournaledOutbox.open({
    environment,
    journal: journal ?? (await openJournal(memoryStore(), environment)),
    stored: nothing,
    home: 'home',
    userid: 1,
    multiInstance: false,
    lock: oneAfterTheOther(),
    reading: { noteTrouble: () => undefined, noteSuccess: () => undefined },
    noteSuccess: () => undefined,
    noteTrouble: () => undefined,
  });
}

function oneAfterTheOther(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (_, run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

test('OUTBOX-3 a step restored under its old number gives no new id to a guide with that number', async () => {
  const outbox = await openOutbox();
  const [call] = await outbox.add([
    {
      kind: 'guide-save',
      lane: 'guide:1',
      method: 'PATCH',
      path: '/guides/1',
      body: { steps: [{ key: '28', title: 'Put back' }] },
      target: { collection: 'guides', id: '1' },
      subject: 'Radio',
    },
  ]);
  await outbox.learn([{ ...must(call, 'a call'), state: 'done', created: { 'tmp:28': '45' } }]);
  expect(outbox.realId('tmp:28')).toBe('45');
  expect(outbox.realId('28')).toBeUndefined();
});

test('OUTBOX-3 ids learnt at the same time are all known at the next start', async () => {
  const environment = { now: () => 1000, uuid: () => crypto.randomUUID() };
  const journal = await openJournal(memoryStore(), environment);
  const outbox = await openOutbox(journal);
  await Promise.all([outbox.learnIds({ 'tmp:1001': '1' }), outbox.learnIds({ 'tmp:1002': '2' })]);
  const again = await openOutbox(journal);
  expect([again.realId('tmp:1001'), again.realId('tmp:1002')]).toEqual(['1', '2']);
});
