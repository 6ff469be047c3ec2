import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

const shop = 'https://shop.example';
const logged: string[] = [];
let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer({ log: memoryLog(logged), origins: ['https://guides.example.org'] });
  ana = await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

interface Asked {
  method?: string;
  host?: string;
  origin?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Another server. */
  base?: string;
}

/** A request with the headers of a browser, including `Host`; `allowed` is the origin that may read the response. */
async function ask(
  path: string,
  { method = 'GET', host, origin, token, headers, body, base = server.url }: Asked = {},
) {
  return new Promise<{ status: number; allowed: string | undefined; vary: string; headers: object }>(
    (resolve, reject) => {
      const sent = request(`${base}${path}`, {
        method,
        headers: {
          ...(host === undefined ? {} : { Host: host }),
          ...(origin === undefined ? {} : { Origin: origin }),
          ...(token === undefined ? {} : { Authorization: `api ${token}` }),
          ...headers,
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            allowed: response.headers['access-control-allow-origin'],
            vary: response.headers.vary ?? '',
            headers: response.headers,
          }),
        );
      });
      sent.end(body);
    },
  );
}

const preflight = (path: string, verb: string, names = '', origin = shop) =>
  ask(path, {
    method: 'OPTIONS',
    origin,
    headers: {
      'Access-Control-Request-Method': verb,
      ...(names === '' ? {} : { 'Access-Control-Request-Headers': names }),
    },
  });

const people = '/api/2.0/users';
const readable = [
  people,
  '/api/2.0/guides',
  '/api/2.0/sites/info',
  '/sync/1/pull',
  '/healthz',
  '/api/2.0/none',
];
const strangers = [
  shop,
  'null',
  'http://127.0.0.1:1',
  'http://guides.example.org',
  'https://guides.example.org.evil.example',
  'benchbook://app.evil',
  'file://',
];

