import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { HostOrigins, PortOrigins, type ModulePorts } from '#server/features/training/origins.ts';
import { selfSigned } from '#test/support/certificate.ts';
import { RawHttp } from '#test/support/raw-http.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { scorm12, xapi, type Files } from '#test/support/training-packages.ts';
import { assigned, opened, page, playerOf, type Started } from '#test/support/training-world.ts';

const app = (listensAt: string, ...named: string[]) => ({ named: () => named, listensAt: () => listensAt });
const range = { first: 5001, last: 5003, areNamed: true };

/** Ports of which some are taken; a request for any port returns 60000. */
function portsWith(ports: ModulePorts, about: ReturnType<typeof app>, taken: number[] = []) {
  const asked: number[] = [];
  const origins = new PortOrigins(ports, about, async (port) => {
    asked.push(port);
    if (taken.includes(port)) throw new Error('EADDRINUSE');
    return port === 0 ? 60_000 : port;
  });
  return { origins, asked };
}

test("TRAINING-22 a module's port follows from its number, is opened once, and serves no other module", async () => {
  const { origins, asked } = portsWith(range, app('http://127.0.0.1:4020'));
  const both = await Promise.all([1, 1].map((one) => origins.open(one, 'http://192.168.4.5:4020')));
  expect(both).toEqual(['http://192.168.4.5:5001', 'http://192.168.4.5:5001']);
  expect(await origins.open(3, 'http://[::1]:4020')).toBe('http://[::1]:5003');
  expect(asked).toEqual([5001, 5003]);
  expect(origins.at(1, '192.168.4.5:5001')).toBe('http://192.168.4.5:5001');
  for (const host of ['192.168.4.5:5003', '192.168.4.5:5002', '192.168.4.5', '', ':', 'a b:5001'])
    expect(origins.at(1, host)).toBeNull();
  expect(origins.appOrigins('192.168.4.5:5001')).toEqual(['http://192.168.4.5:4020']);
});

test('TRAINING-22 a module without a port is refused with a message that says what to configure', async () => {
  const { origins } = portsWith(range, app('http://127.0.0.1:4020'), [5002]);
  await expect(origins.open(4, 'http://127.0.0.1:4020')).rejects.toThrow('--module-port 5001-5103');
  await expect(origins.open(2, 'http://127.0.0.1:4020')).rejects.toThrow(
    'The port of this module, 5002, is taken by another program. Free it, or choose other ports with --module-port',
  );
  // If no ports were configured, any free one replaces a taken one.
  const unnamed = portsWith({ ...range, areNamed: false }, app('http://127.0.0.1:4020'), [5002]);
  expect(await unnamed.origins.open(2, 'http://127.0.0.1:4020')).toBe('http://127.0.0.1:60000');
});

test('TRAINING-22 behind a proxy, modules are refused until they have their own host names', async () => {
  const words = '--module-origin https://*.modules.example.org';
  const direct = app('http://127.0.0.1:4020', 'https://guides.example.org', 'http://bench:8080');
  const { origins } = portsWith(range, direct);
  for (const seen of ['https://guides.example.org', 'https://guides.example.org:4020', 'http://bench:9090'])
    await expect(origins.open(1, seen)).rejects.toThrow(words);
  // Ports that somebody led here on purpose, as containers do.
  expect(await origins.open(1, 'http://bench:8080')).toBe('http://bench:5001');
  const { origins: unnamed } = portsWith({ ...range, areNamed: false }, direct);
  await expect(unnamed.open(1, 'http://bench:8080')).rejects.toThrow(words);
});

test("TRAINING-22 a module's host name follows from its number, if the server knows its public address", async () => {
  const origins = new HostOrigins(
    'https://*.modules.example.org',
    app('http://127.0.0.1:4020', 'https://guides.example.org'),
  );
  expect(await origins.open(7, 'https://guides.example.org')).toBe('https://m7.modules.example.org');
  await expect(origins.open(7, 'http://guides.example.org')).rejects.toThrow('start it with --origin');
  expect(origins.at(7, 'M7.modules.example.org')).toBe('https://m7.modules.example.org');
  for (const host of ['m8.modules.example.org', 'm7.modules.example.org:8443', 'm7.example.org', ''])
    expect(origins.at(7, host)).toBeNull();
  expect(origins.appOrigins()).toEqual(['https://guides.example.org', 'http://127.0.0.1:4020']);
});

/** Two modules that Ben has open. */
async function twoOpen(server: TestServer, files: Files) {
  const author = await server.person('Ana', ['User', 'Author']);
  const learner = await server.person('Ben', ['User']);
  const addresses: string[] = [];
  for (const title of ['one', 'two']) {
    const { moduleid } = await assigned(server, author, learner, files, { title });
    addresses.push(await opened((await playerOf(learner, moduleid)).url));
  }
  const [one = '', two = ''] = addresses;
  return { one, two, learner };
}

