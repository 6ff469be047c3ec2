import { Writable } from 'node:stream';

import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { changeSite } from '#server/site.ts';
import { defaultSite } from '#server/site-settings.ts';
import { Dice, injectionsFor, oddRequest, type OddRequest } from '#test/support/odd-requests.ts';
import { makeStock, type OddStock } from '#test/support/odd-stock.ts';
import { eachOf, RawHttp, type RawAnswer } from '#test/support/raw-http.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { endpoints } from './routes.ts';

/** Odd requests per endpoint. */
const count = 200;
/** Requests on their way at once. */
const connections = 8;
/** With every feature that endpoints ask for. */
const site = { releases: true, languages: ['en', 'de'], privateNetworks: ['127.0.0.0/8'] };
/** What no answer may hold: places in our code, words of the database. */
const inside = /\.ts:\d|node_modules|sqlite|at async |Error:|kysely/i;

let server: TestServer;
const failures: string[] = [];
/** Reading destroys nothing. */
let shared: Promise<OddStock> | undefined;
let raw: RawHttp;

beforeAll(async () => {
  const log = pino(
    { level: 'error' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        failures.push(chunk.toString());
        done();
      },
    }),
  );
  server = await startServer({ log, site });
  raw = new RawHttp(server.url, connections);
  // Nothing here asks what a power cut would leave, and a thousand waits for the disk take long.
  await sql`PRAGMA synchronous = OFF`.execute(server.services.storage.writer);
  await server.category('Workshop');
  await server.category('Bench Grinder', 'Workshop', 'A double grinder.');
});

afterAll(async () => {
  raw[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const problem = z.strictObject({
  error: z.literal(true),
  message: z.string().min(1),
  msg: z.string().min(1),
  requiredPrivileges: z.array(z.string()).optional(),
});
const fieldProblem = problem.extend({
  errors: z
    .array(
      z.strictObject({ field: z.string().min(1), message: z.string().min(1), index: z.int().optional() }),
    )
    .min(1)
    .max(100),
});

async function check(endpoint: Endpoint, request: OddRequest): Promise<number> {
  const { injected, ...sent } = request;
  const response = await raw.send(sent);
  const told = (): string =>
    `${sent.method} ${sent.url.slice(0, 300)} ${JSON.stringify(sent.headers)} ${(sent.payload ?? '').slice(0, 600)}\n→ ${response.statusCode} ${response.body.slice(0, 600)}\n${failures.splice(0).join('').slice(0, 3000)}`;
  const flaw = flawOf(endpoint, response, injected);
  if (flaw !== undefined) expect.fail(`${flaw}\n${told()}`);
  return response.statusCode;
}

function flawOf(endpoint: Endpoint, answer: RawAnswer, injected: boolean): string | undefined {
  const { statusCode, body, headers } = answer;
  if (statusCode >= 500 && statusCode !== 501) return 'The server failed';
  if (failures.length > 0) return 'The server logged an error';
  if (statusCode >= 400 && inside.test(body)) return 'The answer tells of the inside';
  if (!/^[\w-]{12}$/.test(String(headers['x-request-id']))) return 'The answer has no request id';
  if (injected && statusCode < 300) return 'A field that the contract does not have was taken';
  if (statusCode === 204 || statusCode === 304) return body === '' ? undefined : 'The answer has a body';
  const error = shapeOf(endpoint, statusCode)?.safeParse(JSON.parse(body)).error;
  return error === undefined ? undefined : z.prettifyError(error);
}

function shapeOf(endpoint: Endpoint, status: number): z.ZodType | undefined {
  if (status < 300) return endpoint.result;
  if (status === 409) return z.looseObject({});
  if (![400, 401, 403, 404, 405, 422, 429, 501].includes(status)) return z.never();
  return status === 422 ? fieldProblem : problem;
}

describe('S17 fields that the contract does not have change nothing', () => {
  /** Everything that people, records and lists are made of, as stored. */
  async function stored(): Promise<unknown> {
    const { reader } = server.services.storage;
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

  test('for whoever may do everything else', async () => {
    const stock = await makeStock(server, -2);
    const dice = new Dice(17);
    for (const [route, endpoint] of withBody) {
      const before = await stored();
      const answers = await Promise.all(
        injectionsFor(endpoint, stock, dice).map((request) =>
          raw.send({ ...request, headers: { authorization: `api ${stock.admin.token}` } }),
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

describe('S18 odd requests are refused in the documented shapes, and nothing fails', () => {
  test.each(endpoints)('%s', { timeout: 60_000 }, async (route, endpoint) => {
    const number = endpoints.findIndex(([name]) => name === route);
    const stock = await (endpoint.method === 'GET'
      ? (shared ??= makeStock(server, -1))
      : makeStock(server, number));
    const dice = new Dice(1000 + number);
    const requests = Array.from({ length: count }, () => oddRequest(endpoint, stock, dice));
    const statuses = new Set<number>();
    await eachOf(requests, connections, async (request) => {
      statuses.add(await check(endpoint, request));
    });
    expect(statuses.size).toBeGreaterThan(1);
    if (endpoint.path === '/site') await changeSite(server.services, { ...defaultSite, ...site });
  });
});

describe('S18 odd requests to the sync endpoints are refused, and nothing fails', () => {
  const places = [
    '0.0',
    '0.1',
    '1.x',
    '-1.0',
    `${'9'.repeat(400)}.a`,
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
    const response = await server.app.inject(request);
    const told = `${request.url} ${request.payload ?? ''} → ${response.statusCode} ${response.body.slice(0, 500)} ${failures.splice(0).join('')}`;
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
    const { token } = await server.person('Puller');
    const dice = new Dice(1);
    for (let index = 0; index < count; index += 1) {
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
    const { token } = await server.person('Sender');
    const dice = new Dice(2);
    for (let index = 0; index < count / 2; index += 1) {
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
            protocol: 1,
            calls: batch.filter((call) => call.lane !== '' || dice.happens(0.2)),
          })
        : dice.pick(['', '[]', '{', 'null', '{"protocol":2,"calls":[]}', '['.repeat(10_000)]);
      await refusedOrServed({
        method: 'POST',
        url: '/sync/1/batch',
        payload,
        headers: { authorization: `api ${token}` },
      });
    }
  });
});
