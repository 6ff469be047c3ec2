import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { imageSize } from '#desktop/engine/actions/image-size.ts';
import type { MediaNeed } from '#desktop/engine/features/media/needs.ts';
import { MediaCache } from '#desktop/engine/features/media/queue.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { MediaStore } from '#desktop/engine/journal/platform.ts';
import { settled } from '#test/desktop/engine/bench/live-values.ts';

interface World {
  store: MediaStore;
  /** Requested paths, in order. */
  asked: string[];
  answer: (path: string) => Response | Promise<Response>;
  cache: MediaCache;
}

function world(answer: World['answer'], budgetBytes = 1000, store = memoryMediaStore()): World {
  const asked: string[] = [];
  const request = async (path: string): Promise<Response> => {
    asked.push(path);
    return answer(path);
  };
  const cache = new MediaCache(
    {
      store,
      request,
      fetch: () => Promise.reject(new Error('Only the own server is asked here')),
      setTimer: (run) => {
        const timer = setTimeout(run, 1);
        return () => clearTimeout(timer);
      },
      sha256: async (bytes) => createHash('sha256').update(bytes).digest('hex'),
    },
    { parallel: 2, budgetBytes, retryMs: [1] },
  );
  return { store, asked, answer, cache };
}

function need(name: string, change: Partial<MediaNeed> = {}): MediaNeed {
  return { key: name, url: `/igi/${name}`, bytes: null, sha256: null, pixels: 0, ...change };
}

test('the files of a group are downloaded once, a few at a time', async () => {
  let running = 0;
  let most = 0;
  const { cache, asked } = world(async () => {
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
    return new Response('12345');
  });
  await cache.want(
    'a',
    ['1', '2', '3', '4', '5'].map((name) => need(name)),
  );
  await cache.want('b', [need('1'), need('5')]);
  for (let turn = 0; turn < 6; turn += 1) await settled();
  expect(asked).toHaveLength(5);
  expect(most).toBe(2);
  expect(cache.coverage).toEqual({ have: 5, of: 5 });
  expect(cache.bytes).toBe(25);
});

test('short, long or altered bytes are never stored, and are downloaded again', async () => {
  const good = 'the right bytes';
  const sha256 = createHash('sha256').update(good).digest('hex');
  let turn = 0;
  const { cache, asked } = world(() => {
    turn += 1;
    if (turn === 1) return new Response('the right byt', { headers: { 'Content-Length': '15' } });
    if (turn === 2) return new Response('the wrong bytes');
    if (turn === 3) return new Response(null, { status: 500 });
    return new Response(good);
  });
  await cache.want('a', [need('x', { bytes: good.length, sha256 })]);
  for (let wait = 0; wait < 5; wait += 1) await settled();
  expect(asked).toHaveLength(4);
  expect(await (await cache.read('x'))?.text()).toBe(good);
});

test.each([
  '<html><body>Welcome to the hotel</body></html>',
  '\n<!DOCTYPE html><title>Blocked</title>',
  '{"error":"proxy"}',
  '',
])(
  "a portal's response (%j) is never stored as a picture, and the picture is downloaded again",
  async (said) => {
    const { cache } = world(() => new Response((turn += 1) === 1 ? said : '\u00ff\u00d8 a picture'));
    let turn = 0;
    await cache.want('a', [need('x')]);
    for (let wait = 0; wait < 5; wait += 1) await settled();
    expect(await (await cache.read('x'))?.text()).toBe('\u00ff\u00d8 a picture');
  },
);

test('a file missing on the server is not requested again and again', async () => {
  const { cache, asked } = world(() => new Response(null, { status: 404 }));
  await cache.want('a', [need('x')]);
  await settled();
  await settled();
  expect(asked).toHaveLength(1);
  expect([cache.isGone('x'), cache.has('x'), cache.isAwaited('x')]).toEqual([true, false, false]);
});

test('over the budget, only files of no group are removed, least recently used first', async () => {
  const { cache, store } = world(() => new Response('1234567890'), 35);
  await cache.want('a', [need('1'), need('2'), need('3')]);
  for (let wait = 0; wait < 3; wait += 1) await settled();
  cache.release('a');
  await cache.read('1');
  await cache.want('b', [need('4')]);
  for (let wait = 0; wait < 3; wait += 1) await settled();
  expect((await store.list()).map(({ key }) => key)).toEqual(['1', '3', '4']);
  await cache.want('c', [need('5'), need('6'), need('7'), need('8')]);
  for (let wait = 0; wait < 5; wait += 1) await settled();
  expect((await store.list()).map(({ key }) => key).toSorted()).toEqual(['4', '5', '6', '7', '8']);
});

test('after a restart only missing files are downloaded', async () => {
  const store = memoryMediaStore();
  await store.put('1', new Blob(['kept']));
  const { cache, asked } = world(() => new Response('new'), 1000, store);
  await cache.want('a', [need('1'), need('2')]);
  await settled();
  expect(asked).toEqual(['/igi/2']);
  expect(cache.bytes).toBe(7);
});

test('a file that nobody waits for is not downloaded', async () => {
  let isUp = false;
  const { cache, asked } = world(() => (isUp ? new Response('x') : new Response(null, { status: 503 })));
  await cache.want('a', [need('1')]);
  cache.release('a');
  isUp = true;
  await settled();
  await settled();
  expect(asked).toEqual(['/igi/1']);
  expect(cache.has('1')).toBe(false);
});

test('the size of a picture is read from its first bytes', () => {
  const jpeg = Uint8Array.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0,
  ]);
  expect(imageSize(jpeg)).toEqual({ width: 40, height: 30 });
  const gif = Uint8Array.from([...new TextEncoder().encode('GIF89a'), 40, 0, 30, 0]);
  expect(imageSize(gif)).toEqual({ width: 40, height: 30 });
  expect(imageSize(new TextEncoder().encode('no picture at all'))).toBeNull();
});

test('a store that cannot be listed at first is listed again by the next download', async () => {
  const store = memoryMediaStore();
  await store.put('kept', new Blob(['12345']));
  let failures = 1;
  const list = store.list.bind(store);
  store.list = async () => {
    if (failures-- > 0) throw new Error('The store is busy');
    return list();
  };
  const { cache, asked } = world(() => new Response('12345'), 1000, store);
  await expect(cache.open()).rejects.toThrow('busy');
  await cache.want('a', [need('kept'), need('new')]);
  await expect.poll(() => cache.has('new')).toBe(true);
  expect(cache.has('kept')).toBe(true);
  expect(asked).toEqual(['/igi/new']);
});

test('CARRY-9 what is opened is loaded first, and after a failure all files that can wait do', async () => {
  let isUp = false;
  const { cache, asked } = world(() => new Response('12345', { status: isUp ? 200 : 503 }));
  cache.hold(true);
  await cache.want(
    'later',
    ['1', '2', '3', '4', '5', '6'].map((name) => need(name)),
    true,
  );
  expect(asked).toEqual([]);
  expect(cache.isAwaited('1')).toBe(true);
  cache.hold(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked.length).toBeLessThanOrEqual(2);
  isUp = true;
  await cache.want('open', [need('6')]);
  for (let turn = 0; turn < 8; turn += 1) await settled();
  expect(asked.indexOf('/igi/6')).toBeLessThan(asked.indexOf('/igi/3'));
  expect(cache.coverage).toEqual({ have: 6, of: 6 });
});
