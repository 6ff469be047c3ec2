/**
 * Measures a server that nobody uses: 100 devices are connected and no job is due. Prints what it writes, its share of a
 * core, and its memory: `npm run bench:idle -- --minutes 10 --devices 100`. Linux only (`/proc`).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createClient } from '#shared/api/client.ts';
import { setup } from '#shared/api/setup.ts';
import { tokens } from '#shared/api/tokens.ts';
import { users } from '#shared/api/users.ts';
import { startServerProcess } from '#test/support/server-process.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    devices: { type: 'string', default: '100' },
  },
});
const minutes = Number(values.minutes);
const devices = Number(values.devices);
/** Streams need a moment, and the start its last work, before nothing is due. */
const settleMs = 60_000;
/** Ticks per second in `/proc/PID/stat`, on every Linux that Node.js supports. */
const ticks = 100;
const admin = { email: 'ada@example.com', password: 'a long password' };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Reading {
  /** Seconds of processor time. */
  processor: number;
  /** Bytes that the process had written to disks. */
  written: number;
  /** Resident memory, bytes. */
  memory: number;
  /** Hash of names, sizes and times of all files of the data folder. */
  files: string;
}

function read(pid: number, dataDir: string): Reading {
  const proc = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const field = (text: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  // The name of the program, in parentheses, may contain spaces.
  const times = proc('stat').split(') ')[1]?.split(' ') ?? [];
  const hash = createHash('sha256');
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const { size, mtimeMs } = statSync(join(dataDir, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return {
    processor: (Number(times[11]) + Number(times[12])) / ticks,
    written: field(proc('io'), 'write_bytes'),
    memory: field(proc('status'), 'VmRSS') * 1024,
    files: hash.digest('hex'),
  };
}

/** Signs a device in and keeps its event stream open. Returns after the head of the stream. */
async function connect(url: string, email: string): Promise<void> {
  const client = createClient({ tokens }, { baseUrl: url });
  const { authToken } = await client.tokens.create({ body: { email, password: admin.password } });
  const headers = { Authorization: `api ${authToken}` };
  const load = await fetch(`${url}/sync/1/bootstrap?protocol=5-6`, { headers });
  const tail = (await load.text()).trim().split('\n').at(-1) ?? '';
  const { checkpoint } = JSON.parse(tail) as { checkpoint: string };
  const stream = await fetch(`${url}/sync/1/events?protocol=5-6&since=${checkpoint}&seen=${checkpoint}`, {
    headers,
  });
  const reader = stream.body?.getReader();
  await reader?.read();
  void (async () => {
    while (reader !== undefined && !(await reader.read()).done);
  })().catch(() => undefined);
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? Number.NaN);
}

const server = await startServerProcess({ args: ['--no-demo'] });
const { url, pid, dataDir } = server;
const [, code = ''] = /enter the code (\S+)/.exec(server.output.join('\n')) ?? [];
const first = createClient({ setup, tokens }, { baseUrl: url });
await first.setup.begin({ body: { ...admin, code, title: 'Idle', username: 'Ada' } });
const { authToken = '' } = await first.tokens.create({ body: admin });
const asAdmin = createClient({ users }, { baseUrl: url, token: authToken });
say(`Connecting ${devices} devices …`);
for (let number = 1; number <= devices; number += 1) {
  const email = `device-${number}@example.com`;
  await asAdmin.users.register({
    body: {
      email,
      username: `Device ${number}`,
      password: admin.password,
      current_password: admin.password,
    },
  });
  await connect(url, email);
}
say(`Connected. Measuring ${minutes} minutes, after one in which the server settles …`);
// The figures are of a stretch of time, so this waits by the clock.
await sleep(settleMs);
const before = read(pid, dataDir);
await sleep(minutes * 60_000);
const after = read(pid, dataDir);
const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0)} MB`;
const heap = await metric(url, 'nodejs_heap_size_used_bytes');
const external = await metric(url, 'nodejs_external_memory_bytes');
say('');
say(`| ${devices} devices, ${minutes} minutes | |`);
say('| --- | --- |');
say(`| devices connected at the end | ${await metric(url, 'benchbook_devices{state="connected"}')} |`);
say(`| written to disk | ${after.written - before.written} bytes |`);
say(`| data folder | ${before.files === after.files ? 'unchanged' : 'CHANGED'} |`);
say(`| share of a core | ${((100 * (after.processor - before.processor)) / (minutes * 60)).toFixed(2)} % |`);
say(`| memory of the process | ${megabytes(after.memory)} |`);
say(`| of that: objects of the program | ${megabytes(heap)} |`);
say(`| of that: buffers, and the cache of SQLite | ${megabytes(external)} |`);
say(`| the rest: code, stacks, V8 and native libraries | ${megabytes(after.memory - heap - external)} |`);
await server[Symbol.asyncDispose]();
process.exit(0);
