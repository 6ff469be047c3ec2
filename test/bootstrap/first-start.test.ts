import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { runCli } from '#server/cli/program.ts';
import { readConfig } from '#server/platform/config.ts';
import { startServer } from '#server/main.ts';
import { soon } from '#test/support/soon.ts';
import { makeStartFolder } from '#test/support/start-process.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';

const small = ['--no-demo', '--port', '0'];

interface Person {
  email: string;
  password: string;
}

/** The people and passwords printed by the first start. */
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

/** An upload in progress: `finish` sends the rest and resolves with the whole response. */
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

/** All bytes of the files below a folder. */
function bytesUnder(dir: string): Buffer {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
}

const canaries = ['canary-word', 'canary-body', 'canary-query', 'canary-path', 'canary@example.com'];

/** Valid and invalid requests with secrets in every part. */
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
  using place = makeStartFolder();
  const data = join(place.dir, 'data');
  const args = ['--data', data, '--port', '0', '--log-level', 'debug'];

  // A first start killed in the middle left a part of the demo.
  const killed = place.start(args);
  await killed.prints(/Sign in with one of these/);
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
    // It ends event streams when it is stopped.
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

/** The log has every request and no secret; only the first start printed passwords. */
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
  using place = makeStartFolder();
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
