import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { CallStore } from '#desktop/engine/outbox/stored-calls.ts';
import { must } from '#shared/must.ts';

test('O3 a step that was put back under its old number gives no new id to a guide of that number', async () => {
  let ids = 0;
  const environment = {
    now: () => 1000,
    monotonic: () => 0,
    uuid: () => `call-${(ids += 1)}`,
    setTimer: () => () => undefined,
  };
  const nothing: CallStore = {
    read: () => Promise.resolve([]),
    write: () => Promise.resolve(),
    watchOthers: () => () => undefined,
  };
  const outbox = await JournaledOutbox.open({
    environment,
    journal: await openJournal(memoryStore(), environment),
    stored: nothing,
    home: 'home',
    userid: 1,
    multiInstance: false,
    lock: (_, run) => run(),
    noteTrouble: () => undefined,
  });
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
