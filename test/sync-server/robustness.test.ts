import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { injectionsFor } from '#test/support/odd-requests.ts';
import { Dice } from '#test/support/odd-values.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { inside, OddServer, testOddRequests } from '#test/support/odd-server.ts';
import { makeStock } from '#test/support/odd-stock.ts';

import { endpoints } from './routes.ts';

let odd: OddServer;

beforeAll(async () => {
  odd = await OddServer.start();
});
afterAll(async () => odd[Symbol.asyncDispose]());

describe('SECURITY-17 fields that the contract does not have change nothing', () => {
  /** All stored rows of people, records and lists. */
  async function stored(): Promise<unknown> {
    const { reader } = odd.server.services.storage;
    return {
      users: await reader.selectFrom('users').selectAll().execute(),
      feed: await reader
        .selectFrom('feed')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .execute(),
      members: await reader.selectFrom('team_members').selectAll().execute(),
      guides: await reader.selectFrom('guides').selectAll().execute(),
      entries: await reader.selectFrom('work_log').selectAll().execute(),
    };
  }

  const withBody = endpoints.filter(([, { body, consumes }]) => body !== undefined && consumes !== 'bytes');

  test('by a person with all other rights', async () => {
    const stock = await makeStock(odd.server, -2);
    const dice = new Dice(17);
    for (const [route, endpoint] of withBody) {
      const before = await stored();
      const answers = await Promise.all(
        injectionsFor(endpoint, stock, dice).map((request) =>
          odd.raw.send({ ...request, headers: { authorization: `api ${stock.admin.token}` } }),
        ),
      );
      expect(
        answers.map((answer) => answer.statusCode).filter((status) => status < 400),
        route,
      ).toEqual([]);
      expect(await stored(), route).toEqual(before);
    }
  });
});

describe('SECURITY-18 odd requests are refused in the documented shapes, and nothing fails', () => {
  // The other half is in robustness-odd.test.ts, so that two processors share them.
  const numbered = endpoints.map(([route, endpoint], number) => ({ route, endpoint, number }));
  testOddRequests(
    () => odd,
    numbered.filter(({ number }) => number % 2 === 0),
    isLongRun ? 200 : 20,
  );
});

describe('SECURITY-18 odd requests to the sync endpoints are refused, and nothing fails', () => {
  const places = [
    '0.0',
    '0.1',
    '1.x',
    '-1.0',
    `${'9'.repeat(400)}.a`,
    `0.0x${'9'.repeat(400)}`,
    '1',
    '',
    'a.b',
    '1.0&since=0.0',
    '%zz',
    '9007199254740993.0',
  ];
  const numbers = ['1', '0', '-1', 'x', '1e9', '2000', '2001', ''];
  const collections = ['guides', 'guides,people', 'nothing', ',', '__proto__', '%00'];
  const calls = [
    '/guides',
    '/guides/1',
    '/work_log/1/finish',
    '/users/1',
    '/user/token',
    '/',
    '//',
    '/..',
    '/guides/%zz',
    '/guides/tmp:12345678',
    '/\ud800',
  ];
  const bodies: unknown[] = [
    undefined,
    null,
    1,
    'x',
    [],
    {},
    { text: 'tmp:12345678' },
    { steps: [{ key: 1 }] },
    { a: '\ud800\0' },
  ];

  async function refusedOrServed(request: {
    method: 'GET' | 'POST';
    url: string;
    payload?: string;
    headers: Record<string, string>;
  }): Promise<void> {
    const response = await odd.server.app.inject(request);
    const told = `${request.url} ${request.payload ?? ''} → ${response.statusCode} ${response.body.slice(0, 500)} ${odd.failures.splice(0).join('')}`;
    expect([200, 400, 401, 410, 422], told).toContain(response.statusCode);
    if (response.statusCode !== 200) return expect(inside.test(response.body), told).toBe(false);
    const lines = response.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status?: number });
    expect(lines.length, told).toBeGreaterThan(0);
    for (const { status } of lines)
      expect([undefined, 0, 200, 201, 204, 400, 403, 404, 405, 409, 422], told).toContain(status);
  }

  test('pull and bootstrap', async () => {
    const { token } = await odd.server.person('Puller');
    const dice = new Dice(1);
    for (let index = 0; index < 200; index += 1) {
      const since = dice.happens(0.9) ? [`since=${dice.pick(places)}`] : [];
      const query = [...since, `limit=${dice.pick(numbers)}`, `collections=${dice.pick(collections)}`].filter(
        () => dice.happens(0.8),
      );
      const headers = dice.happens(0.95) ? { authorization: `api ${token}` } : { authorization: 'api x' };
      await refusedOrServed({
        method: 'GET',
        url: `/sync/1/${dice.pick(['pull', 'bootstrap'])}?${query.join('&')}`,
        headers,
      });
    }
  });

  test('batch', async () => {
    const { token } = await odd.server.person('Sender');
    const dice = new Dice(2);
    for (let index = 0; index < 100; index += 1) {
      const batch = Array.from({ length: Math.floor(dice.next() * 4) }, (_, at) => ({
        id: dice.happens(0.95)
          ? `call-${index}-${dice.happens(0.9) ? at : 0}`
          : dice.pick(['', 'ü'.repeat(8), 'a b c d e f']),
        lane: dice.pick(['a', 'b', '']),
        method: dice.pick(['POST', 'PUT', 'PATCH', 'DELETE', ...(dice.happens(0.1) ? ['GET'] : [])]),
        path: dice.pick(calls),
        ...(dice.happens(0.5)
          ? { query: { revisionid: dice.pick(['previous', '1', 'x', 'tmp:12345678']) } }
          : {}),
        body: dice.pick(bodies),
      }));
      const payload = dice.happens(0.9)
        ? JSON.stringify({
            protocol: unannouncedProtocol,
            calls: batch.filter((call) => call.lane !== '' || dice.happens(0.2)),
          })
        : dice.pick(['', '[]', '{', 'null', '{"protocol":0,"calls":[]}', '['.repeat(10_000)]);
      await refusedOrServed({
        method: 'POST',
        url: '/sync/1/batch',
        payload,
        headers: { authorization: `api ${token}` },
      });
    }
  });
});
