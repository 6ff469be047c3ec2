import { expect, test } from 'vitest';

import { startServer } from '#test/support/server.ts';

import { newDisk, serverAddress } from '../support/device.ts';
import { openWholeDevice } from '../support/whole-device.ts';

/** A way to the server with a cache that knows an answer by the path that was asked for. */
function cachingWay(url: string) {
  const kept = new Map<string, string>();
  const cache = { isOn: false, answered: 0 };
  const fetchThere: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const { pathname } = new URL(address);
    const isCached = pathname === '/sync/1/pull' || pathname === '/sync/1/batch';
    const old = kept.get(pathname);
    if (cache.isOn && isCached && old !== undefined) {
      cache.answered += 1;
      return new Response(old);
    }
    const response = await fetch(address.replace(serverAddress, url), init);
    if (!isCached) return response;
    kept.set(pathname, await response.text());
    return new Response(kept.get(pathname), { status: response.status });
  };
  return { cache, fetchThere };
}

test('M18 an old answer from a cache is not believed, is told of, and ends when the server answers', async () => {
  await using server = await startServer();
  await server.person('Ada');
  const { cache, fetchThere } = cachingWay(server.url);
  await using device = await openWholeDevice(fetchThere, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  cache.isOn = true;
  device.actions.syncNow();
  const { interference } = await device.shows((state) => state.interference !== null, 'syncState');
  expect(interference).toMatchObject({ status: 200, path: '/sync/1/pull' });
  expect(cache.answered).toBeGreaterThan(0);
  cache.isOn = false;
  device.actions.syncNow();
  await device.shows((state) => state.interference === null, 'syncState');
  await device.inSync();
});
