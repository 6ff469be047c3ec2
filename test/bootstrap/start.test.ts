import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { memorySettings } from '#server/bootstrap/memory.ts';
import { runCli } from '#server/cli/program.ts';
import { readConfig } from '#server/platform/config.ts';
import { startServer } from '#server/main.ts';
import { soon } from '#test/support/soon.ts';
import { makePlace, type Place } from '#test/support/start-process.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';

const tls = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const small = ['--no-demo', '--port', '0'];

/** What a start that cannot succeed says: one plain sentence, and nothing else. */
async function refusal(place: Place, args: string[], env: Record<string, string> = {}): Promise<string> {
  const started = place.start(args, env);
  const code = await started.ended;
  expect({ code, out: started.output.out }).toEqual({ code: 1, out: '' });
  const { err } = started.output;
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).not.toMatch(/\bat .*:\d+|Error:/);
  return err.trimEnd();
}

test('START-1 unusable settings are refused in one plain sentence', async () => {
  using place = makePlace();
  const data = join(place.dir, 'data');
  writeFileSync(join(place.dir, 'file'), 'no folder');
  const cert = tls('cert.pem');
  const at = ['--data', data];
  const range = 'The port must be a number between 0 and 65535.';
  expect(await refusal(place, [...at, '--port', 'abc'])).toBe(range);
  expect(await refusal(place, at, { BENCHBOOK_PORT: '65536' })).toBe(range);
  expect(await refusal(place, ['--frobnicate'])).toBe(
    "Unknown option '--frobnicate'; --help lists the options.",
  );
  expect(await refusal(place, ['--data', join(place.dir, 'file', 'below')])).toBe(
    `The data folder ${join(place.dir, 'file', 'below')} cannot be written to; name another one with --data.`,
  );
  if (process.platform === 'linux') {
    const words = 'The data folder /proc/nope cannot be written to; name another one with --data.';
    expect(await refusal(place, ['--data', '/proc/nope'])).toBe(words);
  }
  expect(await refusal(place, [...at, '--tls-cert', cert])).toBe(
    '--tls-cert and --tls-key go together: name both or neither.',
  );
  expect(await refusal(place, [...at, '--tls-cert', cert, '--tls-key', join(place.dir, 'none')])).toBe(
    `The key ${join(place.dir, 'none')} cannot be read.`,
  );
  expect(await refusal(place, [...at, '--tls-cert', cert, '--tls-key', join(place.dir, 'file')])).toBe(
    `The certificate ${cert} and the key ${join(place.dir, 'file')} cannot be used together; both must be PEM files.`,
  );
  expect(existsSync(data)).toBe(true);
  writeFileSync(join(data, 'benchbook.sqlite'), 'this is no database, but a text that is long enough');
  expect(await refusal(place, [...at, ...small])).toMatch(/^The data folder .* cannot be opened: /);
});

test('START-2 a taken port is reported with what to do, before the first start shows passwords', async () => {
  using place = makePlace();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await refusal(place, ['--data', join(place.dir, 'data'), '--port', String(port)])).toBe(
    `Port ${port} is taken; is Benchbook running already? Choose another with --port.`,
  );
  const modules = ['--data', join(place.dir, 'data'), '--port', '0', '--module-port', String(port)];
  expect(await refusal(place, modules)).toBe(
    `Port ${port} is taken; is Benchbook running already? Choose another with --module-port.`,
  );
  other.close();
});

/**
 * Somebody who listens on a port, while nobody listens on the one before it. Both are below those that systems give
 * away to whoever asks for any.
 */
async function portAfterFreeOne(): Promise<{ other: Server; taken: number }> {
  for (;;) {
    const taken = randomInt(10_000, 30_000);
    const before = await listenOn(taken - 1);
    const other = await listenOn(taken);
    before?.close();
    if (before !== null && other !== null) return { other, taken };
    other?.close();
  }
}

