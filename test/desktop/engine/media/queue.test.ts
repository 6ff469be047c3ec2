import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { imageSize } from '#desktop/engine/actions/image-size.ts';
import type { KnownFiles, MediaNeed } from '#desktop/engine/features/media/needs.ts';
import { type MediaDeps, MediaCache } from '#desktop/engine/features/media/queue.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { MediaStore } from '#desktop/engine/journal/platform.ts';
import { settled } from '#test/desktop/engine/bench/live-values.ts';

interface World {
  store: MediaStore;
  /** Requested paths, in order. */
  asked: string[];
  answer: (path: string, signal: AbortSignal) => Response | Promise<Response>;
  cache: MediaCache;
}

interface Options {
  known?: KnownFiles;
  spared?: MediaDeps['spared'];
}

function world(
  answer: World['answer'],
  budgetBytes = 1000,
  store = memoryMediaStore(),
  { known = new Map(), spared = async () => () => false }: Options = {},
): World {
  const asked: string[] = [];
  const request: MediaDeps['request'] = async (path, init) => {
    asked.push(path);
    return answer(path, init?.signal ?? new AbortController().signal);
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
      known: () => known,
      spared,
    },
    { parallel: 2, budgetBytes, retryMs: [1] },
  );
  return { store, asked, answer, cache };
}

function need(name: string, change: Partial<MediaNeed> = {}): MediaNeed {
  return { key: name, url: `/igi/${name}`, original: null, pixels: 0, ...change };
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

test('CARRY-19 short, long or altered bytes are never stored, and are downloaded again', async () => {
  const good = 'the right bytes';
  const sha256 = createHash('sha256').update(good).digest('hex');
  let turn = 0;
  const known = new Map([['x', { bytes: good.length, sha256 }]]);
  const answer = (): Response => {
    turn += 1;
    if (turn === 1) return new Response('the right byt', { headers: { 'Content-Length': '15' } });
    if (turn === 2) return new Response('the wrong bytes');
    if (turn === 3) return new Response(null, { status: 500 });
    return new Response(good);
  };
  const { cache, asked } = world(answer, 1000, memoryMediaStore(), { known });
  await cache.want('a', [need('x', { original: 'x' })]);
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
  "CARRY-19 a portal's response (%j) is never stored as a picture, and the picture is downloaded again",
  async (said) => {
    const { cache } = world(() => new Response((turn += 1) === 1 ? said : '\u00ff\u00d8 a picture'));
    let turn = 0;
    await cache.want('a', [need('x')]);
    for (let wait = 0; wait < 5; wait += 1) await settled();
    expect(await (await cache.read('x'))?.text()).toBe('\u00ff\u00d8 a picture');
  },
);

test('CARRY-19 a login page is never stored as a document, unless the document is a page itself', async () => {
  const page = '<!DOCTYPE html><title>Sign in to the network</title>';
  const { cache } = world(() => new Response(page));
  const document = (name: string): MediaNeed => need(`document:${name}`, { url: `/Document/1/${name}` });
  await cache.want('a', [document('manual.pdf'), document('Parts.XLSX'), document('report.html')]);
  await expect.poll(() => cache.has('document:report.html')).toBe(true);
  expect(cache.coverage).toEqual({ have: 1, of: 3 });
  cache.close();
});

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

/** An answer that never comes, until the request is ended. */
function never(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new DOMException('Ended', 'AbortError'))),
  );
}

test('CARRY-9 what is opened does not wait for slow files that can wait', async () => {
  const { cache, asked } = world((path, signal) =>
    path.includes('video') ? never(signal) : new Response('12345'),
  );
  await cache.want('later', [need('video1'), need('video2'), need('video3')], true);
  await settled();
  await cache.want('open', [need('picture')]);
  await expect.poll(() => cache.has('picture')).toBe(true);
  expect(asked).toEqual(['/igi/video1', '/igi/picture']);
  cache.close();
});

test('CARRY-9 pausing ends the downloads of files that can wait, but not of what is open', async () => {
  let isSlow = true;
  const { cache, asked } = world((_, signal) => (isSlow ? never(signal) : new Response('12345')));
  await cache.want('later', [need('video')], true);
  await cache.want('open', [need('picture')]);
  await settled();
  cache.hold(true);
  isSlow = false;
  await settled();
  expect(asked).toEqual(['/igi/video', '/igi/picture']);
  expect([cache.isAwaited('video'), cache.isAwaited('picture')]).toEqual([true, true]);
  // The person opens the guide with the video while loading is paused.
  await cache.want('open', [need('picture'), need('video')]);
  await expect.poll(() => cache.has('video')).toBe(true);
  cache.close();
});

