/** `npm run bench:scale`: many open event streams under writes (README.md of test/bench). */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';
import { clientOf } from '#test/support/server.ts';

import type { Deliveries, Streams } from './devices.ts';
import { peopleOfTeam, type Ground } from './ground.ts';
import { endPrograms, Program } from './program.ts';
import type { Usage } from './usage.ts';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '100,1000,10000' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '20' },
  },
});
const writesPerSecond = Number(values.rate);
const writes = Number(values.seconds) * writesPerSecond;
/** One change in so many is of a guide that everybody sees. */
const publicEvery = 10;
/** Time after the last write within which everything must have arrived, ms. */
const arrivesMs = 5000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** One write: the guide, and the streams that see it. */
interface Write {
  guideid: number;
  from: number;
  until: number;
}

function plan({ publicGuides, teamGuides, tokens }: Ground): Write[] {
  return Array.from({ length: writes }, (_, index) => {
    if (index % publicEvery === 0) {
      const guideid = must(publicGuides[(index / publicEvery) % publicGuides.length], 'a guide');
      return { guideid, from: 0, until: tokens.length };
    }
    const team = (index * 7) % teamGuides.length;
    const from = team * peopleOfTeam;
    return { guideid: must(teamGuides[team], 'a guide'), from, until: from + peopleOfTeam };
  });
}

const now = (): number => performance.timeOrigin + performance.now();

/** Calls `write` at the intended rate, whether earlier calls have ended or not, and waits for all. */
async function atRate(all: readonly Write[], write: (one: Write) => Promise<void>): Promise<void> {
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (const [index, one] of all.entries()) {
    const due = begun + (index * 1000) / writesPerSecond;
    await pause(Math.max(0, due - performance.now()));
    running.push(write(one));
  }
  await Promise.all(running);
}

interface Measured {
  patchMs: number[];
  deliveries: Deliveries;
  expected: number;
  /** Processor time of the writes, ms. */
  processorMs: number;
  /** Memory of the streams, bytes each. */
  streamBytes: number;
  usage: Usage;
}

async function openStreams(url: string, requests: Streams['requests']): Promise<Program> {
  const devices = new Program(join(import.meta.dirname, 'devices.ts'));
  devices.write(JSON.stringify({ url, requests } satisfies Streams));
  await devices.line();
  return devices;
}

/** Renames guides with the newest revision. `ms`: how long each call took. */
function patching(ground: Ground): { run: (one: Write) => Promise<void>; ms: number[] } {
  const call = clientOf(ground.url, ground.author);
  const revisions = new Map<number, number>();
  for (const guideid of [...ground.publicGuides, ...ground.teamGuides]) revisions.set(guideid, guideid);
  const ms: number[] = [];
  const run = async ({ guideid }: Write): Promise<void> => {
    const begun = now();
    const path = `/guides/${guideid}?revisionid=${revisions.get(guideid)}`;
    const { status, body } = await call('PATCH', path, { title: `Changed at ${begun.toFixed(3)};` });
    if (status !== 200) throw new Error(`PATCH answered ${status} ${JSON.stringify(body)}`);
    ms.push(now() - begun);
    revisions.set(guideid, (body as { revisionid: number }).revisionid);
  };
  return { run, ms };
}

/** Reads the author's stream, so that the floor can send the same texts. Returns a function that ends it. */
async function listen(ground: Ground): Promise<() => string[]> {
  const seen: string[] = [];
  const stop = new AbortController();
  const headers = { Authorization: `api ${ground.author}` };
  const url = `${ground.url}/sync/1/events?protocol=6&since=${ground.checkpoint}`;
  const { body } = await fetch(url, { headers, signal: stop.signal });
  void (async () => {
    let rest = '';
    for await (const piece of must(body, 'a body').pipeThrough(new TextDecoderStream())) {
      const events = (rest + piece).split('\n\n');
      rest = events.pop() ?? '';
      seen.push(...events.filter((one) => one.includes('"doc"')).map((one) => `${one}\n\n`));
    }
  })().catch(() => undefined);
  return () => {
    stop.abort();
    return seen;
  };
}

interface ServerMeasured {
  measured: Measured;
  /** Processor time of the same writes without streams, ms. */
  idleMs: number;
  writes: Write[];
  /** The events that they caused. */
  texts: string[];
}

