/** `npm run bench:first-load`: what the first load of devices costs the server (README.md of test/bench). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';

import { Programs, type Program } from '../program.ts';
import { median } from '../table.ts';
import { loadDevice, readWhole, type Loaded } from './load.ts';
import type { Ground } from './server.ts';

const { values } = parseArgs({
  options: {
    guides: { type: 'string', default: '10000' },
    devices: { type: 'string', default: '1,10,50' },
    rounds: { type: 'string', default: '3' },
  },
});
const counts = values.devices.split(',').map(Number);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const programs = new Programs();

/** Starts a program of this folder. */
function start<T>(name: string, ...args: string[]): Promise<Program<T>> {
  return programs.start(join(import.meta.dirname, name), ...args);
}

/** What a number of devices cost that load at the same time. */
interface Cost {
  processorMs: number;
  bytes: number;
  /** Until the last device had everything. */
  ms: number;
}

async function costOf(
  count: number,
  processor: () => Promise<number>,
  load: (n: number) => Promise<Loaded>,
): Promise<Cost> {
  const before = await processor();
  const start = performance.now();
  const loaded = await Promise.all(Array.from({ length: count }, (_, n) => load(n)));
  const ms = performance.now() - start;
  const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0) / count;
  return { processorMs: ((await processor()) - before) / count, bytes, ms };
}

async function main(folder: string): Promise<void> {
  say(`Writing ${values.guides} guides …`);
  const { said, processor } = await start<Ground>('server.ts', values.guides, String(Math.max(...counts)));
  const device = (n: number): Promise<Loaded> => loadDevice(said.url, must(said.tokens[n], 'a token'));
  const one = await device(0);
  const file = join(folder, 'same-bytes');
  writeFileSync(file, Buffer.alloc(one.bytes));
  const bare = await start<{ url: string }>('bare.ts', file);
  await readWhole(bare.said.url);
  for (const count of counts) {
    const floor: Cost[] = [];
    const measured: Cost[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      floor.push(await costOf(count, bare.processor, () => readWhole(bare.said.url)));
      measured.push(await costOf(count, processor, device));
    }
    say(`${`${count} devices at once`.padEnd(20)} server ${lineOf(measured)}    floor ${lineOf(floor)}`);
  }
  say(`Load of the machine: ${must(loadavg()[0], 'a load').toFixed(1)}`);
}

function lineOf(costs: readonly Cost[]): string {
  const of = (pick: (cost: Cost) => number): number => median(costs.map(pick));
  return [
    `${of((cost) => cost.processorMs).toFixed(1)} ms of processor each`,
    `${(of((cost) => cost.bytes) / 1e6).toFixed(2)} MB each`,
    `last after ${of((cost) => cost.ms).toFixed(0)} ms`,
  ].join(', ');
}

const folder = mkdtempSync(join(tmpdir(), 'benchbook-first-load-'));
try {
  await main(folder);
} finally {
  programs[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}