/** Null when somebody listens there already. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

test('START-3 training modules use the next ports, one each, or any free one if taken', async () => {
  using place = makePlace();
  const { other, taken } = await portAfterFreeOne();
  const originOf = async (port: number): Promise<string> => {
    const args = ['--no-demo', '--port', String(port), '--data', join(place.dir, 'modules')];
    const running = await startServer(must(readConfig(args, {}), 'the settings'), { say: () => undefined });
    const { origins } = running.server.services.training;
    const origin = await origins.open(1, `http://bench.example:${port}`);
    expect((await fetch(origin.replace('bench.example', '127.0.0.1'))).status).toBe(404);
    expect(running.modules).toBe(`ports ${port + 1} to ${port + 100}, one for each`);
    await running.stop();
    return origin;
  };
  expect(await originOf(taken - 1)).not.toBe(`http://bench.example:${taken}`);
  other.close();
  await once(other, 'close');
  expect(await originOf(taken - 1)).toBe(`http://bench.example:${taken}`);
  expect(() => readConfig(['--module-port', '70000'], {})).toThrow(
    'The module ports must be numbers between 0 and 65535, such as 4021-4120.',
  );
  expect(() => readConfig(['--module-port', '4100-4021'], {})).toThrow('such as 4021-4120');
  expect(readConfig(['--module-port', '5000'], {})?.modulePorts).toEqual({ first: 5000, last: 5099 });
  expect(readConfig(['--module-port', '5000-5009'], {})?.modulePorts).toEqual({ first: 5000, last: 5009 });
  // One origin for all of them was the setting of older versions.
  for (const shared of ['modules', 'https://modules.example.org', 'https://*', 'https://a*.example.org'])
    expect(() => readConfig([], { BENCHBOOK_MODULE_ORIGIN: shared })).toThrow(
      'Each module needs its own host name: write --module-origin with a wildcard, such as https://*.modules.example.org.',
    );
  const named = readConfig(['--module-origin', 'https://*.Modules.example.org/'], {});
  expect(named?.moduleOrigin).toBe('https://*.modules.example.org');
});

test('START-4 a second server on a data folder is refused, and the folder is free again when the first was killed', async () => {
  using place = makePlace();
  const data = join(place.dir, 'data');
  const first = place.start([...small, '--data', data]);
  await first.ready();
  expect(await refusal(place, [...small, '--data', data])).toBe(
    `Another Benchbook server works in the data folder ${data}; stop it, or name another folder with --data.`,
  );
  first.child.kill('SIGKILL');
  await first.ended;
  const next = place.start([...small, '--data', data]);
  await next.ready();
  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);
});

test('START-5 without --data the folder follows the XDG base directories', async () => {
  using place = makePlace();
  const xdg = join(place.dir, 'xdg');
  const started = place.start(small, { XDG_DATA_HOME: xdg, BENCHBOOK_PORT: '' });
  await started.ready();
  expect(readdirSync(join(xdg, 'benchbook'))).toContain('benchbook.sqlite');
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('START-6 with a certificate it serves https', async () => {
  using place = makePlace();
  const args = [...small, '--data', join(place.dir, 'data')];
  const started = place.start([...args, '--tls-cert', tls('cert.pem'), '--tls-key', tls('key.pem')]);
  const url = await started.ready();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const answer = await new Promise<string>((resolve, reject) => {
    get(`${url}/healthz`, { ca: readFileSync(tls('cert.pem')) }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });
  expect(JSON.parse(answer)).toEqual({ status: 'ok' });
});

interface Person {
  email: string;
  password: string;
}

/** The people and passwords that the first start printed. */
function printedPeople(output: string): Person[] {
  return [...output.matchAll(/^\S.*: (\S+@\S+) {2}(\S+)$/gm)].map(([, email = '', password = '']) => ({
    email,
    password,
  }));
}

async function signIn(url: string, person: Person): Promise<string> {
  const response = await fetch(`${url}/api/2.0/user/token`, { method: 'POST', body: JSON.stringify(person) });
  return ((await response.json()) as { authToken: string }).authToken;
}

/** An upload that the server has begun to take: `finish` sends the rest and resolves with the whole answer. */
async function beginUpload(url: string, token: string): Promise<{ finish(): Promise<string> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    `POST /api/2.0/user/media/documents?file=note.txt HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: api ${token}\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\nhello`,
  );
  const [begun] = (await once(socket, 'data')) as [Buffer];
  expect(begun.toString()).toMatch(/^HTTP\/1\.1 100 /);
  return {
    finish() {
      socket.write('world');
      return text(socket);
    },
  };
}

/** Every byte under a folder. */
function bytesUnder(dir: string): Buffer {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
}

const canaries = ['canary-word', 'canary-body', 'canary-query', 'canary-path', 'canary@example.com'];

/** Requests that carry secrets in every place, good and bad ones. */
async function useWithSecrets(url: string, person: Person, token: string): Promise<void> {
  const api = `${url}/api/2.0`;
  const headers = { Authorization: `api ${token}` };
  const post = (path: string, body: string): Promise<Response> =>
    fetch(`${api}${path}`, { method: 'POST', headers, body });
  await post('/user/token', JSON.stringify({ email: 'canary@example.com', password: 'canary-word' }));
  await post('/user/token', `{"password": "canary-body"`);
  await post(
    '/users',
    JSON.stringify({ email: 'canary@example.com', password: 'canary-word', username: 'C' }),
  );
  await post('/work_log', JSON.stringify({ 'canary-body': person.password }));
  await fetch(`${api}/guides?search=canary-query&token=${token}`, { headers });
  await fetch(`${api}/users/email/canary@example.com`, { headers });
  await fetch(`${api}/nothing/canary-path/${token}`, { headers });
  await fetch(`${api}/guides/canary-path%zz`, { headers });
  await fetch(`${api}/user`, { headers: { Authorization: `api ${token}canary-word` } });
  await fetch(`${url}/sync/1/pull?since=canary-query`, { headers });
}

interface LogLine {
  msg: string;
  route?: string;
  method?: string;
  status?: number;
  ms?: number;
  reqId?: string;
  userid?: number;
}

