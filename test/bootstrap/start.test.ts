import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { memorySettings } from '#server/bootstrap/memory.ts';
import { readConfig } from '#server/platform/config.ts';
import { startServer } from '#server/main.ts';
import { makeStartFolder, type StartFolder } from '#test/support/start-process.ts';

const tls = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const small = ['--no-demo', '--port', '0'];

/** The output of a start that must fail: one plain sentence, and nothing else. */
async function refusal(
  place: StartFolder,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const started = place.start(args, env);
  const code = await started.ended;
  expect({ code, out: started.output.out }).toEqual({ code: 1, out: '' });
  const { err } = started.output;
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).not.toMatch(/\bat .*:\d+|Error:/);
  return err.trimEnd();
}

test('START-1 unusable settings are refused in one plain sentence', async () => {
  using place = makeStartFolder();
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
  using place = makeStartFolder();
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
 * A server that listens on a port while the port before it is free. Both are below the range from which systems
 * assign any port.
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

/** Null if the port is taken. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

test('START-3 training modules use the next ports, one each, or any free one if taken', async () => {
  using place = makeStartFolder();
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
  // Older versions had one origin for all of them.
  for (const shared of ['modules', 'https://modules.example.org', 'https://*', 'https://a*.example.org'])
    expect(() => readConfig([], { BENCHBOOK_MODULE_ORIGIN: shared })).toThrow(
      'Each module needs its own host name: write --module-origin with a wildcard, such as https://*.modules.example.org.',
    );
  const named = readConfig(['--module-origin', 'https://*.Modules.example.org/'], {});
  expect(named?.moduleOrigin).toBe('https://*.modules.example.org');
});

test('START-4 a second server on a data folder is refused, and the folder is free again when the first was killed', async () => {
  using place = makeStartFolder();
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
  using place = makeStartFolder();
  const xdg = join(place.dir, 'xdg');
  const started = place.start(small, { XDG_DATA_HOME: xdg, BENCHBOOK_PORT: '' });
  await started.ready();
  expect(readdirSync(join(xdg, 'benchbook'))).toContain('benchbook.sqlite');
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('START-6 with a certificate it serves https', async () => {
  using place = makeStartFolder();
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

test('START-9 the server returns memory to the system, under the process id with which it was started', async () => {
  using place = makeStartFolder();
  const started = place.start(['--data', join(place.dir, 'data'), ...small], { MALLOC_ARENA_MAX: '4' });
  await started.ready();
  const about = (what: string): string[] =>
    readFileSync(`/proc/${started.child.pid}/${what}`, 'utf8').split('\0');
  // Only Linux shows the command line of a process.
  if (process.platform === 'linux') {
    expect(about('cmdline')).toEqual(expect.arrayContaining([...memorySettings.flags]));
    const variables = Object.entries({ ...memorySettings.variables, MALLOC_ARENA_MAX: '4' });
    expect(about('environ')).toEqual(expect.arrayContaining(variables.map((pair) => pair.join('='))));
  }
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});
