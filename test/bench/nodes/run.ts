/**
 * `npm run bench:scale -- --postgres`: writes, reads and event streams of one, two and three nodes on PostgreSQL, beside
 * one server on SQLite in the same run (README.md of test/bench).
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { givenServer, startPostgres } from '#test/support/postgres.ts';
import { clientOf } from '#test/support/server.ts';

import type { Deliveries, Streams } from '../scale/devices.ts';
import { endPrograms, Program } from '../scale/program.ts';
import type { Usage } from '../scale/usage.ts';
import type { NodeReady } from './node.ts';
import { processorOfTree } from './processor.ts';

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean' },
    nodes: { type: 'string', default: '1,2,3' },
    guides: { type: 'string', default: '320' },
    writers: { type: 'string', default: '32' },
    streams: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '10' },
  },
});
const seconds = Number(values.seconds);
const writers = Number(values.writers);
const streams = Number(values.streams);
/** Writes a second while streams are measured. */
const streamedRate = 20;

const nodeProgram = join(import.meta.dirname, 'node.ts');

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Phase {
  ms: number[];
  seconds: number;
  /** Processor time of all nodes, and of the database, ms. */
  nodesMs: number;
  databaseMs: number;
}

/** Runs `one` by `writers` workers at the same time for `seconds`, and measures each call. */
async function load(
  nodes: readonly Program[],
  databasePid: number | null,
  one: (worker: number, turn: number) => Promise<void>,
): Promise<Phase> {
  const used = async (): Promise<[number, number]> => {
    const each = await Promise.all(nodes.map((node) => node.ask<Usage>('usage')));
    const ofNodes = each.reduce((sum, { processorMs }) => sum + processorMs, 0);
    return [ofNodes, databasePid === null ? 0 : processorOfTree(databasePid)];
  };
  const [nodesBefore, databaseBefore] = await used();
  const ms: number[] = [];
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const work = async (worker: number): Promise<void> => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const from = performance.now();
      await one(worker, turn);
      ms.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, worker) => work(worker)));
  const [nodesAfter, databaseAfter] = await used();
  return {
    ms,
    seconds: (performance.now() - begun) / 1000,
    nodesMs: nodesAfter - nodesBefore,
    databaseMs: databaseAfter - databaseBefore,
  };
}

interface Site {
  name: string;
  nodes: Program[];
  ready: NodeReady[];
  databasePid: number | null;
}

/** Renames guides, each worker its own ones, at each node in turn. */
function renaming({ ready }: Site): (worker: number, turn: number) => Promise<void> {
  const { guides, authors } = must(ready[0], 'a node');
  const own = Array.from({ length: writers }, (_, worker) =>
    guides.filter((_guide, index) => index % writers === worker),
  );
  return async (worker, turn) => {
    const list = must(own[worker], 'guides');
    const guide = must(list[turn % list.length], 'a guide');
    const { url } = must(ready[(worker + turn) % ready.length], 'a node');
    const call = clientOf(url, must(authors[guide.author], 'an author'));
    const path = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
    const { status, body } = await call('PATCH', path, { title: `Changed at ${now().toFixed(3)};` });
    if (status !== 200) throw new Error(`PATCH answered ${status} ${JSON.stringify(body)}`);
    guide.revisionid = (body as { revisionid: number }).revisionid;
  };
}

/** Reads another guide each time, at each node in turn. */
function reading({ ready }: Site): (worker: number, turn: number) => Promise<void> {
  const { guides, authors } = must(ready[0], 'a node');
  return async (worker, turn) => {
    const guide = must(guides[(worker * 7919 + turn * 104_729) % guides.length], 'a guide');
    const { url } = must(ready[(worker + turn) % ready.length], 'a node');
    const call = clientOf(url, must(authors[worker % authors.length], 'an author'));
    const { status } = await call('GET', `/guides/${guide.guideid}`);
    if (status !== 200) throw new Error(`GET answered ${status}`);
  };
}

const now = (): number => performance.timeOrigin + performance.now();

