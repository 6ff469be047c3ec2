/** `node test/bench/hostile.ts`: what attacks do to somebody who works meanwhile (README.md of this folder). */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';

import type { Attack, Statuses } from './hostile/attack.ts';
import { largeGuides, wideBodies } from './hostile/bodies.ts';
import { workHonestly, type Times } from './hostile/honest.ts';
import { hostilePictures } from './hostile/pictures.ts';
import { quizImport, quizSubmission } from './hostile/quiz.ts';
import type { Ground } from './hostile/server.ts';
import { signInFlood } from './hostile/sign-ins.ts';

const attacks: Attack[] = [quizImport, quizSubmission, signInFlood, wideBodies, largeGuides, hostilePictures];

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

/** What an honest client sees for some seconds, while waves of an attack follow each other. */
async function measure(ground: Ground, attack: Attack | null): Promise<{ times: Times; statuses: Statuses }> {
  const until = performance.now() + ms;
  const isOver = (): boolean => performance.now() > until;
  const statuses: Statuses = {};
  const attacking = (async () => {
    while (attack !== null && !isOver())
      for (const [status, count] of Object.entries(await attack.wave(ground)))
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  })();
  const times = await workHonestly(ground, isOver);
  await attacking;
  return { times, statuses };
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}

function lineOf(
  name: string,
  floor: Times,
  { times, statuses }: { times: Times; statuses: Statuses },
): string {
  const kinds = (['read', 'write', 'signIn'] as const).map((kind) => {
    const [quiet, attacked] = [p95(floor[kind]), p95(times[kind])];
    return `${attacked.toFixed(0)} / ${quiet.toFixed(0)} ms (${(attacked / quiet).toFixed(1)}x)`;
  });
  // One call at a time: while the server answers nobody there is one slow call, which no p95 shows.
  const slowest = (of: Times): string =>
    Math.max(...Object.values(of).map((all) => Math.max(...all))).toFixed(0);
  const answers = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `| ${[name, ...kinds, `${slowest(times)} / ${slowest(floor)} ms`, answers.join(', ')].join(' | ')} |`;
}

const child = fork(join(import.meta.dirname, 'hostile', 'server.ts'), {
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
try {
  const ground = await groundOf(child);
  await measure(ground, null);
  say('| Attack | read, p95 attacked / floor | write | sign in | slowest call | answers to the attack |');
  say('| --- | ---: | ---: | ---: | ---: | --- |');
  for (const attack of attacks.filter(({ name }) => name.includes(values.only))) {
    // The floor beside each: what else the machine does changes from minute to minute.
    const { times: floor } = await measure(ground, null);
    say(lineOf(attack.name, floor, await measure(ground, attack)));
  }
} finally {
  child.kill();
}
