import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';

import { mirrorSite } from '#server/features/mirror-site/mirror.ts';
import { Outbound } from '#server/platform/outbound.ts';
import { findDocument } from '#server/storage/feed.ts';
import { movieFile } from '#test/support/media-files.ts';
import { runCommand } from '#test/support/command-line.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { layFlakyProxy } from './mirror-site/flaky-proxy.ts';
import { mirror, quickPace, startSource, type SourceSite } from './mirror-site/world.ts';
import { uploaded } from './omanual-import-calls.ts';

/** A source with three public guides. */
async function startSmall(): Promise<SourceSite> {
  const source = await startSource();
  await source.server.category('Lamp', undefined, 'All lamps.');
  for (const title of ['One', 'Two', 'Three'])
    await source.admin.call('POST', '/guides', { category: 'Lamp', type: 'repair', title, public: true });
  return source;
}

const titles = async (server: TestServer): Promise<string[]> => {
  const rows = await server.services.storage.reader.selectFrom('guides').select('title').execute();
  return rows.map(({ title }) => title).toSorted();
};
const all = ['One', 'Three', 'Two'];

/** A pace that notes each pause, and tells it. */
function noted(each: (count: number) => void = () => undefined) {
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    each(waits.length);
  };
  return { waits, pace: { ...quickPace, together: 1, wait } };
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

describe('MIRRORSITE-14 a run that waits says what happened, and when it tries again', () => {
  it('for a closed port, until it gives up', async () => {
    await using target = await startServer();
    let clock = 1_700_000_000_000;
    target.services.now = () => clock;
    const said: string[] = [];
    const { pace, waits } = noted(() => {
      clock += 60_000;
    });
    const url = `http://127.0.0.1:${await closedPort()}`;
    const run = mirrorSite(target.services, {
      url,
      token: 'f'.repeat(32),
      pace,
      waits: (words) => void said.push(words),
    });
    await expect(run).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'The site cannot be read: The connection failed (ECONNREFUSED), 7 times',
    });
    expect(said).toEqual(
      waits.map(
        (ms, index) =>
          `The connection failed (ECONNREFUSED). Trying again in ${Math.ceil(ms / 1000)} s (attempt ${index + 2} of 7).`,
      ),
    );
    expect(said).toHaveLength(6);
  });

  it('on the error output of the command', async () => {
    await using source = await startSmall();
    let calls = 0;
    await using proxy = await layFlakyProxy(source.server.url, () => {
      calls += 1;
      return calls === 1 ? 'error' : 'none';
    });
    await using target = await startServer();
    const { dataDir } = target;
    const { token } = source.admin;
    const { code, err } = await runCommand(['--data', dataDir, 'mirror', proxy.url, '--token', token]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^The site answered 500\. Trying again in 1 s \(attempt 2 of 7\)\.$/),
    ]);
  });
});

it('CLI-16 while another command imports or mirrors, the command says so', async () => {
  await using target = await startServer();
  using _lock = target.services.archives.lockForCommand();
  const { code, err } = await runCommand(['--data', target.dataDir, 'mirror', 'http://guides.example']);
  expect([code, err]).toEqual([
    1,
    'Another command (import or mirror) is working in this data folder; run this one when it has ended.',
  ]);
});

describe('MIRRORSITE-1 the name of a site that is not found any more', () => {
  /** A target for which `guides.example` is the source, while `isFound`. */
  async function startTarget(isFound: () => boolean): Promise<TestServer> {
    const target = await startServer();
    const resolve = async (): Promise<string[]> => (isFound() ? ['127.0.0.1'] : []);
    Object.assign(target.services, { outbound: new Outbound(() => [], resolve) });
    return target;
  }
  const named = (url: string): string => `http://guides.example:${new URL(url).port}`;

  it('is waited for, and the run goes on', async () => {
    await using source = await startSmall();
    let isFound = true;
    await using proxy = await layFlakyProxy(source.server.url, (_, path) => {
      if (path.startsWith('/api/2.0/guides/2?')) isFound = false;
      return 'none';
    });
    await using target = await startTarget(() => isFound);
    const { pace, waits } = noted((count) => {
      if (count === 3) isFound = true;
    });
    let wasLost = false;
    const lookedUp = (words: string): void => {
      wasLost ||= words.startsWith('guides.example cannot be found. Trying again in');
    };
    const report = await mirror(target, source, { url: named(proxy.url), pace, waits: lookedUp });
    expect(report).toMatchObject({ finished: true, missing: [] });
    expect([wasLost, waits.length >= 3, await titles(target)]).toEqual([true, true, all]);
  });

  it('ends the run with a sentence if it stays away, and the next run goes on', async () => {
    await using source = await startSmall();
    let isFound = true;
    await using proxy = await layFlakyProxy(source.server.url, (_, path) => {
      if (path.startsWith('/api/2.0/guides/2?')) isFound = false;
      return 'none';
    });
    await using target = await startTarget(() => isFound);
    const { pace } = noted();
    const report = await mirror(target, source, { url: named(proxy.url), pace });
    expect(report).toMatchObject({
      finished: false,
      stopped: 'The site does not answer any more (guides.example cannot be found, 7 times)',
    });
    expect((await mirror(target, source)).finished).toBe(true);
    expect(await titles(target)).toEqual(all);
  });
});

it('MIRRORSITE-1 a call that gets no answer, or an answer that does not end, is repeated after the time limit', async () => {
  await using source = await startSmall();
  const slow = new Set(['/api/2.0/guides/1?', '/api/2.0/guides/3?']);
  await using proxy = await layFlakyProxy(source.server.url, (_, path) => {
    const [found] = [...slow].filter((one) => path.startsWith(one));
    if (found === undefined) return 'none';
    slow.delete(found);
    return found.includes('1?') ? 'silent' : 'endless';
  });
  await using target = await startServer();
  const said: string[] = [];
  const pace = { ...quickPace, timeoutMs: 5000 };
  const report = await mirror(target, source, {
    url: proxy.url,
    pace,
    waits: (words) => void said.push(words),
  });
  expect(report).toMatchObject({ finished: true, missing: [] });
  expect([slow.size, said.some((one) => one.startsWith('The site did not answer in time.'))]).toEqual([
    0,
    true,
  ]);
  expect(await titles(target)).toEqual(all);
});

it('MIRRORSITE-3 a video comes with its bytes', async () => {
  await using source = await startSource();
  await source.server.category('Lamp', undefined, 'All lamps.');
  const bytes = movieFile('isom');
  const { videoid } = await uploaded(source.server, source.admin, 'videos?file=belt.mp4', bytes);
  const guide = { category: 'Lamp', type: 'repair', title: 'Belt', public: true, objectid: videoid };
  expect((await source.admin.call('POST', '/guides', guide)).status).toBe(201);
  await using target = await startServer();
  expect(await mirror(target, source)).toMatchObject({ finished: true, missing: [] });
  const { services } = target;
  const files = await services.storage.reader.selectFrom('video_files').select(['guid', 'sha256']).execute();
  expect(files).toHaveLength(1);
  const [{ guid, sha256 }] = files as [{ guid: string; sha256: string }];
  expect(new Uint8Array(await services.blobs.read(sha256))).toEqual(new Uint8Array(bytes));
  const facts = await findDocument(services.storage.reader, 'guides', 1);
  expect(facts?.intro_video?.encodings.map(({ url }) => url)).toEqual([`/igo/${guid}`]);
});
