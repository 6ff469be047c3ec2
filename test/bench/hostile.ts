/** `npm run bench:hostile`: what attacks do to somebody who works meanwhile (README.md of this folder). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { must } from '#shared/must.ts';

import type { Attack, Statuses } from './hostile/attack.ts';
import { attacks } from './hostile/attacks.ts';
import { workHonestly, type Times } from './hostile/honest.ts';
import type { Ground } from './hostile/server.ts';

/** Aims: p95 of what the honest client does, ms, and memory of the server, MB. */
const aims = { p95: 250, memory: 600 };

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
  /** Most that the server took, MB. */
  memory: number;
}

/** Memory of the server now, MB. */
function memoryOf(server: ReturnType<typeof fork>): Promise<number> {
  return new Promise((resolve) => {
    server.once('message', (bytes) => resolve(Math.round(Number(bytes) / 1024 ** 2)));
    server.send('memory');
  });
}

/** One wave, from a thread of its own. */
async function waveOf({ name }: Attack, target: Ground): Promise<Statuses> {
  attacker.postMessage({ name, target });
  const [statuses] = (await once(attacker, 'message')) as [Statuses];
  return statuses;
}

/** What an honest client sees for some seconds, while waves of an attack follow each other. */
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
      memory = Math.max(memory, await memoryOf(child));
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

function lineOf(name: string, floor: Measured, attacked: Measured, after: Measured): string {
  const cells = kinds.map((kind) => {
    const [quiet, busy, then] = [floor, attacked, after].map(({ times }) => p95(times[kind]).toFixed(0));
    return `${busy} / ${quiet} / ${then} ms`;
  });
  // One call at a time: while the server answers nobody there is one slow call, which no p95 shows.
  const slowest = ({ times }: Measured): string =>
    Math.max(...Object.values(times).map((all) => Math.max(...all))).toFixed(0);
  const answers = Object.entries(attacked.statuses).map(([status, count]) => `${count} x ${status}`);
  return `| ${[
    name,
    ...cells,
    `${slowest(attacked)} / ${slowest(floor)} ms`,
    `${attacked.memory} / ${floor.memory} / ${after.memory} MB`,
    answers.join(', '),
  ].join(' | ')} |`;
}

/** What an attack did that is beyond the aims, in words; none where it held. */
function misses(name: string, { times, memory }: Measured, after: Measured): string[] {
  const slow = kinds.filter((kind) => kind !== 'signIn' && p95(times[kind]) > aims.p95);
  return [
    ...slow.map((kind) => `${name}: ${kind} took ${p95(times[kind]).toFixed(0)} ms`),
    ...(memory > aims.memory ? [`${name}: ${memory} MB`] : []),
    ...(after.memory > aims.memory ? [`${name}: ${after.memory} MB afterwards`] : []),
  ];
}

const child = fork(join(import.meta.dirname, 'hostile', 'server.ts'), {
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const attacker = new Worker(join(import.meta.dirname, 'hostile', 'waves.ts'));
const missed: string[] = [];
try {
  const ground = await groundOf(child);
  await measure(ground, null);
  say('p95 of an honest client and memory of the server: attacked / floor before / afterwards');
  say('| Attack | read | write | sign in | slowest call | memory | answers to the attack |');
  say('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const attack of attacks.filter(({ name }) => name.includes(values.only))) {
    // The floor beside each: what else the machine does changes from minute to minute.
    const floor = await measure(ground, null);
    const attacked = await measure(ground, attack);
    const after = await measure(ground, null);
    say(lineOf(attack.name, floor, attacked, after));
    missed.push(...misses(attack.name, attacked, after));
  }
  say(missed.length === 0 ? `All within ${aims.p95} ms and ${aims.memory} MB.` : missed.join('\n'));
} finally {
  child.kill();
  await attacker.terminate();
}