test('START-7 the first start fills the site and prints passwords once; later starts stop without breaking a request, and log no secrets', async () => {
  using place = makePlace();
  const data = join(place.dir, 'data');
  const args = ['--data', data, '--port', '0', '--log-level', 'debug'];

  // A first start that was killed in the middle left a part of the demo.
  const killed = place.start(args);
  while (!existsSync(join(data, 'demo-unfinished')) && killed.child.exitCode === null) await sleep(20);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(killed.output.out).not.toMatch(/ready at/);
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['benchbook.sqlite', 'demo-unfinished']));

  const first = place.start(args);
  await first.ready();
  const people = printedPeople(first.output.out);
  expect(people.length).toBeGreaterThan(3);
  expect(existsSync(join(data, 'demo-unfinished'))).toBe(false);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const person = must(people[0], 'a person');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const started = place.start(args);
    const url = await started.ready();
    for (const path of ['/healthz', '/readyz', '/']) expect((await fetch(`${url}${path}`)).status).toBe(200);

    const token = await signIn(url, person);
    const events = await fetch(`${url}/sync/1/events?since=0.0`, {
      headers: { Authorization: `api ${token}` },
    });
    const told = events.text();
    await useWithSecrets(url, person, token);
    const upload = await beginUpload(url, token);
    started.child.kill(signal);
    // It ends the streams of events once it was told to stop.
    expect(await told).toContain('event: head');
    expect(await upload.finish()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await started.ended).toBe(0);
    expect(started.output.out).toMatch(/^Stopped\.$/m);
    checkOutput(started.output, people, [token, ...canaries]);
    const bytes = bytesUnder(data);
    for (const secret of [token, 'canary-word', ...people.map((one) => one.password)])
      expect(bytes.includes(secret)).toBe(false);
  }
});

/** The log tells of every request and of no secret; passwords were told by the first start alone. */
function checkOutput(output: { out: string; err: string }, people: Person[], secrets: string[]): void {
  const lines = output.out.split('\n').filter((line) => line.startsWith('{'));
  const requests = lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.msg === 'request');
  expect(requests.length).toBeGreaterThan(10);
  for (const line of requests) {
    expect(line).toMatchObject({
      method: expect.stringMatching(/^[A-Z]+$/),
      route: expect.any(String),
      status: expect.any(Number),
      ms: expect.any(Number),
      reqId: expect.stringMatching(/^[\w-]{12}$/),
      userid: expect.any(Number),
    });
  }
  expect(requests.map((line) => line.route)).toEqual(
    expect.arrayContaining(['/api/2.0/guides', '/sync/1/events', '/api/2.0/users/email/:email', 'none']),
  );
  expect(requests.some((line) => (line.userid ?? 0) > 0)).toBe(true);
  const all = output.out + output.err;
  for (const secret of [...secrets, ...people.flatMap((one) => [one.password, one.email])])
    expect(all.includes(secret), secret).toBe(false);
}

test("START-8 the program's output and log prove the audit log, time stamps included, without changes", async () => {
  using place = makePlace();
  await using authority = await TimestampAuthority.start();
  const data = join(place.dir, 'data');
  const certificate = join(place.dir, 'root.pem');
  writeFileSync(certificate, authority.vouching);
  const benchbook = async (...args: string[]): Promise<{ code: number; out: string }> => {
    const out: string[] = [];
    const say = (line: string): void => void out.push(line);
    const terminal = { env: {}, out: say, err: say, input: async () => '' };
    return { code: await runCli(['audit', ...args, '--data', data], terminal), out: out.join('\n') };
  };
  const config = must(readConfig(['--data', data, ...small], {}), 'settings');
  await (await startServer(config, { say: () => undefined })).stop();
  const stamping = ['timestamp', authority.url, '--certificate', certificate, '--private'];
  expect(await benchbook(...stamping)).toMatchObject({ code: 0 });
  const started = place.start(['--data', data, ...small]);
  await started.ready();
  await soon(() => started.output.out).toContain('"stamped"');
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  const file = join(place.dir, 'server.log');
  writeFileSync(file, started.output.out);
  const found = await benchbook('verify', '--against', file, '--certificate', certificate);
  expect(found.out).toMatch(/[1-9]\d* of them with a time stamp that holds/);
  expect(found).toMatchObject({ code: 0, out: expect.not.stringContaining('hidden') });
});

test('START-9 the server returns memory to the system, under the process id with which it was started', async () => {
  using place = makePlace();
  const started = place.start(['--data', join(place.dir, 'data'), ...small], { MALLOC_ARENA_MAX: '4' });
  await started.ready();
  const about = (what: string): string[] =>
    readFileSync(`/proc/${started.child.pid}/${what}`, 'utf8').split('\0');
  // Only Linux tells of a process what it was started with.
  if (process.platform === 'linux') {
    expect(about('cmdline')).toEqual(expect.arrayContaining([...memorySettings.flags]));
    const variables = Object.entries({ ...memorySettings.variables, MALLOC_ARENA_MAX: '4' });
    expect(about('environ')).toEqual(expect.arrayContaining(variables.map((pair) => pair.join('='))));
  }
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});
