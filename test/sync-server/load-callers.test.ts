import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { readConfig } from '#server/platform/config.ts';
import { Allowance } from '#server/media/uploads/allowance.ts';
import { defaultLimits } from '#server/http/limits.ts';
import { batchLimits } from '#shared/sync/wire.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { password } from '#test/support/approvals.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

test.each(['/api/2.0/sites/info', '/%61pi/2.0/sites/info', '/%61%70i/2%2E0/sites/info'])(
  'LOAD-9 requests without a token are limited by address, also for %s',
  async (path) => {
    await using small = await startServer({ limits: { anonymousPerMinute: 2 } });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      const response = await small.app.inject({ url: path, remoteAddress: `2001:db8:1:2::${count + 1}` });
      statuses.push(response.statusCode);
      if (response.statusCode === 429) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    const other = await small.app.inject({ url: path, remoteAddress: '2001:db8:1:3::1' });
    expect(other.statusCode).toBe(200);
  },
);

test('LOAD-10 devices are limited individually: a thousand behind one address and a queue of 50,000 calls get no 429', async () => {
  const { devicePerMinute, streams, connections, streamsOfDevice } = defaultLimits;
  const batches = Math.ceil(50_000 / batchLimits.calls);
  expect(devicePerMinute).toBeGreaterThan(50_000 + 2 * batches);
  expect([streams, connections].every((most) => most >= 2000) && streamsOfDevice > 1).toBe(true);
  // The same at a tenth of the size: devices behind one address send a queue just within their limit.
  await using small = await startServer({
    limits: { devicePerMinute: 105, anonymousPerMinute: 1, strangersOfAddress: 20 },
    checked: false,
  });
  const devices = await Promise.all(Array.from({ length: 10 }, (_, n) => small.person(`Device${n}`)));
  await Promise.all(
    devices.map(async ({ token, userid }, device) => {
      const calls = Array.from({ length: 100 }, (_, n) => ({
        id: `queue-${device}-${n}-call`,
        lane: `lane ${n}`,
        method: 'PATCH',
        path: `/users/${userid}`,
        body: { summary: `Number ${n}` },
      }));
      const response = await fetch(`${small.url}/sync/1/batch`, {
        method: 'POST',
        headers: { Authorization: `api ${token}` },
        body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
      });
      const lines = (await response.text()).trim().split('\n').slice(1);
      const statuses = lines.map((line) => (JSON.parse(line) as { status: number }).status);
      expect(statuses).toEqual(Array.from({ length: 100 }, () => 200));
    }),
  );
});

test("LOAD-11 only a trusted proxy can name the caller's address", async () => {
  await using small = await startServer({
    limits: { anonymousPerMinute: 1 },
    trustProxy: ['192.0.2.0/24'],
  });
  const ask = async (remoteAddress: string, forwarded: string) => {
    const { statusCode } = await small.app.inject({
      url: '/api/2.0/sites/info',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
    });
    return statusCode;
  };
  expect(await ask('192.0.2.9', '203.0.113.1')).toBe(200);
  expect(await ask('192.0.2.9', '203.0.113.2')).toBe(200);
  expect(await ask('192.0.2.9', '203.0.113.1')).toBe(429);
  // Values that the caller wrote before the proxy did do not count.
  expect(await ask('192.0.2.9', '1.2.3.4, 203.0.113.1')).toBe(429);
  expect(await ask('198.51.100.1', '203.0.113.3')).toBe(200);
  expect(await ask('198.51.100.1', '203.0.113.4')).toBe(429);
});

