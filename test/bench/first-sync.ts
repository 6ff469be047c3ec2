/**
 * Prints how long the initial load of 10,000 guides takes in Chromium, beside a hand-written Dexie loop: `node
 * test/bench/first-sync.ts`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { GuideFacts } from '#shared/model/guide.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { launchProfile } from '#test/support/browser.ts';
import { servePages } from '#test/support/serve-pages.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const guides = 10_000;
const rounds = 3;
const words =
  'belt guard motor screw loosen tighten remove turn clean inspect bearing spindle wheel rest gauge clamp'.split(
    ' ',
  );

function text(seed: number, length: number): string {
  return Array.from(
    { length },
    (_, index) => words[(seed * 7 + index * (3 + (seed % 5))) % words.length],
  ).join(' ');
}

/** About 4 KB of facts: 20 steps. */
function guide(guideid: number): Partial<GuideFacts> {
  const steps = Array.from({ length: 20 }, (_, index) => ({
    stepid: guideid * 100 + index,
    revisionid: 1,
    title: text(guideid + index, 3),
    lines: [
      {
        id: `l${index}`,
        lineid: null,
        bullet: 'black' as const,
        level: 0,
        text_raw: text(guideid * index, 12),
      },
    ],
    media: { type: 'image' as const, data: [] },
    time_estimate: 0,
  }));
  const rest = {
    category: 'Bench Grinder',
    type: 'repair',
    difficulty: 'Easy',
    time_required_max: 600,
    public: true,
    userid: 1,
    modified_date: 1,
  };
  return {
    guideid,
    revisionid: 1,
    title: text(guideid, 5),
    summary: text(guideid, 20),
    image: null,
    steps,
    ...rest,
  };
}

function bootstrapStream(): Buffer {
  const lines: object[] = [
    { protocol: unannouncedProtocol, history: 'bench', now: Date.now(), total: guides },
  ];
  for (let id = 1; id <= guides; id += 1)
    lines.push({ c: 'guides', id: String(id), seq: id, doc: guide(id) });
  lines.push({ checkpoint: `${guides}.0`, more: false });
  return gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 1 });
}

async function serveBootstrap(): Promise<AsyncDisposable & { url: string }> {
  const body = bootstrapStream();
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const server = createServer((request, response) => {
    response.writeHead(200, {
      ...headers,
      ...(request.method === 'GET' ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(request.method === 'GET' ? body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

await using resources = new AsyncDisposableStack();
const url = await servePages(resources, join(import.meta.dirname, 'pages'), 'first-sync.html');
await using profile = await temporaryFolder('first-sync-profile');
await using server = await serveBootstrap();
const context = await launchProfile(profile.path);
const page = await context.newPage();
await page.goto(`${url}/first-sync.html`);
for (let round = 1; round <= rounds; round += 1) {
  const byHand = await page.evaluate((url) => window.loadByHand(url, 'token'), server.url);
  const engine = await page.evaluate((url) => window.loadThroughEngine(url, 'token'), server.url);
  process.stdout.write(
    `by hand ${(byHand / 1000).toFixed(2)} s, engine ${(engine / 1000).toFixed(2)} s, ${(engine / byHand).toFixed(2)} times\n`,
  );
}
await context.close();
