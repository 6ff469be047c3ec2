/**
 * Prints what a long outbox costs in Chromium, on IndexedDB and the private file system, to start and to send: `node
 * test/bench/waiting.ts [5000 10000 …]`.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import type { CDPSession, Page } from 'playwright-core';

import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { batchLimits } from '#shared/sync/wire.ts';
import { launchProfile } from '#test/support/browser.ts';
import { servePages } from '#test/support/serve-pages.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { plainGuide } from '#test/support/guide-edits.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { layWire } from '#test/support/wire-cut.ts';
import { makeGuide } from '#test/support/workshop.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'no-send': { type: 'boolean', default: false },
    'real-server': { type: 'boolean', default: false },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [5000, 10_000, 25_000, 50_000];
const guides = 50;
const parts = 5;
const profileTo = process.env['BENCH_PROFILE'];

await using resources = new AsyncDisposableStack();
const pages = await servePages(resources, join(import.meta.dirname, 'pages'), 'waiting.html');
for (const size of sizes) await measure(size);

/** The destination of the calls. */
interface Target extends AsyncDisposable {
  url: string;
  token: string;
  guideids: number[];
}

async function realServer(): Promise<Target> {
  const server = await startServer({ site: { cors_origins: [new URL(pages).origin] } });
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guideids: number[] = [];
  for (let made = 0; made < guides; made += 1) guideids.push((await makeGuide(ada)).guideid);
  return {
    url: server.url,
    token: ada.token,
    guideids,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A server that accepts every call immediately and stores it in memory, so that the device is measured. */
async function memoryServer(): Promise<Target> {
  const standIn = new StandInServer();
  const guideids = Array.from({ length: guides }, (_, index) => index + 1);
  for (const id of guideids) standIn.put('guides', String(id), { ...plainGuide, guideid: id });
  const listening = await serveFetch(async (request) =>
    standIn.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: await request.text(),
      signal: request.signal,
    }),
  );
  return {
    url: listening.url,
    token: 'token',
    guideids,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

async function measure(count: number): Promise<void> {
  await using server = await (values['real-server'] ? realServer() : memoryServer());
  await using profile = await temporaryFolder('waiting-profile');
  await using wire = await layWire(server.url);
  const { guideids } = server;
  const context = await launchProfile(profile.path);
  const open = async (): Promise<{ page: Page; devtools: CDPSession }> => {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.goto(`${pages}/waiting.html`);
    await page.waitForFunction(() => 'waiting' in window);
    return { page, devtools };
  };
  const first = await open();
  await first.page.evaluate(() => window.waiting.open(0));
  await first.page.evaluate(([url, email]) => window.waiting.signIn(url, email), [
    wire.url,
    'ada@example.com',
  ] as const);
  wire.cut();
  await first.page.evaluate(() => window.waiting.close());
  await first.page.close();

  const empty = await open();
  const floor = await empty.page.evaluate(() => window.waiting.open(0));
  const emptyHeap = await heap(empty.devtools);
  const fill = await empty.page.evaluate(([size, ids]) => window.waiting.fill(size, ids), [
    count,
    guideids,
  ] as const);
  await empty.page.close();

  const full = await open();
  const start = await profiled(full.devtools, `start-${count}`, () =>
    full.page.evaluate((pending) => window.waiting.open(pending), count),
  );
  const fullHeap = await heap(full.devtools);
  const list = await full.page.evaluate(() => window.waiting.list());
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`${count} calls`);
  say(`  written in ${(fill / 1000).toFixed(1)} s`);
  say(
    `  start ${(start.ms / 1000).toFixed(2)} s (empty ${(floor.ms / 1000).toFixed(2)} s), main thread held ${start.held.all.toFixed(0)} ms, longest ${start.held.longest.toFixed(0)} ms`,
  );
  say(`  heap ${fullHeap.toFixed(0)} MB (empty ${emptyHeap.toFixed(0)} MB)`);
  say(`  list of what waits ${list.toFixed(0)} ms`);
  if (!values['no-send']) {
    wire.mend();
    const sent = await profiled(full.devtools, `send-${count}`, () =>
      full.page.evaluate((size) => window.waiting.send(size), parts),
    );
    const sentHeap = await heap(full.devtools);
    const rates = sent.at.map((at, index) => (count / parts / (at - (sent.at[index - 1] ?? 0))) * 1000);
    const raw = await rawRate(server.url, server.token, Math.min(count, 5000));
    say(
      `  sent at ${rates.map((rate) => rate.toFixed(0)).join(', ')} calls/s; the server alone takes ${raw.toFixed(0)}; main thread held ${(sent.held.all / 1000).toFixed(1)} s of ${((sent.at.at(-1) ?? 0) / 1000).toFixed(1)}, longest ${sent.held.longest.toFixed(0)} ms, heap ${sentHeap.toFixed(0)} MB`,
    );
  }
  await context.close();
}

/** MB of the page's heap, without garbage. */
async function heap(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  // Objects released by finalizers are collected in the second round.
  await devtools.send('Runtime.evaluate', {
    expression: 'new Promise((done) => setTimeout(done, 500))',
    awaitPromise: true,
  });
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1e6;
}

/** Serves the responses of `answer` on a free port of this machine, to pages of any origin. */
async function serveFetch(
  answer: (request: Request) => Promise<Response>,
): Promise<AsyncDisposable & { url: string }> {
  const allowed = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-app-id',
    'access-control-allow-methods': '*',
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204, allowed).end();
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const { method = 'GET', url = '/' } = incoming;
    const body = method === 'GET' ? null : await buffer(incoming);
    const headers = { authorization: incoming.headers.authorization ?? '' };
    const request = new Request(`http://server${url}`, { method, headers, body, signal: gone.signal });
    const response = await answer(request);
    outgoing.writeHead(response.status, { ...allowed, ...Object.fromEntries(response.headers) });
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** With `BENCH_PROFILE=FOLDER`, writes time and allocation profiles into that folder. */
async function profiled<T>(devtools: CDPSession, name: string, work: () => Promise<T>): Promise<T> {
  if (profileTo === undefined) return work();
  await devtools.send('Profiler.enable');
  await devtools.send('HeapProfiler.startSampling', { samplingInterval: 65_536 });
  await devtools.send('Profiler.start');
  const result = await work();
  await devtools.send('HeapProfiler.collectGarbage');
  const kept = await devtools.send('HeapProfiler.stopSampling');
  writeFileSync(join(profileTo, `${name}.heapprofile`), JSON.stringify(kept.profile));
  const { profile } = await devtools.send('Profiler.stop');
  writeFileSync(join(profileTo, `${name}.cpuprofile`), JSON.stringify(profile));
  return result;
}

/** Calls per second in sequential batches to the server, by a client that stores nothing. */
async function rawRate(url: string, token: string, count: number): Promise<number> {
  const began = performance.now();
  for (let from = 0; from < count; from += batchLimits.calls) {
    const calls = Array.from({ length: batchLimits.calls }, (_, index) => {
      const id = crypto.randomUUID();
      return {
        id,
        lane: `comment:${id}`,
        method: 'POST',
        path: `/comments/guide/${1 + (index % guides)}`,
        body: { text: `A comment of the raw client ${'and more words of it '.repeat(8)}${from + index}` },
      };
    });
    const response = await fetch(`${url}/sync/1/batch?protocol=${unannouncedProtocol}`, {
      method: 'POST',
      headers: { Authorization: `api ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
    });
    const lines = (await response.text()).trim().split('\n').slice(1);
    const taken = lines.filter((line) => line.includes('"status":201')).length;
    if (taken !== calls.length)
      throw new Error(`The server took ${taken} of ${calls.length} calls: ${lines[0]}`);
  }
  return count / ((performance.now() - began) / 1000);
}
