import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { selfSigned } from '#test/support/certificate.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

const configs = new URL('../../sync-server/packaging/proxies/', import.meta.url);

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchbook-proxies-'));
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'cert.pem'), selfSigned(keys, 'guides.example.org'));
  writeFileSync(join(folder, 'key.pem'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  server = await startServer({ trustProxy: ['127.0.0.1'] });
  await server.category('Bench Grinder');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => void probe.close(resolve));
  return port;
}

/** The documented settings of nginx, with ports and certificate of this test. */
function nginxArguments(port: number): string[] {
  const site = readFileSync(new URL('nginx.conf', configs), 'utf8')
    .replace('server 127.0.0.1:4020;', `server ${new URL(server.url).host};`)
    .replaceAll(/^ *listen \[::\].*$/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replace(/^server \{\n *listen 80;[\s\S]*?^\}/m, '')
    .replace(/ssl_certificate [^;]+;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
    .replace(/ssl_certificate_key [^;]+;/, `ssl_certificate_key ${join(folder, 'key.pem')};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const whole = `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
events {}
http { access_log off; ${temporary}
${site} }`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  return ['-c', join(folder, 'nginx.conf'), '-p', folder];
}

/** The documented settings of Caddy; it gets no certificate in a test, so that it uses the one of this test. */
function caddyArguments(port: number): string[] {
  const site = readFileSync(new URL('Caddyfile', configs), 'utf8')
    .replace(
      'guides.example.org {',
      `https://guides.example.org:${port} {\n\tbind 127.0.0.1\n\ttls ${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`,
    )
    .replace('127.0.0.1:4020', new URL(server.url).host);
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
}

const proxies = [
  { name: 'nginx', argumentsOf: nginxArguments },
  { name: 'caddy', argumentsOf: caddyArguments },
];

// Only the long run asks for programs that the project does not install. Debian: apt-get install nginx caddy
describe.runIf(isLongRun).each(proxies)('behind $name', ({ name, argumentsOf }) => {
  let end: () => Promise<unknown>;
  let port: number;
  beforeEach(async () => {
    port = await freePort();
    mkdirSync(join(folder, 'home'), { recursive: true });
    const child = spawn(name, argumentsOf(port), {
      stdio: 'ignore',
      env: { ...process.env, HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'home') },
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    end = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    await expect
      .poll(async () => (await call('GET', '/readyz').catch(() => null))?.status, { timeout: 30_000 })
      .toBe(200);
  });
  afterEach(() => end());

  interface Called {
    status: number;
    text: string;
  }

  function open(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = secureRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          servername: 'guides.example.org',
          rejectUnauthorized: false,
          headers: {
            Host: `guides.example.org:${port}`,
            ...headers,
            ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
          },
        },
        resolve,
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  async function call(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Called> {
    const answer = await open(method, path, headers, body);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  }

  test('a change reaches a connected device at once', async () => {
    const ana = await server.person(`Ana at ${name}`.replaceAll(' ', ''));
    const bootstrap = await fetch(`${server.url}/sync/1/bootstrap`, {
      headers: { Authorization: `api ${ana.token}` },
    });
    const { checkpoint } = JSON.parse((await bootstrap.text()).trim().split('\n').at(-1) ?? '{}') as {
      checkpoint: string;
    };
    const stream = await open('GET', `/sync/1/events?since=${checkpoint}`, {
      Authorization: `api ${ana.token}`,
    });
    expect(stream.statusCode).toBe(200);
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const made = await makeGuide(ana);
    await expect.poll(() => text, { timeout: 5000 }).toContain(`"${made.guideid}"`);
    stream.destroy();
  });

  test('a large upload passes through as it comes, and one that is too large is refused by the server', async () => {
    const ana = await server.person(`Upload at ${name}`.replaceAll(' ', ''));
    const headers = { Authorization: `api ${ana.token}`, 'Content-Type': 'application/octet-stream' };
    const path = '/api/2.0/user/media/documents?file=big.txt';
    const text = Buffer.from(randomBytes(30 * 1024 ** 2).toString('hex'));
    expect((await call('POST', path, headers, text)).status).toBe(200);
  });

  test('the server knows the address of the client, and a client cannot claim another one', async () => {
    const answer = await call('GET', '/api/2.0/info', {
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Host': 'evil.example.org',
    });
    expect(answer.text).not.toContain('evil.example.org');
    expect(answer.text).toContain('guides.example.org');
  });

  test('nobody outside reads the metrics', async () => {
    expect((await call('GET', '/metrics')).status).toBe(404);
    const { hostname, port: own } = new URL(server.url);
    const direct = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ hostname, port: own, path: '/metrics' }, resolve).once('error', reject).end();
    });
    direct.resume();
    expect(direct.statusCode).toBe(200);
  });
});