describe('pages of other origins', () => {
  it('ORIGIN-1 pages of other origins read nothing that the site does not allow, with or without a token', async () => {
    for (const origin of strangers)
      for (const path of readable) {
        expect((await ask(path, { origin })).allowed, `${origin} ${path}`).toBeUndefined();
        expect((await ask(path, { origin, token: ana.token })).allowed, `${origin} ${path}`).toBeUndefined();
        expect((await preflight(path, 'GET', 'authorization', origin)).allowed).toBeUndefined();
        expect((await preflight(path, 'POST', '', origin)).allowed).toBeUndefined();
      }
    const signIn = JSON.stringify({ email: 'ana@example.com', password: 'a long password' });
    const signedIn = await ask('/api/2.0/user/token', { method: 'POST', origin: shop, body: signIn });
    expect([signedIn.status, signedIn.allowed]).toEqual([201, undefined]);
    await changeSite(server.services, { cors_origins: [shop] });
    expect((await ask(people, { origin: shop })).allowed).toBe(shop);
    expect((await ask(people, { origin: shop, token: ana.token })).allowed).toBe(shop);
    expect((await ask(people, { origin: `${shop}.evil` })).allowed).toBeUndefined();
    const asked = await preflight(people, 'PATCH', 'authorization,if-match');
    expect(asked).toMatchObject({ status: 204, allowed: shop });
    await changeSite(server.services, { cors_origins: [] });
    expect((await ask(people, { origin: shop })).allowed).toBeUndefined();
  });

  it('ORIGIN-2 pages of the desktop app and of the server itself are always allowed', async () => {
    const { port } = new URL(server.url);
    for (const origin of ['benchbook://app', 'https://guides.example.org', `http://localhost:${port}`]) {
      expect((await ask(people, { origin, token: ana.token })).allowed).toBe(origin);
      expect((await preflight('/sync/1/batch', 'POST', 'authorization', origin)).allowed).toBe(origin);
    }
    await changeSite(server.services, { address: 'https://site.example.org' });
    expect((await ask(people, { origin: 'https://site.example.org' })).allowed).toBe(
      'https://site.example.org',
    );
    await changeSite(server.services, { address: null });
  });

  it('ORIGIN-3 where all origins are allowed, pages read only what needs no sign-in', async () => {
    await changeSite(server.services, { cors_origins: ['any'] });
    expect((await ask(people, { origin: shop })).allowed).toBe('*');
    expect((await ask(people, { origin: shop, token: ana.token })).allowed).toBeUndefined();
    expect(
      (await ask('/api/2.0/user/token', { method: 'POST', origin: shop, body: '{}' })).allowed,
    ).toBeUndefined();
    expect((await preflight(people, 'GET', 'x-app-id')).allowed).toBe('*');
    const told = await preflight(people, 'GET', 'x-app-id');
    expect(told.headers).not.toMatchObject({
      'access-control-allow-headers': expect.stringMatching(/authorization/i),
    });
    for (const [verb, names] of [
      ['GET', 'x-app-id, Authorization'],
      ['POST', ''],
      ['DELETE', ''],
    ] as const)
      expect((await preflight(people, verb, names)).allowed, verb).toBeUndefined();
    await changeSite(server.services, { cors_origins: [] });
  });

  it('ORIGIN-4 caches keep the responses for each origin apart', async () => {
    for (const origin of [undefined, shop, 'benchbook://app'])
      for (const path of [people, '/api/2.0/guides'])
        expect((await ask(path, origin === undefined ? {} : { origin })).vary).toContain('Origin');
  });

  it('ORIGIN-5 a refused origin is logged once', async () => {
    logged.length = 0;
    for (let count = 0; count < 3; count += 1) await ask(people, { origin: 'https://new.example' });
    const lines = logged.filter((line) => line.includes('https://new.example'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('cors_origins');
  });

  it('ORIGIN-6 a page gains nothing by a host name of its own that resolves to this server', async () => {
    await changeSite(server.services, { cors_origins: [] });
    for (const host of [
      'evil.example',
      'evil.example:4020',
      'guides.example.org.evil.example',
      'localhost.evil.example',
    ])
      for (const path of [
        people,
        '/%61pi/2.0/users',
        '/API/2.0/users/../users',
        '/api//2.0/users',
        '/api/2.0/sites/info',
        '/sync/1/pull',
        '/omanual',
      ])
        expect([401, 404], `${host} ${path}`).toContain(
          (await ask(path, { host, origin: `http://${host}` })).status,
        );
    const { host: own, port } = new URL(server.url);
    for (const host of [
      'guides.example.org',
      'GUIDES.example.org:8443',
      own,
      `localhost:${port}`,
      '10.1.2.3',
      '[::1]:4020',
      'benchbook:4020',
      'a.localhost',
    ])
      expect([host, (await ask(people, { host })).status]).toEqual([host, 200]);
    expect((await ask(people, { host: 'bench.local', token: ana.token })).status).toBe(200);
    expect((await ask('/healthz', { host: 'bench.local' })).status).toBe(200);
    await using unnamed = await startServer();
    const answer = await fetch(`${unnamed.url}${people}`, { headers: { Host: 'bench.local' } });
    expect(answer.status).toBe(200);
  });

  it('ORIGIN-6 a page gains nothing by sending proxy headers through a proxy that passes them on', async () => {
    await using behind = await startServer({
      trustProxy: ['127.0.0.1'],
      origins: ['https://guides.example.org'],
    });
    const from = (host: string, headers: Record<string, string>, path = people) =>
      ask(path, { host, headers, base: behind.url }).then(({ status }) => status);
    const forged = ['guides.example.org', 'x, guides.example.org', '127.0.0.1', 'benchbook', '[::1]', ''];
    for (const named of forged)
      for (const path of [people, '/sync/1/pull', '/omanual', '/Story/1', '/News/1'])
        expect(await from('evil.example', { 'X-Forwarded-Host': named }, path), `${named} ${path}`).toBe(401);
    // A proxy with its own name, which sends the requested host.
    expect(await from('benchbook:4020', { 'X-Forwarded-Host': 'guides.example.org' })).toBe(200);
    expect(await from('benchbook:4020', { 'X-Forwarded-Host': 'evil.example' })).toBe(401);
    expect(await from('benchbook:4020', { 'X-Forwarded-Host': 'guides.example.org, evil.example' })).toBe(
      401,
    );
    expect(await from('guides.example.org', { 'X-Forwarded-Host': 'guides.example.org' })).toBe(200);
  });

  it('ORIGIN-7 pages cannot embed API responses as a picture or script', async () => {
    for (const path of readable.filter((one) => one !== '/healthz'))
      expect((await ask(path)).headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
  });

  it('LIST-10 a page of a listed origin may send X-CSRF and X-ALLOW-HTTP and read the headers it needs', async () => {
    await changeSite(server.services, { cors_origins: [shop] });
    const asked = await fetch(`${server.url}/api/2.0/guides`, {
      method: 'OPTIONS',
      headers: {
        Origin: shop,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-csrf,x-allow-http,authorization,x-app-id,content-type',
      },
    });
    const allowed = (asked.headers.get('access-control-allow-headers') ?? '').toLowerCase();
    for (const name of [
      'x-csrf',
      'x-allow-http',
      'authorization',
      'x-app-id',
      'content-type',
      'x-request-id',
    ])
      expect(allowed).toContain(name);
    expect(Number(asked.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    const answer = await fetch(`${server.url}/api/2.0/guides?limit=1`, { headers: { Origin: shop } });
    const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase();
    for (const name of ['etag', 'link', 'x-total-count', 'retry-after', 'x-request-id'])
      expect(exposed).toContain(name);
    await changeSite(server.services, { cors_origins: [] });
  });
});
