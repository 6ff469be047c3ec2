/**
 * Measures tracing in a million entries over HTTP, beside reading the same entries: `npm run bench:tracing`. A quick run is
 * `npm run bench:tracing -- --entries 50000 --calls 100`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { TracedOrderRecord } from '#shared/api/tracing.ts';
import { must } from '#shared/must.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { startServerProcess } from '#test/support/server-process.ts';

import { tableOf, type Figure } from '../table.ts';
import { commonLot, fill, teams, unitNumber } from './fill.ts';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '300' },
    /** A folder that keeps the data for the next run. */
    data: { type: 'string' },
  },
});
/** What tracing may take, ms. */
const limit = 200;
const calls = Number(values.calls);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'benchbook-tracing-bench-'));

interface Times {
  p50: number;
  p99: number;
}

/** Durations of calls one after the other, in ms. */
async function timesOf(call: (index: number) => Promise<void>): Promise<Times> {
  const times: number[] = [];
  for (let index = -10; index < calls; index += 1) {
    const begun = performance.now();
    await call(Math.abs(index));
    if (index >= 0) times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => must(sorted[Math.floor(sorted.length * share)], 'a time');
  return { p50: at(0.5), p99: at(0.99) };
}

try {
  const begun = performance.now();
  const ground = await fill(dataDir, Number(values.entries));
  const gigabytes = statSync(join(dataDir, databaseName)).size / 1024 ** 3;
  const seconds = (performance.now() - begun) / 1000;
  say(`${ground.entries} entries, ${gigabytes.toFixed(1)} GB, made in ${seconds.toFixed(0)} s`);
  await using server = await startServerProcess({ dataDir });
  const ask = async <T>(token: string, path: string): Promise<T> => {
    const response = await fetch(`${server.url}/api/2.0${path}`, {
      headers: { Authorization: `api ${token}` },
    });
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    return (await response.json()) as T;
  };
  const trace = (token: string, number: string): Promise<TracedOrderRecord[]> =>
    ask(token, `/work_log/trace?${new URLSearchParams({ number, limit: '50' }).toString()}`);
  /** A unit of the team of the lead, another one for each call. */
  const unitOf = (index: number): string => unitNumber((index * teams * 7) % ground.units);

  const floor = await floorTimes(async (index) =>
    (await trace(ground.admin, unitOf(index))).map(({ record }) => record.entryid),
  );
  const figures: Figure[] = [];
  const measure = async (
    what: string,
    call: (index: number) => Promise<unknown[]>,
    size: number | null,
    isBeside: boolean,
  ): Promise<void> => {
    const { p50, p99 } = await timesOf(async (index) => {
      const found = await call(index);
      if (size !== null && found.length !== size)
        throw new Error(`${what}: ${found.length} instead of ${size}`);
    });
    for (const [name, value] of [
      ['p50', p50],
      ['p99', p99],
    ] as const) {
      const least = isBeside ? { floor: { what: 'the same entries', value: floor[name] } } : {};
      figures.push({
        what: `${what}, ${name}`,
        value,
        unit: 'ms',
        ...least,
        ...(name === 'p99' ? { note: value <= limit ? `within ${limit} ms` : `above ${limit} ms` } : {}),
      });
    }
  };
  const own = 20;
  await measure('unit, administrator', (index) => trace(ground.admin, unitOf(index)), own, true);
  await measure('unit, lead of its team', (index) => trace(ground.lead, unitOf(index)), own, true);
  await measure(
    'unit, lead of another team',
    (index) => trace(ground.lead, unitNumber((index * teams + 1) % ground.units)),
    0,
    false,
  );
  await measure('lot in each 10th order, administrator', () => trace(ground.admin, commonLot), 50, false);
  await measure('lot in each 10th order, lead', () => trace(ground.lead, commonLot), 50, false);
  const suggest = (token: string, index: number): Promise<unknown[]> =>
    ask(token, `/work_log/trace/numbers?prefix=${unitOf(index).slice(0, 5)}`);
  await measure('suggestions, administrator', (index) => suggest(ground.admin, index), 10, false);
  await measure('suggestions, lead', (index) => suggest(ground.lead, index), 10, false);
  say(tableOf(figures));
} finally {
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
}

/** The times of a server that only reads the entries of each call and sends them. */
async function floorTimes(idsOf: (index: number) => Promise<number[]>): Promise<Times> {
  const script = fileURLToPath(new URL('floor.ts', import.meta.url));
  const child = spawn(process.execPath, [script, join(dataDir, databaseName)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim())),
    );
    const pages: string[] = [];
    for (let index = 0; index < calls; index += 1)
      pages.push(JSON.stringify((await idsOf(index)).map(String)));
    return await timesOf(async (index) => {
      const response = await fetch(`${url}/?ids=${encodeURIComponent(pages[index] ?? '[]')}`);
      await response.json();
    });
  } finally {
    child.kill('SIGTERM');
  }
}