test('a download that nothing needs any more is ended', async () => {
  const ended: string[] = [];
  const { cache } = world((path, signal) => {
    signal.addEventListener('abort', () => ended.push(path));
    return never(signal);
  });
  await cache.want('a', [need('1'), need('2')]);
  await cache.want('a', [need('2')]);
  await settled();
  expect(ended).toEqual(['/igi/1']);
  cache.release('a');
  await settled();
  expect(ended).toEqual(['/igi/1', '/igi/2']);
});

test('CARRY-15 over the budget nothing is removed until it is known what must stay, and then not what others need', async () => {
  const store = memoryMediaStore();
  for (const key of ['old', 'ours', 'theirs']) await store.put(key, new Blob(['1234567890']));
  let isKnown = false;
  const spared: MediaDeps['spared'] = async () => (isKnown ? (key) => key === 'theirs' : null);
  const { cache } = world(() => new Response('1234567890'), 20, store, { spared });
  await cache.want('a', [need('new')]);
  await expect.poll(() => cache.has('new')).toBe(true);
  await settled();
  expect((await store.list()).map(({ key }) => key)).toEqual(['old', 'ours', 'theirs', 'new']);
  await cache.want('b', [need('ours')]);
  isKnown = true;
  await cache.evict();
  expect((await store.list()).map(({ key }) => key)).toEqual(['ours', 'theirs', 'new']);
});

test('files that nothing needs make room on a full disk', async () => {
  const store = memoryMediaStore();
  for (const key of ['1', '2']) await store.put(key, new Blob(['1234567890']));
  const put = store.put.bind(store);
  store.put = async (key, blob) => {
    if ((await store.list()).length > 1) throw new DOMException('The disk is full', 'QuotaExceededError');
    await put(key, blob);
  };
  const { cache } = world(() => new Response('1234567890'), 1000, store);
  await cache.want('a', [need('2'), need('3')]);
  await expect.poll(() => cache.has('3')).toBe(true);
  expect((await store.list()).map(({ key }) => key)).toEqual(['2', '3']);
  expect(cache.isFull).toBe(false);
});

test('CARRY-7 a list that was made during a removal does not bring the file back', async () => {
  const store = memoryMediaStore();
  await store.put('1', new Blob(['12345']));
  const { cache } = world(() => new Response('12345'), 1000, store);
  await cache.open();
  const list = store.list.bind(store);
  const made = Promise.withResolvers<void>();
  store.list = async () => {
    const found = await list();
    await made.promise;
    return found;
  };
  const looking = cache.look();
  const removing = cache.keepOnly(() => false);
  await settled();
  made.resolve();
  await Promise.all([looking, removing]);
  expect(cache.has('1')).toBe(false);
  expect(await list()).toEqual([]);
});

test('CARRY-7 a file that is wanted while it is removed is fetched again', async () => {
  const store = memoryMediaStore();
  for (const key of ['1', '2']) await store.put(key, new Blob(['1234567890']));
  const remove = store.remove.bind(store);
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  store.remove = async (key) => {
    begun.resolve();
    await end.promise;
    await remove(key);
  };
  const { cache } = world(() => new Response('1234567890'), 10, store);
  await cache.open();
  const evicting = cache.evict();
  await begun.promise;
  await cache.want('a', [need('1')]);
  end.resolve();
  await evicting;
  await expect.poll(() => cache.has('1')).toBe(true);
  await settled();
  expect(await (await store.get('1'))?.text()).toBe('1234567890');
});

test('CARRY-7 a damaged file is not counted again when the files are listed', async () => {
  const store = memoryMediaStore();
  await store.put('1', new Blob(['12345']));
  const { cache } = world(() => new Response(null, { status: 503 }), 1000, store);
  await cache.want('a', [need('1')]);
  expect(cache.has('1')).toBe(true);
  store.get = () => Promise.resolve(undefined);
  await cache.check('a');
  await cache.look();
  expect(cache.has('1')).toBe(false);
  cache.close();
});

test('a file that turns out to be lost when it is shown is fetched again', async () => {
  const store = memoryMediaStore();
  await store.put('1', new Blob(['12345']));
  const { cache } = world(() => new Response('54321'), 1000, store);
  await cache.want('a', [need('1')]);
  await store.remove('1');
  expect(await cache.read('1')).toBeUndefined();
  await expect.poll(async () => (await cache.read('1'))?.text()).toBe('54321');
});