async function measureServer(people: number): Promise<ServerMeasured> {
  const server = new Program(join(import.meta.dirname, 'server.ts'), String(people));
  const ground = JSON.parse(await server.line()) as Ground;
  const all = plan(ground);
  const { run, ms } = patching(ground);
  const stop = await listen(ground);
  // Twice, so that the code is compiled when it counts.
  await atRate(all.slice(0, writesPerSecond * 3), run);
  const idle = await server.ask<Usage>('usage');
  await atRate(all, run);
  const afterIdle = await server.ask<Usage>('usage');
  const texts = stop();
  const requests = ground.tokens.map((token) => ({
    path: `/sync/1/events?protocol=6&since=${ground.checkpoint}`,
    headers: { Authorization: `api ${token}` },
  }));
  // Streams begin after what was written meanwhile.
  const since = /"checkpoint":"([^"]+)"/.exec(must(texts.at(-1), 'an event'))?.[1] ?? '';
  for (const one of requests) one.path = `/sync/1/events?protocol=6&since=${since}`;
  const before = await server.ask<Usage>('usage');
  const devices = await openStreams(ground.url, requests);
  await pause(1000);
  const opened = await server.ask<Usage>('usage');
  ms.length = 0;
  await devices.ask('deliveries');
  await atRate(all, run);
  await pause(arrivesMs);
  const usage = await server.ask<Usage>('usage');
  const deliveries = await devices.ask<Deliveries>('deliveries');
  await devices.end();
  await server.end();
  return {
    writes: all,
    texts,
    idleMs: afterIdle.processorMs - idle.processorMs,
    measured: {
      patchMs: ms,
      deliveries,
      expected: all.reduce((sum, { from, until }) => sum + Math.min(until, people) - from, 0),
      processorMs: usage.processorMs - opened.processorMs,
      streamBytes: (opened.bytes - before.bytes) / people,
      usage,
    },
  };
}

/** `texts`: the events to send, in turn. */
async function measureBare(
  people: number,
  all: readonly Write[],
  texts: readonly string[],
): Promise<Measured> {
  const server = new Program(join(import.meta.dirname, 'bare.ts'));
  const { url } = JSON.parse(await server.line()) as { url: string };
  const requests = Array.from({ length: people }, (_, number) => ({
    path: `/?number=${number}`,
    headers: {},
  }));
  const before = await server.ask<Usage>('usage');
  const devices = await openStreams(url, requests);
  await pause(1000);
  const opened = await server.ask<Usage>('usage');
  await devices.ask('deliveries');
  let turn = 0;
  await atRate(all, async ({ from, until }) => {
    const text = must(texts[turn % texts.length], 'a text');
    turn += 1;
    server.tell({ from, until, text: text.replace(/Changed at [\d.]+;/, `Changed at ${now().toFixed(3)};`) });
  });
  await pause(arrivesMs);
  const usage = await server.ask<Usage>('usage');
  const deliveries = await devices.ask<Deliveries>('deliveries');
  await devices.end();
  await server.end();
  return {
    patchMs: [],
    deliveries,
    expected: all.reduce((sum, { from, until }) => sum + Math.min(until, people) - from, 0),
    processorMs: usage.processorMs - opened.processorMs,
    streamBytes: (opened.bytes - before.bytes) / people,
    usage,
  };
}

function quantile(numbers: readonly number[], share: number): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cellsOf(name: string, streams: number, measured: Measured, fanOutMs: number): string[] {
  const { patchMs, deliveries, expected, streamBytes, usage } = measured;
  return [
    `${streams} ${name}`,
    patchMs.length === 0 ? '' : `${quantile(patchMs, 0.5)} / ${quantile(patchMs, 0.95)}`,
    `${quantile(deliveries.delays, 0.5)} / ${quantile(deliveries.delays, 0.95)}`,
    `${deliveries.delays.length} of ${expected}`,
    `${((fanOutMs * 1000) / Math.max(1, deliveries.delays.length)).toFixed(1)}`,
    `${(streamBytes / 1000).toFixed(0)}`,
    `${usage.stillP99.toFixed(1)} / ${usage.stillMost.toFixed(1)}`,
  ];
}

async function main(): Promise<void> {
  const table: string[] = [];
  for (const streams of values.streams.split(',').map(Number)) {
    say(`${streams} streams …`);
    const { measured, idleMs, writes: all, texts } = await measureServer(streams);
    const bare = await measureBare(streams, all, texts);
    const fanOut = Math.max(0, measured.processorMs - idleMs);
    table.push(
      row([
        ...cellsOf('server', streams, measured, fanOut),
        `${(fanOut / bare.processorMs).toFixed(2)} (all: ${(measured.processorMs / bare.processorMs).toFixed(2)})`,
      ]),
      row([...cellsOf('bare loop', streams, bare, bare.processorMs), '1']),
    );
  }
  const head = [
    'Streams',
    'PATCH p50 / p95, ms',
    'Delivery p50 / p95, ms',
    'Arrived',
    'Processor per delivery, µs',
    'KB a stream',
    'Loop still p99 / most, ms',
    'Processor, x bare',
  ];
  say([row(head), row(head.map(() => '---')), ...table].join('\n'));
}

try {
  await main();
} finally {
  endPrograms();
}
