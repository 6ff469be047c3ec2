import { BehaviorSubject, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import type { SessionControl } from '#desktop/engine/account/core.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { Pins } from '#desktop/engine/features/media/pins.ts';
import type { Session } from '#desktop/engine/api/sync-records.ts';

import { open } from '../journal/world.ts';
import { testEnvironment } from '../support/environment.ts';

/** A session with number 1 at one address, in this home. */
function sessionIn(home: string | null): Session {
  const user = home === null ? null : { userid: 1, username: 'Ada', privileges: [] };
  const none = { servers: [], homes: [], loss: null, elsewhere: [], damage: null };
  return { ...none, server: 'http://bench.test', home, user, status: 'signed-in' };
}

async function pinsIn(home: string) {
  const journal = await open(memoryStore());
  const state = new BehaviorSubject(sessionIn(home));
  const never = (): Promise<void> => Promise.reject(new Error('not here'));
  const session: SessionControl = {
    state,
    current: () => state.value,
    signIn: never,
    signOut: never,
    noteLossSeen: never,
    missingNames: () => Promise.resolve([]),
    forgetNames: () => Promise.resolve(false),
  };
  const pins = new Pins({ environment: testEnvironment(fetch), journal, session, lock: (_, run) => run() });
  const seen = async (): Promise<readonly string[]> => {
    await pins.add([]);
    return (await firstValueFrom(pins.state)).guideids;
  };
  return { journal, pins, seen, come: (next: string) => state.next(sessionIn(next)) };
}

test('ACCOUNT-1 another account with the same number at the same address sees none of the pinned guides', async () => {
  const { pins, seen, come } = await pinsIn('ada');
  await pins.add(['7']);
  come('another');
  expect(await seen()).toEqual([]);
  come('ada');
  expect(await seen()).toEqual(['7']);
});

test('ACCOUNT-2 pins stored by an earlier version by address and number go only to the first of their homes', async () => {
  const { journal, seen, come } = await pinsIn('another');
  await seen();
  const id = 'pins/http://bench.test/1';
  await journal.append([{ op: 'put', collection: 'meta', id, value: { guideids: ['7'] } }]);
  come('ada');
  expect(await seen()).toEqual(['7']);
  come('third');
  expect(await seen()).toEqual([]);
  expect((await journal.entries()).meta.has(id)).toBe(false);
});

test('ACCOUNT-2 pins of an earlier version are shown, and pins still work, after a failed write', async () => {
  const { journal, pins, seen, come } = await pinsIn('another');
  await seen();
  const id = 'pins/http://bench.test/1';
  await journal.append([{ op: 'put', collection: 'meta', id, value: { guideids: ['7'] } }]);
  const append = journal.append.bind(journal);
  journal.append = () => Promise.reject(new Error('The disk is full'));
  come('ada');
  await expect(pins.add(['8'])).rejects.toThrow('The disk is full');
  expect((await firstValueFrom(pins.state)).guideids).toContain('7');
  journal.append = append;
  await pins.add(['8']);
  come('third');
  expect(await seen()).toEqual([]);
  come('ada');
  expect(await seen()).toEqual(['7', '8']);
});

test('ACCOUNT-1 pins of the previous person are not shown while the next ones cannot be read', async () => {
  const { journal, pins, seen, come } = await pinsIn('ada');
  await pins.add(['7']);
  const changes = journal.changes.bind(journal);
  journal.changes = () => Promise.reject(new Error('The disk failed'));
  come('another');
  await expect(seen()).rejects.toThrow('The disk failed');
  expect(await firstValueFrom(pins.state)).toEqual({ guideids: [], isRead: false });
  journal.changes = changes;
  come('ada');
  expect(await seen()).toEqual(['7']);
});
