import { expect, test } from 'vitest';

import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { ForeignAnswer } from '#desktop/engine/sync/connection-errors.ts';
import { answerOf } from '#desktop/engine/sync/mirror/answer.ts';
import { Problem, problemFields } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { runCommand } from '#test/support/command-line.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk, serverAddress } from '../support/device.ts';
import { testEnvironment } from '../support/environment.ts';
import { openWholeDevice } from '../support/whole-device.ts';

const cachedPaths = ['/sync/1/pull', '/sync/1/batch', '/api/2.0/user'];

/** A connection to the server with a cache that returns stored responses by path. */
function cachingWay(url: string) {
  const kept = new Map<string, { text: string; status: number }>();
  const cache = { isOn: false, answered: 0 };
  const fetchThere: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const { pathname } = new URL(address);
    const isCached = cachedPaths.includes(pathname);
    const old = kept.get(pathname);
    if (cache.isOn && isCached && old !== undefined) {
      cache.answered += 1;
      return new Response(old.text, { status: old.status });
    }
    const response = await fetch(address.replace(serverAddress, url), init);
    if (!isCached) return response;
    const { status } = response;
    const text = await response.text();
    kept.set(pathname, { text, status });
    return new Response(text, { status });
  };
  return { cache, fetchThere };
}

test('MIRROR-18 an old response from a cache is ignored and reported until the server answers', async () => {
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

/** An answer as the server gives it to a device of an older version, which names neither server nor request. */
function asToOlderDevice(text: string): string {
  const [head = '', ...rest] = text.split('\n');
  const { history, now } = JSON.parse(head) as { history: string; now: number };
  return [JSON.stringify({ protocol: 5, history, now }), ...rest].join('\n');
}

test('MIRROR-18 a response that a cache stored for a device of an older version skips no records', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const disk = newDisk();
  let reached = '';
  {
    await using device = await openWholeDevice(cachingWay(server.url).fetchThere, disk);
    await device.signIn('Ada');
    await device.inSync();
  }
  const missed = await makeGuide(ada);
  const later: typeof fetch = async (input, init) => {
    const address = (input instanceof Request ? input.url : String(input)).replace(serverAddress, server.url);
    if (new URL(address).pathname !== '/sync/1/pull') return fetch(address, init);
    // The end of the feed, as a device of an older version asked for it.
    if (reached === '') {
      const place = JSON.parse(
        (await (await fetch(address, init)).text()).trim().split('\n').at(-1) ?? '',
      ) as {
        checkpoint: string;
      };
      const end = new URL(address);
      end.searchParams.set('since', place.checkpoint);
      reached = asToOlderDevice(await (await fetch(end, init)).text());
    }
    return new Response(reached);
  };
  let isCached = true;
  const way: typeof fetch = (input, init) =>
    isCached
      ? later(input, init)
      : fetch(
          (input instanceof Request ? input.url : String(input)).replace(serverAddress, server.url),
          init,
        );
  await using device = await openWholeDevice(way, disk);
  await device.shows((state) => state.interference !== null, 'syncState');
  isCached = false;
  device.actions.syncNow();
  await device.inSync();
  const found = await device.shows((guide) => guide !== null, 'guide', String(missed.guideid));
  expect(found?.guideid).toBe(String(missed.guideid));
});

test.each([
  ['401', () => new Problem('unauthorized', 'Invalid login')],
  ['410', () => new Problem('gone', 'Another history', { code: 'unknown-place' })],
  ['426', () => new Problem('client-too-old', 'Update the app')],
])('MIRROR-18 a refusal with %s that a cache stored for another request is ignored', async (_, problem) => {
  const { status, message, code } = problem();
  const refused = (request: string | undefined): Response =>
    Response.json({ ...problemFields(message, code), request }, { status });
  const answers = [refused('of-another-device'), refused(undefined)];
  const environment = testEnvironment(async () => must(answers.shift(), 'an answer'), 1);
  const connection = new ServerConnection(
    serverAddress,
    () => 'token',
    null,
    environment,
    new ServerClock(environment),
  );
  const ask = (): Promise<unknown> => answerOf(connection, connection.request('/sync/1/pull?since=1.0'));
  await expect(ask()).rejects.toBeInstanceOf(ForeignAnswer);
  // A server of an older version names none.
  await expect(ask()).rejects.not.toBeInstanceOf(ForeignAnswer);
});

test('MIRROR-18 a cached refusal of another person ends no session', async () => {
  await using server = await startServer();
  await server.person('Ada');
  const { cache, fetchThere } = cachingWay(server.url);
  await using device = await openWholeDevice(fetchThere, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  const { status } = await fetchThere(`${serverAddress}/sync/1/pull?since=0.0&request=of-another-device`);
  expect(status).toBe(401);
  cache.isOn = true;
  device.actions.syncNow();
  const told = await device.shows((state) => state.interference !== null || state.needsSignIn, 'syncState');
  expect(told.interference).toMatchObject({ status: 401, path: '/sync/1/pull' });
  expect((await device.look('session')).status).toBe('signed-in');
  cache.isOn = false;
  device.actions.syncNow();
  await device.shows((state) => state.interference === null, 'syncState');
  await device.inSync();
});

test('MIRROR-18 a cached refusal of the API, which names no request, ends a session only if the server confirms it', async () => {
  await using server = await startServer();
  await server.person('Ada');
  const { cache, fetchThere } = cachingWay(server.url);
  await using device = await openWholeDevice(fetchThere, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  expect((await fetchThere(`${serverAddress}/api/2.0/user`)).status).toBe(401);
  cache.isOn = true;
  await expect(device.actions.mustSetPassword()).rejects.toThrow('Authentication required');
  expect(cache.answered).toBeGreaterThan(0);
  expect((await device.look('session')).status).toBe('signed-in');
  const disable = ['user', 'disable', 'ada@example.com', '--data', server.dataDir];
  expect((await runCommand(disable)).code).toBe(0);
  await expect(device.actions.mustSetPassword()).rejects.toThrow('Authentication required');
  expect((await device.look('session')).status).toBe('expired');
});