test("TRAINING-22 a module's origin serves no other module and accepts no statement of its learners", async () => {
  await using server = await startServer();
  const { one, two } = await twoOpen(server, xapi());
  expect(new URL(one).origin).not.toBe(new URL(two).origin);
  const wrong = `${new URL(two).origin}${new URL(one).pathname}`;
  for (const path of ['', 'launch.json', 'content/content/index.html'])
    expect((await page(wrong, path)).status).toBe(404);
  expect((await page(wrong, 'activities/0/launch', { method: 'POST' })).status).toBe(404);
  const { body } = await page<Started>(one, 'activities/0/launch', { method: 'POST' });
  const auth = { Authorization: new URL(body.url).searchParams.get('auth') ?? '' };
  expect((await page(one, '/lrs/statements', { headers: auth })).status).toBe(200);
  expect((await page(wrong, '/lrs/statements', { headers: auth })).status).toBe(404);
});

test("TRAINING-22 a module behind a trusted proxy cannot pretend to be at another module's origin", async () => {
  await using server = await startServer({ trustProxy: ['127.0.0.1'] });
  const { one, two } = await twoOpen(server, xapi());
  const wrong = `${new URL(two).origin}${new URL(one).pathname}`;
  const headers = { 'X-Forwarded-Host': new URL(one).host };
  for (const path of ['', 'launch.json', 'content/content/index.html']) {
    expect((await page(one, path, { headers })).status).toBe(200);
    expect((await page(wrong, path, { headers })).status).toBe(404);
  }
});

test('TRAINING-20 every response of the player has a policy, and modules can be framed only by the app', async () => {
  await using server = await startServer({ origins: ['https://guides.example.org'] });
  const { one, learner } = await twoOpen(server, scorm12());
  const { origin, pathname } = new URL(one);
  using http = new RawHttp(origin, 1);
  const asked = [
    '/',
    '/%zz',
    '/nowhere',
    '/player/player.js',
    '/player/closed',
    '/lrs/about',
    '/lrs/statements',
  ];
  for (const url of [
    ...asked,
    pathname,
    `${pathname}content/content/index.html`,
    `${pathname}content/none`,
  ]) {
    const { headers } = await http.send({ method: 'GET', url, headers: {} });
    expect([url, headers]).toEqual([
      url,
      expect.objectContaining({
        'content-security-policy': expect.stringMatching(/sandbox/),
        'connection-allowlist': '(response-origin)',
        'origin-agent-cluster': '?1',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      }),
    ]);
  }
  // A response without the file (304) has the policy of the file, because browsers adopt it.
  const file = `${pathname}content/content/index.html`;
  const { headers: first } = await http.send({ method: 'GET', url: file, headers: {} });
  const same = await http.send({ method: 'GET', url: file, headers: { 'if-none-match': first.etag ?? '' } });
  expect([same.statusCode, same.headers['content-security-policy']]).toEqual([
    304,
    first['content-security-policy'],
  ]);
  expect(first['cache-control']).toBe('private, no-cache');
  const policyAt = async (url: string): Promise<string> =>
    String((await http.send({ method: 'GET', url, headers: {} })).headers['content-security-policy']);
  const frames = /frame-ancestors ([^;]+);/;
  expect(frames.exec(await policyAt(pathname))?.[1]).toBe(`https://guides.example.org ${server.url}`);
  expect(frames.exec(await policyAt(`${pathname}content/content/index.html`))?.[1]).toBe(
    `'self' https://guides.example.org ${server.url}`,
  );
  for (const headers of [
    { 'sec-fetch-dest': 'document' },
    { 'sec-fetch-dest': 'embed' },
    { 'service-worker': 'script' },
  ]) {
    const answer = await http.send({ method: 'GET', url: pathname, headers });
    expect([answer.statusCode, answer.headers['content-security-policy']]).toEqual([
      403,
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    ]);
  }
  // The app's page around it: no script, one frame, cannot be framed.
  const frame = await fetch(`${server.url}/modules/play/${pathname.split('/')[2] ?? ''}`);
  expect(frame.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'self'; img-src data:; frame-src ${origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(await frame.text()).toContain(
    '<iframe title="Lockout" sandbox="allow-scripts allow-same-origin allow-forms" credentialless allow="autoplay"',
  );
  expect((await fetch(`${server.url}/modules/play/${learner.token}`)).status).toBe(401);
});

test('TRAINING-22 a server with TLS serves modules with TLS', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const cert = Buffer.from(selfSigned(keys, '127.0.0.1'));
  const key = Buffer.from(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await using server = await startServer({ tls: { cert, key } });
  const origin = await server.services.training.origins.open(1, server.url);
  expect(origin).toMatch(/^https:/);
  const asked = get(origin, { ca: cert, checkServerIdentity: () => undefined });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['content-security-policy']]).toEqual([
    404,
    expect.stringContaining('sandbox'),
  ]);
  answer.destroy();
});

test('TRAINING-22 open modules continue after a restart of the server', async () => {
  await using dir = await temporaryFolder('module-restart');
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  // Ports that stay the same after the restart.
  const settings = { dataDir: dir.path, modules: { ports: { first: port, last: 65_535, areNamed: false } } };
  let one = '';
  {
    await using server = await startServer(settings);
    ({ one } = await twoOpen(server, scorm12()));
    expect(Number(new URL(one).port)).toBe(port);
  }
  await expect(page(one, 'launch.json')).rejects.toThrow('fetch failed');
  await using _again = await startServer(settings);
  expect((await page(one, 'launch.json')).status).toBe(200);
});
