import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { apiPrefix, get } from '#shared/api/endpoint.ts';
import { theServer } from '#server/storage/audit/origin.ts';
import { Damage } from '#server/storage/damage.ts';
import { installErrors } from '#server/http/errors.ts';
import { installEtag } from '#server/http/etag.ts';
import { handle } from '#server/http/handle.ts';
import { installResponseCache } from '#server/http/response-cache.ts';
import { mountResources } from '#server/http/mount.ts';
import { installRequestLog } from '#server/http/request-viewer.ts';
import { changeSite } from '#server/core/site.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { openTestStorage } from '#test/support/test-storage.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
const logged: string[] = [];
let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;

/** Calls that count how often they were executed; one waits for `held` meanwhile. */
const result = z.object({ made: z.number(), userid: z.number(), title: z.string() });
const counted = {
  lasting: get('/counted', { summary: 'Count', access: 'public', result, lasts: 'until-written' }),
  second: get('/counted/second', { summary: 'Count', access: 'public', result, lasts: 'one-second' }),
  asked: get('/counted/asked', {
    summary: 'Count',
    access: 'public',
    query: z.object({ offset: z.coerce.number().optional(), limit: z.coerce.number().optional() }),
    result,
    lasts: 'until-written',
  }),
  held: get('/counted/held', { summary: 'Count', access: 'public', result, lasts: 'until-written' }),
  never: get('/counted/never', { summary: 'Count', access: 'public', result }),
};
let made = 0;
let held: Promise<unknown> = Promise.resolve();
let app: FastifyInstance;

beforeAll(async () => {
  const log = memoryLog(logged, 'info');
  server = await startServer({ now: () => clock.now, log });
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  const answer = async (
    _: unknown,
    { viewer, services }: { viewer: { userid: number }; services: TestServer['services'] },
  ): Promise<z.infer<typeof result>> => {
    made += 1;
    return { made, userid: viewer.userid, title: services.site.title };
  };
  const table = handle(counted, {
    lasting: answer,
    second: answer,
    asked: answer,
    never: answer,
    held: async (input, ctx) => {
      await held;
      return answer(input, ctx);
    },
  });
  const loggerInstance: FastifyBaseLogger = server.services.log;
  app = fastify({ loggerInstance });
  installErrors(app, { damage: new Damage() });
  installResponseCache(app);
  installEtag(app);
  installRequestLog(app);
  await mountResources(app, [table], server.services);
});
afterEach(() => changeSite(server.services, { private: false, title: 'Benchbook' }));
afterAll(async () => {
  await app.close();
  await server[Symbol.asyncDispose]();
});

interface Asked {
  status: number;
  made: number;
  body: string;
  headers: Record<string, unknown>;
}

