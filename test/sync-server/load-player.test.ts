import { once } from 'node:events';
import type { Socket } from 'node:net';

import { expect, test } from 'vitest';

import type { Limits } from '#server/http/limits.ts';
import { startServer } from '#test/support/server.ts';
import { page, played } from '#test/support/training-world.ts';
import { scorm12 } from '#test/support/training-packages.ts';
import { answerOn, begin, firstAnswer } from '#test/support/unfinished.ts';

/** A server on which Ben has a module open. */
async function withModule(limits: Partial<Limits> = {}) {
  const server = await startServer({ limits });
  const author = await server.person('Ana', ['User', 'Author']);
  const ben = await server.person('Ben', ['User']);
  const { address } = await played({ server, author, learner: ben }, scorm12());
  const statusOf = async (path: string): Promise<number> => (await page(address, path)).status;
  return { server, author, ben, address, statusOf, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

type World = Awaited<ReturnType<typeof withModule>>;

/** Starts sending a body to the player, like the open module. */
async function sending({ server, address }: World, body: string): Promise<Socket> {
  const { pathname, port, host } = new URL('activities/0/data', address);
  const head = [`POST ${pathname} HTTP/1.1`, 'Content-Length: 900000'];
  return begin(server, head, body, { port: Number(port), host });
}

test('LOAD-2 AICC messages take up to 256 KB', async () => {
  await using world = await withModule();
  const response = await page<{ code: string }>(world.address, 'hacp/0', {
    method: 'POST',
    body: `command=putparam&aicc_data=${'x'.repeat(257 * 1024)}`,
  });
  expect([response.status, response.body.code]).toEqual([413, 'body-too-large']);
});

test('LOAD-8 concurrent requests of one learner to the player are limited', async () => {
  await using world = await withModule({ requestsOfCaller: 4 });
  const { author, statusOf } = world;
  const held: Socket[] = [];
  for (let count = 0; count < 4; count += 1) held.push(await sending(world, '{'));
  await expect.poll(() => statusOf('launch.json')).toBe(429);
  // Other people are not affected, and neither is the learner once the module has ended.
  expect((await author.call('GET', '/user')).status).toBe(200);
  for (const socket of held) socket.destroy();
  await expect.poll(() => statusOf('launch.json')).toBe(200);
});

test('LOAD-8 bodies read by the player and by the API count together for one person', async () => {
  await using world = await withModule({ bodyBytesOfCaller: 300_000 });
  const { server, ben } = world;
  const held = await sending(world, 'x'.repeat(200_000));
  await expect.poll(() => world.statusOf('launch.json')).toBe(200);
  const head = [
    `PATCH /api/2.0/users/${ben.userid} HTTP/1.1`,
    `Authorization: api ${ben.token}`,
    'Content-Length: 900000',
  ];
  const refused = [await begin(server, head, 'x'.repeat(200_000)), await sending(world, 'x'.repeat(200_000))];
  for (const socket of refused) expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: /i);
  expect(held.closed).toBe(false);
  held.destroy();
});

test('LOAD-4 LOAD-6 the player ends bodies that arrive too slowly, and its connections count with those of the app', async () => {
  await using world = await withModule({ bodyWindowMs: 200, bodyWindowBytes: 100, connections: 8 });
  expect(await answerOn(await sending(world, '{'))).toMatch(/^HTTP\/1\.1 408 /);
  const held: Socket[] = [];
  const ask = async (from: string): Promise<Socket> =>
    begin(world.server, ['GET /player/player.css HTTP/1.1'], '', {
      port: Number(new URL(world.address).port),
      from,
    });
  for (let count = 0; count < 8; count += 1) {
    const socket = await ask('127.0.0.2');
    await firstAnswer(socket);
    held.push(socket);
  }
  // Idle earlier connections counted too.
  const gone = Promise.race(held.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
  const other = await begin(world.server, ['GET /healthz HTTP/1.1'], '', { from: '127.0.0.3' });
  expect(await firstAnswer(other)).toMatch(/^HTTP\/1\.1 200 /);
  await gone;
  for (const socket of [...held, other]) socket.destroy();
});

test('LOAD-9 requests to the player and to its pages are limited, also without a session', async () => {
  await using world = await withModule({ anonymousPerMinute: 20, devicePerMinute: 30 });
  const { server, address } = world;
  const ask = async (path: string, times: number): Promise<number[]> => {
    const all: number[] = [];
    for (let count = 0; count < times; count += 1) {
      const response = await fetch(new URL(path, address));
      await response.arrayBuffer();
      all.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    return all;
  };
  expect(new Set(await ask('/play/none/launch.json', 30))).toEqual(new Set([401, 429]));
  expect(await ask('/lrs/statements', 1)).toEqual([429]);
  expect(await ask(`${server.url}/modules/open/none`, 1)).toEqual([429]);
  expect(await ask('/player/player.css', 1)).toEqual([200]);
  // The open module continues, within its own limit.
  expect(await ask('launch.json', 1)).toEqual([200]);
  expect((await ask('launch.json', 30)).at(-1)).toBe(429);
});
