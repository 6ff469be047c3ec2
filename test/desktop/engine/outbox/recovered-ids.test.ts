import { expect, test } from 'vitest';

import { recoveredIds } from '#desktop/engine/outbox/recovered-ids.ts';
import { mirrorOf, openDatabase } from '#desktop/engine/storage/database.ts';
import { toStored } from '#desktop/engine/storage/mirror-records.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

test('OUTBOX-9 the real ids of guides and of attempts at quizzes are found in the mirror after the journal was lost', async () => {
  const database = await openDatabase('benchbook-recovered', memoryStorage(), false);
  const mirror = mirrorOf(database);
  const store = (c: 'guides' | 'training', id: string, doc: object): Promise<void> =>
    mirror[c].write([{ ...toStored({ c, id, seq: 1, doc }), _deleted: false }], new Map());
  await store('guides', '61', { key: '00000001-guide', steps: [] });
  await store('training', '7', { kind: 'session', sessionid: 7, key: '00000002-attempt' });
  await store('training', 'quiz:1', { kind: 'quiz', quizid: 1 });
  const wanted = ['tmp:00000001-guide', 'tmp:00000002-attempt', 'tmp:00000003-other'];
  expect(await recoveredIds(mirror, new Set(wanted))).toEqual({
    'tmp:00000001-guide': '61',
    'tmp:00000002-attempt': '7',
  });
  await database.close();
});