async function ask(
  path = '/counted',
  person?: TestPerson,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Asked> {
  const signedIn = person === undefined ? {} : { authorization: `api ${person.token}` };
  const answer = await app.inject({ method, url: apiPrefix + path, headers: { ...signedIn, ...headers } });
  const { made: count = 0 } =
    answer.statusCode === 200 && method === 'GET' ? answer.json<{ made?: number }>() : {};
  return { status: answer.statusCode, made: count, body: answer.body, headers: answer.headers };
}

/** Any write: a person's profile is unrelated to the calls above. */
const write = (): Promise<unknown> => ana.call('PATCH', `/users/${ana.userid}`, { summary: `After ${made}` });

it('CACHE-1 a response is made once per caller and address, complete with its headers', async () => {
  const first = await ask('/counted', ana);
  expect(await ask('/counted', ana)).toEqual({
    ...first,
    headers: { ...first.headers, date: expect.any(String) },
  });
  expect(await ask('/counted', ana)).toMatchObject({ made: first.made });
  const [others, nobodys] = [await ask('/counted', ben), await ask('/counted')];
  expect(JSON.parse(others.body)).toMatchObject({ made: first.made + 1, userid: ben.userid });
  expect(JSON.parse(nobodys.body)).toMatchObject({ made: first.made + 2, userid: 0 });
  expect((await ask('/counted/asked?offset=1', ana)).made).toBe(first.made + 3);
  expect((await ask('/counted', ana, { host: 'other.example.org' })).made).toBe(first.made + 4);
  expect((await ask('/counted', ana)).made).toBe(first.made);
});

it('CACHE-10 unknown query parameters share the same cached response', async () => {
  const first = await ask('/counted/asked?offset=1&limit=2');
  for (const query of ['offset=1&limit=2&x=1', 'x=2&limit=2&y&offset=1', 'offset=7&offset=1&limit=2'])
    expect([query, (await ask(`/counted/asked?${query}`)).made]).toEqual([query, first.made]);
  let { made: last } = first;
  for (const query of [
    'offset=2&limit=2',
    'offset=1',
    'offset=1&limit=2&langid=de',
    'offset=1&limit=2&pretty',
  ]) {
    expect([query, (await ask(`/counted/asked?${query}`)).made]).toEqual([query, last + 1]);
    last += 1;
  }
});

it('CACHE-2 any write invalidates it, also by another process', async () => {
  const first = await ask();
  await write();
  const second = await ask();
  expect(second.made).toBe(first.made + 1);
  await using other = await openTestStorage(server.dataDir);
  const origin = { userid: null, name: theServer.name, action: 'test' };
  await other.write(origin, (tx) =>
    tx.updateTable('users').set({ username: 'Benno' }).where('userid', '=', ben.userid).execute(),
  );
  expect((await ask()).made).toBe(second.made + 1);
});

it('CACHE-3 so does a changed setting of the site', async () => {
  const before = await ask();
  await changeSite(server.services, { title: 'Other' });
  expect(JSON.parse((await ask()).body)).toMatchObject({ made: before.made + 1, title: 'Other' });
  expect((await ask()).made).toBe(before.made + 1);
  await changeSite(server.services, { private: true });
  expect((await ask()).status).toBe(401);
});

it('CACHE-4 an ended token is refused immediately, whatever is cached for it', async () => {
  const gone = await server.person('Gone');
  expect((await ask('/counted', gone)).status).toBe(200);
  expect((await ask('/counted', gone)).status).toBe(200);
  await gone.call('DELETE', '/user/token');
  expect((await ask('/counted', gone)).status).toBe(401);
  const late = await server.person('Late');
  const first = await ask('/counted', late);
  expect((await ask('/counted', late)).made).toBe(first.made);
  // Nothing is written when a token expires.
  clock.now += 91 * 24 * 3600 * 1000;
  expect((await ask('/counted', late)).status).toBe(401);
  clock.now -= 91 * 24 * 3600 * 1000;
});

it('CACHE-5 a response that depends on the clock is cached until the next second', async () => {
  const first = await ask('/counted/second');
  expect((await ask('/counted/second')).made).toBe(first.made);
  clock.now += 1000;
  expect((await ask('/counted/second')).made).toBe(first.made + 1);
});

it('CACHE-6 a response made during a write is not cached', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const asked = ask('/counted/held');
  await write();
  gate.resolve();
  const first = await asked;
  const second = await ask('/counted/held');
  expect(second.made).toBe(first.made + 1);
  expect((await ask('/counted/held')).made).toBe(second.made);
});

it('CACHE-7 a caller that demands a fresh response gets one, and a caller that has it gets 304', async () => {
  const first = await ask();
  expect((await ask('/counted', undefined, { 'cache-control': 'no-cache' })).made).toBe(first.made + 1);
  expect((await ask()).made).toBe(first.made);
  const { etag, ...others } = first.headers;
  const known = await ask('/counted', undefined, { 'if-none-match': String(etag) });
  expect(known).toMatchObject({ status: 304, body: '', headers: { etag, vary: others['vary'] } });
  expect(known.headers['content-type']).toBeUndefined();
  const head = await ask('/counted', undefined, {}, 'HEAD');
  expect(head).toMatchObject({ status: 200, body: '' });
});

it('CACHE-8 an endpoint without a declared lifetime is never cached', async () => {
  const first = await ask('/counted/never', ana);
  expect((await ask('/counted/never', ana)).made).toBe(first.made + 1);
});

it('CACHE-9 a cached response is logged with its caller, counted for limits, and has its own request id', async () => {
  const url = `${server.url}${apiPrefix}/guides?limit=7`;
  const headers = { Authorization: `api ${ben.token}`, Origin: 'https://shop.example' };
  await changeSite(server.services, { requests_per_minute: 3, cors_origins: ['https://shop.example'] });
  const answers: Response[] = [];
  for (let count = 0; count < 4; count += 1)
    answers.push(await fetch(url, { headers: { ...headers, 'X-Request-Id': `kept-${count}` } }));
  await changeSite(server.services, { requests_per_minute: null });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  const seen = answers.slice(0, 3).map((answer) => ({
    id: answer.headers.get('X-Request-Id'),
    left: answer.headers.get('RateLimit-Remaining'),
    origins: answer.headers.get('Access-Control-Allow-Origin'),
    total: answer.headers.get('X-Total-Count'),
    tag: answer.headers.get('ETag'),
  }));
  const [{ tag, total } = { tag: null, total: null }] = seen;
  expect(total).toBe('0');
  expect(seen).toEqual(
    ['2', '1', '0'].map((left, count) => ({
      id: `kept-${count}`,
      left,
      origins: 'https://shop.example',
      total,
      tag,
    })),
  );
  await expect
    .poll(() => logged.map((line) => JSON.parse(line) as object))
    .toContainEqual(
      expect.objectContaining({ msg: 'request', reqId: 'kept-2', status: 200, userid: ben.userid }),
    );
});
