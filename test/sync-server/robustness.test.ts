import { Writable } from 'node:stream';

import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { Dice, oddRequest, type OddRequest, type Stock } from '#test/support/odd-requests.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

import { endpoints } from './routes.ts';

/** Odd requests per endpoint. */
const count = 100;
/** What no answer may hold: places in our code, words of the database. */
const inside = /\.ts:\d|node_modules|sqlite|at async |Error:|kysely/i;

let server: TestServer;
const failures: string[] = [];
/** Reading destroys nothing. */
let shared: Promise<Stock> | undefined;

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
  server = await startServer({ log });
  // Nothing here asks what a power cut would leave, and a thousand waits for the disk take long.
  await sql`PRAGMA synchronous = OFF`.execute(server.services.storage.writer);
  await server.category('Workshop');
  await server.category('Bench Grinder', 'Workshop', 'A double grinder.');
});

afterAll(async () => server[Symbol.asyncDispose]());

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

/** People and records of their own for one endpoint, so that what it destroys is missed by nobody. */
async function makeStock(number: number): Promise<Stock> {
  const author = await server.person(`Author${number}`);
  const admin = await server.person(`Admin${number}`, ['User', 'Author', 'Moderator', 'Admin']);
  const other = await server.person(`Other${number}`, ['User']);
  const guide = await makeGuide(author);
  const hidden = await makeGuide(author, false);
  const form = await makeForm(author, guide);
  const entry = (await author.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO' }))
    .body as { entryid: number };
  const comment = (await other.call('POST', `/comments/guide/${guide.guideid}`, { text: 'Hm' })).body as {
    commentid: number;
  };
  const stepids = [stepAt(guide, 0), stepAt(guide, 1), stepAt(hidden, 0)];
  return {
    tokens: [author.token, author.token, admin.token, other.token],
    revisionids: [
      guide.revisionid,
      hidden.revisionid,
      ...guide.steps.map((step) => step.revisionid),
      form.form_revisionid,
    ],
    ids: {
      guideid: [guide.guideid, hidden.guideid],
      guideids: [`${guide.guideid},${hidden.guideid}`],
      prerequisites: [guide.guideid, hidden.guideid],
      stepid: stepids,
      stepids,
      userid: [author.userid, admin.userid, other.userid],
      author: [author.userid, other.userid],
      entryid: [entry.entryid],
      commentid: [comment.commentid],
      context: ['guide', 'step', 'wiki', 'nothing'],
      contextid: [guide.guideid, hidden.guideid, stepAt(guide, 0)],
      form_revisionid: [form.form_revisionid],
      field_revisionid: form.fields.map((field) => field.field_revisionid),
      field_guid: form.fields.map((field) => field.field_guid),
      namespace: ['CATEGORY', 'ITEM', 'INFO', 'NOTHING'],
      title: ['Bench Grinder', 'Workshop'],
      categoryname: ['Bench Grinder'],
      category: ['Bench Grinder'],
      email: [`author${number}@example.com`],
      password: ['a long password', 'wrong'],
      tag: ['belt'],
      flags: ['GUIDE_IN_PROGRESS'],
      langid: ['en', 'de'],
      imageids: ['1,2,x'],
    },
  };
}

async function check(endpoint: Endpoint, request: OddRequest): Promise<number> {
  const { injected, ...sent } = request;
  const response = await server.app.inject(sent);
  const told = `${sent.method} ${sent.url.slice(0, 300)} ${JSON.stringify(sent.headers)} ${(sent.payload ?? '').slice(0, 600)}\n→ ${response.statusCode} ${response.body.slice(0, 600)}\n${failures.splice(0).join('').slice(0, 3000)}`;
  expect(response.statusCode, told).not.toBe(500);
  if (response.statusCode >= 400) expect(inside.test(response.body), told).toBe(false);
  expect(response.headers['x-request-id'], told).toMatch(/^[\w-]{12}$/);
  if (injected) expect(response.statusCode, told).toBeGreaterThanOrEqual(300);
  checkBody(endpoint, response, told);
  return response.statusCode;
}

function checkBody(endpoint: Endpoint, response: { statusCode: number; body: string }, told: string): void {
  if (response.statusCode === 204 || response.statusCode === 304) return expect(response.body, told).toBe('');
  const body: unknown = JSON.parse(response.body);
  if (response.statusCode < 300) {
    const parsed = endpoint.result?.safeParse(body);
    return expect(parsed?.error, told).toBeUndefined();
  }
  if (response.statusCode === 409) return expect(body, told).toBeTypeOf('object');
  expect([400, 401, 403, 404, 405, 422, 429, 501], told).toContain(response.statusCode);
  const shape = response.statusCode === 422 ? fieldProblem : problem;
  expect(shape.safeParse(body).error, told).toBeUndefined();
}

describe('S18 odd requests are refused in the documented shapes, and nothing fails', () => {
  test.each(endpoints)('%s', { timeout: 60_000 }, async (route, endpoint) => {
    const number = endpoints.findIndex(([name]) => name === route);
    const stock = endpoint.method === 'GET' ? await (shared ??= makeStock(-1)) : await makeStock(number);
    const dice = new Dice(1000 + number);
    const statuses = new Map<number, number>();
    for (let index = 0; index < count; index += 1) {
      const request = oddRequest(endpoint, stock, dice);
      const status = await check(endpoint, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.size).toBeGreaterThan(1);
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
    for (let index = 0; index < 2 * count; index += 1) {
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
    for (let index = 0; index < count; index += 1) {
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
