/** `npm run bench:hostile`: the effect of attacks on another user (README.md of this folder). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { must } from '#shared/must.ts';
import { memorySettings } from '#server/bootstrap/memory.ts';
import { Passwords } from '#server/features/tokens/passwords.ts';

import type { Attack, Statuses } from './hostile/attack.ts';
import { attacks } from './hostile/attacks.ts';
import { workHonestly, type Times } from './hostile/honest.ts';
import type { Ground } from './hostile/server.ts';

/**
 * Targets: p95 of reads and writes of the honest client, ms; memory of the server, MB; and how much more than at the
 * start it still needs afterwards, MB. Signing in has no target; it is shown beside the hash of a password.
 */
const aims = { p95: 250, memory: 600, kept: 200 };
/** Time until memory must be released, ms: decoding and writing in progress continue for a moment. */
const comesBackMs = 10_000;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const ms = Number(values.seconds) * 1000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function groundOf(child: ReturnType<typeof fork>): Promise<Ground> {
  for await (const line of createInterface({ input: must(child.stdout, 'an output') }))
    return JSON.parse(line) as Ground;
  throw new Error('The server ended');
}

interface Measured {
  times: Times;
  statuses: Statuses;
  /** Maximum memory of the server, MB. */
  memory: number;
}

/** Memory of the server, MB: its current use, or its need without garbage. */
function memoryOf(server: ReturnType<typeof fork>, which: 'taken' | 'needed'): Promise<number> {
  return new Promise((resolve) => {
    server.once('message', (bytes) => resolve(Math.round(Number(bytes) / 1024 ** 2)));
    server.send(which);
  });
}

/** The server's need after an attack, MB; waits with a limit until it is at most `most`. */
async function neededAfter(most: number): Promise<number> {
  const until = performance.now() + comesBackMs;
  for (;;) {
    const needed = await memoryOf(child, 'needed');
    if (needed <= most || performance.now() > until) return needed;
    await pause(500);
  }
}

/** p95 of sequential password hashing on an idle machine, ms. */
async function hashFloor(): Promise<number> {
  const passwords = new Passwords();
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const begun = performance.now();
    await passwords.hash('a long password');
    times.push(performance.now() - begun);
  }
  return p95(times);
}

/** One wave, from a separate thread. */
async function waveOf({ name }: Attack, target: Ground): Promise<Statuses> {
  attacker.postMessage({ name, target });
  const [statuses] = (await once(attacker, 'message')) as [Statuses];
  return statuses;
}

/** The times of an honest client for some seconds, while waves of an attack follow each other. */
async function measure(ground: Ground, attack: Attack | null): Promise<Measured> {
  const until = performance.now() + ms;
  const isOver = (): boolean => performance.now() > until;
  const statuses: Statuses = {};
  const attacking = (async () => {
    while (attack !== null && !isOver())
      for (const [status, count] of Object.entries(await waveOf(attack, ground)))
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  })();
  let memory = 0;
  const watching = (async () => {
    while (!isOver()) {
      memory = Math.max(memory, await memoryOf(child, 'taken'));
      await pause(100);
    }
  })();
  const times = await workHonestly(ground, isOver);
  await Promise.all([attacking, watching]);
  return { times, statuses, memory };
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}

const kinds = ['read', 'write', 'signIn'] as const;

/** The measurements around one attack. */
interface Around {
  floor: Measured;
  attacked: Measured;
  after: Measured;
  /** The server's need afterwards, MB. */
  needed: number;
}

function lineOf(name: string, { floor, attacked, after, needed }: Around): string {
  const cells = kinds.map((kind) => {
    const [quiet, busy, then] = [floor, attacked, after].map(({ times }) => p95(times[kind]).toFixed(0));
    return `${busy} / ${quiet} / ${then} ms`;
  });
  // One call at a time: a server that stops answering has one slow call, which p95 does not show.
  const slowest = ({ times }: Measured): string =>
    Math.max(...Object.values(times).map((all) => Math.max(...all))).toFixed(0);
  const answers = Object.entries(attacked.statuses).map(([status, count]) => `${count} x ${status}`);
  return `| ${[
    name,
    ...cells,
    `${slowest(attacked)} / ${slowest(floor)} ms`,
    `${attacked.memory} / ${floor.memory} / ${after.memory} / ${needed} MB`,
    answers.join(', '),
  ].join(' | ')} |`;
}

/** The missed targets of an attack, in words; empty: none. */
function misses(
  name: string,
  { attacked: { times, memory }, after, needed }: Around,
  start: number,
): string[] {
  const slow = kinds.filter((kind) => kind !== 'signIn' && p95(times[kind]) > aims.p95);
  return [
    ...slow.map((kind) => `${name}: ${kind} took ${p95(times[kind]).toFixed(0)} ms`),
    ...(memory > aims.memory ? [`${name}: ${memory} MB`] : []),
    ...(after.memory > aims.memory ? [`${name}: ${after.memory} MB afterwards`] : []),
    ...(needed > start + aims.kept
      ? [`${name}: ${needed} MB are needed afterwards, ${start} MB were at the start`]
      : []),
  ];
}

const child = fork(join(import.meta.dirname, 'hostile', 'server.ts'), {
  // Like `npm start`.
  execArgv: [...memorySettings.flags],
  env: { ...memorySettings.variables, ...process.env },
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const attacker = new Worker(join(import.meta.dirname, 'hostile', 'waves.ts'));
const missed: string[] = [];
try {
  const ground = await groundOf(child);
  await measure(ground, null);
  const start = await memoryOf(child, 'needed');
  say(
    'p95 of an honest client and memory of the server: attacked / floor before / afterwards; of memory also what is',
  );
  say(`needed then, without garbage. It was ${start} MB at the start.`);
  say(`The aim of ${aims.p95} ms covers reads and writes. A sign-in hashes a password, which alone takes`);
  say(
    `${(await hashFloor()).toFixed(0)} ms here, one at a time, and waits for its turn among those of the attack.`,
  );
  say('| Attack | read | write | sign in | slowest call | memory | answers to the attack |');
  say('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const attack of attacks.filter(({ name }) => new RegExp(values.only).test(name))) {
    // A floor for each attack, because the load of the machine changes from minute to minute.
    const floor = await measure(ground, null);
    const attacked = await measure(ground, attack);
    const after = await measure(ground, null);
    const around = { floor, attacked, after, needed: await neededAfter(start + aims.kept) };
    say(lineOf(attack.name, around));
    missed.push(...misses(attack.name, around, start));
  }
  say(
    missed.length === 0
      ? `All reads and writes within ${aims.p95} ms, all within ${aims.memory} MB, and memory came back.`
      : missed.join('\n'),
  );
  if (missed.length > 0) process.exitCode = 1;
} finally {
  child.kill();
  await attacker.terminate();
}