/** Delays of changes of guides that everybody sees, to streams at all nodes. */
async function streaming(site: Site): Promise<{ delays: number[]; expected: number; patch: Phase }> {
  const { authors } = must(site.ready[0], 'a node');
  const since = await newestCheckpointOf(must(site.ready[0], 'a node'));
  const programs = await Promise.all(
    site.ready.map(async ({ url }, node) => {
      const program = new Program(join(import.meta.dirname, '../scale/devices.ts'));
      const count = Math.floor(streams / site.ready.length) + (node < streams % site.ready.length ? 1 : 0);
      const requests = Array.from({ length: count }, (_, index) => ({
        path: `/sync/1/events?protocol=6&since=${since}`,
        headers: { Authorization: `api ${must(authors[index % authors.length], 'a token')}` },
      }));
      program.write(JSON.stringify({ url, requests } satisfies Streams));
      await program.line();
      return program;
    }),
  );
  const opened = await Promise.all(programs.map((one) => one.ask<Deliveries>('deliveries')));
  if (opened.some(({ ended }) => ended > 0)) throw new Error('Streams ended');
  const rename = renaming(site);
  const ms: number[] = [];
  const begun = performance.now();
  const running: Promise<void>[] = [];
  const writes = streamedRate * seconds;
  for (let index = 0; index < writes; index += 1) {
    await pause(Math.max(0, begun + (index * 1000) / streamedRate - performance.now()));
    const from = performance.now();
    running.push(rename(index % writers, index).then(() => void ms.push(performance.now() - from)));
  }
  await Promise.all(running);
  await pause(3000);
  const arrived = await Promise.all(programs.map((one) => one.ask<Deliveries>('deliveries')));
  if (arrived.some(({ ended }) => ended > 0)) throw new Error('Streams ended');
  const delays = arrived.flatMap((one) => one.delays);
  for (const one of programs) await one.end();
  return { delays, expected: writes * streams, patch: { ms, seconds, nodesMs: 0, databaseMs: 0 } };
}

/** The checkpoint after everything that was written. */
async function newestCheckpointOf({ url, authors }: NodeReady): Promise<string> {
  const headers = { Authorization: `api ${must(authors[0], 'a token')}` };
  const response = await fetch(`${url}/sync/1/bootstrap?protocol=6&collections=people`, { headers });
  const found = /"checkpoint":"([^"]+)"/.exec(await response.text())?.[1];
  return must(found, 'a checkpoint');
}

function quantile(numbers: readonly number[], share: number): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function cellsOf({ ms, seconds: took, nodesMs, databaseMs }: Phase): string[] {
  return [
    (ms.length / took).toFixed(0),
    `${quantile(ms, 0.5)} / ${quantile(ms, 0.95)}`,
    `${(nodesMs / ms.length).toFixed(2)} + ${(databaseMs / ms.length).toFixed(2)}`,
  ];
}

async function measure(site: Site): Promise<string> {
  say(`${site.name} …`);
  const rename = renaming(site);
  // Once before, so that the code is compiled when it counts.
  for (let turn = 0; turn < 20; turn += 1)
    await Promise.all(Array.from({ length: writers }, (_, worker) => rename(worker, turn)));
  const written = await load(site.nodes, site.databasePid, renaming(site));
  const read = await load(site.nodes, site.databasePid, reading(site));
  const streamed = await streaming(site);
  return row([
    site.name,
    ...cellsOf(written),
    ...cellsOf(read),
    `${quantile(streamed.delays, 0.5)} / ${quantile(streamed.delays, 0.95)}`,
    `${streamed.delays.length} of ${streamed.expected}`,
    `${quantile(streamed.patch.ms, 0.5)} / ${quantile(streamed.patch.ms, 0.95)}`,
  ]);
}

async function onSqlite(): Promise<string> {
  const node = new Program(nodeProgram, '', values.guides, String(streams));
  const ready = [JSON.parse(await node.line()) as NodeReady];
  const line = await measure({ name: 'SQLite', nodes: [node], ready, databasePid: null });
  await node.end();
  return line;
}

async function onPostgres(count: number, serverPid: number): Promise<string> {
  await using database = await makePostgresDatabase();
  const nodes: Program[] = [];
  const ready: NodeReady[] = [];
  for (let number = 0; number < count; number += 1) {
    const node = new Program(nodeProgram, database.url, number === 0 ? values.guides : '0', String(streams));
    nodes.push(node);
    ready.push(JSON.parse(await node.line()) as NodeReady);
  }
  const name = `PostgreSQL, ${count} ${count === 1 ? 'node' : 'nodes'}`;
  const line = await measure({ name, nodes, ready, databasePid: serverPid });
  for (const node of nodes) await node.end();
  return line;
}

async function main(): Promise<void> {
  // As safe as people run it: every commit waits for the disk.
  await using server = await startPostgres({ settings: ['shared_buffers=256MB', 'max_connections=200'] });
  process.env[givenServer] = server.url;
  const lines = [await onSqlite()];
  for (const count of values.nodes.split(',').map(Number)) lines.push(await onPostgres(count, server.pid));
  const head = [
    `${writers} clients`,
    'Writes/s',
    'p50 / p95, ms',
    'Processor per write, node + database, ms',
    'Reads/s',
    'p50 / p95, ms',
    'Processor per read, node + database, ms',
    `Delivery to ${streams} streams p50 / p95, ms`,
    'Arrived',
    'PATCH beside them p50 / p95, ms',
  ];
  say([row(head), row(head.map(() => '---')), ...lines].join('\n'));
}

try {
  await main();
} finally {
  endPrograms();
}