test('LOAD-11 only a trusted proxy can name the requested host and scheme', async () => {
  await using small = await startServer({ trustProxy: ['192.0.2.0/24'] });
  const { token } = await small.person('Ina');
  const headers = {
    authorization: `api ${token}`,
    host: 'guides.example.org',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  const urls: string[] = [];
  for (const remoteAddress of ['192.0.2.9', '198.51.100.1']) {
    const { body } = await small.app.inject({ url: '/api/2.0/users', remoteAddress, headers });
    urls.push(...(JSON.parse(body) as { url: string }[]).map(({ url }) => url));
  }
  expect(urls[0]).toMatch(/^https:/);
  expect(urls[1]).toMatch(/^http:\/\/guides\.example\.org\//);
});

test('LOAD-11 proxies are configured as addresses or networks, and an untrusted one is logged once', async () => {
  const args = ['--trust-proxy', '10.0.0.0/8', '--trust-proxy', '::1'];
  expect(readConfig(args, {})?.trustProxy).toEqual(['10.0.0.0/8', '::1']);
  expect(readConfig([], { BENCHBOOK_TRUST_PROXY: '10.0.0.5, 10.0.0.6' })?.trustProxy).toHaveLength(2);
  expect(() => readConfig(['--trust-proxy', 'everybody'], {})).toThrow('address or a network');
  const lines: string[] = [];
  await using small = await startServer({ log: memoryLog(lines) });
  for (let count = 0; count < 2; count += 1)
    await small.app.inject({ url: '/healthz', headers: { 'x-forwarded-for': '203.0.113.1' } });
  expect(lines.filter((line) => line.includes('--trust-proxy'))).toHaveLength(1);
});

test('LOAD-12 the bytes of files that a person sends per day are limited', () => {
  let now = 0;
  const allowance = new Allowance(
    () => now,
    () => 100,
  );
  allowance.count(1, 60);
  expect(() => allowance.mustHave(1, 50)).toThrow(
    expect.objectContaining({ status: 429, code: 'upload-quota' }),
  );
  allowance.count(2, 100);
  now = 24 * 3_600_000;
  allowance.count(1, 100);
});

async function signIn(
  target: TestServer,
  { from, email, word = 'wrong', key }: { from: string; email: string; word?: string; key?: string },
) {
  const { statusCode, headers, body } = await target.app.inject({
    method: 'POST',
    url: '/api/2.0/user/token',
    remoteAddress: from,
    payload: { email, password: word, ...(key === undefined ? {} : { device_key: key }) },
  });
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    key: (JSON.parse(body) as { deviceKey?: string }).deviceKey,
  };
}

test('LOAD-13 many addresses share thirty guesses at an account; its owner signs in on a known device', async () => {
  let now = Date.now();
  await using small = await startServer({ now: () => now });
  await small.person('Dora');
  const email = 'dora@example.com';
  const word = password;
  const { key } = await signIn(small, { from: '198.51.100.7', email, word });
  const statuses: number[] = [];
  for (let count = 0; count < 48; count += 1)
    statuses.push((await signIn(small, { from: `203.0.113.${count % 6}`, email })).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  const stranger = await signIn(small, { from: '203.0.113.99', email, word });
  expect(stranger.status).toBe(429);
  expect(Number(stranger.retryAfter)).toBeGreaterThan(0);
  expect((await signIn(small, { from: '198.51.100.7', email, word })).status).toBe(201);
  expect((await signIn(small, { from: '203.0.113.98', email, word, key: must(key, 'a key') })).status).toBe(
    201,
  );
  expect((await signIn(small, { from: '203.0.113.97', email, word, key: 'a guess' })).status).toBe(429);
  // A missing account is throttled in the same way.
  for (let count = 0; count < 30; count += 1)
    await signIn(small, { from: `203.0.114.${count % 6}`, email: 'nobody@example.com' });
  expect((await signIn(small, { from: '203.0.114.99', email: 'nobody@example.com' })).status).toBe(429);
  now += 301_000;
  expect((await signIn(small, { from: '203.0.113.99', email, word })).status).toBe(201);
});

test('LOAD-14 an address or IPv6 /64 that tries many accounts must wait, others do not', async () => {
  const now = Date.now();
  await using small = await startServer({ now: () => now });
  await small.person('Emil');
  const statuses: number[] = [];
  for (let count = 0; count < 120; count += 1)
    statuses.push(
      (await signIn(small, { from: `2001:db8:1:2::${count + 1}`, email: `p${count}@example.com` })).status,
    );
  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  expect(statuses.slice(100).every((status) => status === 429)).toBe(true);
  const word = password;
  expect((await signIn(small, { from: '2001:db8:1:2::ffff', email: 'emil@example.com', word })).status).toBe(
    429,
  );
  expect((await signIn(small, { from: '2001:db8:1:3::1', email: 'emil@example.com', word })).status).toBe(
    201,
  );
});

test('LOAD-14 simultaneous attempts are counted together', async () => {
  const now = Date.now();
  await using small = await startServer({ now: () => now });
  await small.person('Finn');
  const tries = await Promise.all(
    Array.from({ length: 45 }, (_, n) =>
      signIn(small, { from: `203.0.113.${n}`, email: 'finn@example.com' }),
    ),
  );
  expect(tries.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(30);
  expect(tries.every(({ status }) => status === 401 || status === 429)).toBe(true);
});
