/** `npm run bench:growth`: the same calls on sites of increasing size (README.md of test/bench). */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { runCommand } from '#test/support/command-line.ts';
import { startServerProcess } from '#test/support/server-process.ts';

import { corpusWords } from '../corpus.ts';
import { median } from '../table.ts';
import { fill, type Ground, type Size } from './fill.ts';

const { values } = parseArgs({
  options: {
    guides: { type: 'string', default: '1000,10000,100000' },
    rounds: { type: 'string', default: '9' },
  },
});
const rounds = Number(values.rounds);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Entries and planned orders for each guide. */
const entriesOfGuide = 10;

/** More characters than the last line of a first load has. */
const longestTail = 10_000;

/** Median times on one site, ms, by what was done. */
type Times = Map<string, number>;

async function measure(size: Size): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-growth-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  try {
    say(`Filling a site with ${size.guides} guides and ${size.entries} work orders …`);
    const ground = await fill(dataDir, size);
    const times = await timesOf(dataDir, ground, size);
    times.set('database, MB', statSync(join(dataDir, databaseName)).size / 1e6);
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timesOf(dataDir: string, ground: Ground, size: Size): Promise<Times> {
  await using server = await startServerProcess({ dataDir });
  const send = async (token: string, path: string, init: RequestInit = {}): Promise<string> => {
    const headers = { Authorization: `api ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(server.url + path, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  };
  const times: Times = new Map();
  const time = async (what: string, work: (round: number) => Promise<unknown>): Promise<void> => {
    await work(rounds);
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      await work(round);
      taken.push(performance.now() - begun);
    }
    times.set(what, median(taken));
  };
  const api = '/api/2.0';
  const word = (round: number): string => corpusWords[round % corpusWords.length] ?? '';
  const lastPage = size.guides - 20;
  const guideAt = (round: number, step: number): number => 1 + ((round * step) % size.guides);
  await time('first page of guides', (n) => send(ground.worker, `${api}/guides?limit=20&offset=${n}`));
  await time('last page of guides', (n) =>
    send(ground.worker, `${api}/guides?limit=20&offset=${lastPage - n}`),
  );
  await time('guide', (n) => send(ground.worker, `${api}/guides/${guideAt(n, 97)}`));
  await time('search: words of every other guide', (n) =>
    send(ground.worker, `${api}/search/${word(n)} ${word(n + 7)}`),
  );
  await time('search: number of one guide', (n) =>
    send(ground.worker, `${api}/search/${size.guides - n * 13}`),
  );
  await time('work log of a person', (n) =>
    send(ground.worker, `${api}/work_log?userid=${ground.userid}&offset=${n}`),
  );
  await time('work log of a guide', (n) => send(ground.admin, `${api}/work_log?guideid=${1 + n}`));
  await time('work log of the site', (n) => send(ground.admin, `${api}/work_log?offset=${n}&order=DESC`));
  await time('board: open planned orders', (n) =>
    send(ground.lead, `${api}/work_orders?status=open&limit=50&offset=${n}`),
  );
  await time('planned orders of the site', (n) =>
    send(ground.admin, `${api}/work_orders?status=open&limit=50&offset=${n}`),
  );
  const change = async (guideid: number): Promise<void> => {
    const { revisionid } = JSON.parse(await send(ground.admin, `${api}/guides/${guideid}`)) as {
      revisionid: number;
    };
    await send(ground.admin, `${api}/guides/${guideid}?revisionid=${revisionid}`, {
      method: 'PATCH',
      body: JSON.stringify({ summary: `Changed at ${performance.now()}` }),
    });
  };
  /** The end of a response, which may be longer than a string. */
  const endOf = async (path: string, token: string): Promise<string> => {
    const response = await fetch(server.url + path, { headers: { Authorization: `api ${token}` } });
    const decoder = new TextDecoder();
    let end = '';
    for await (const piece of must(response.body, 'a body'))
      end = (end + decoder.decode(piece as Uint8Array, { stream: true })).slice(-longestTail);
    return end;
  };
  const checkpointIn = (text: string): string => {
    const tail = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '{}') as { checkpoint?: string };
    if (tail.checkpoint === undefined) throw new Error(`No checkpoint in ${text.slice(-200)}`);
    return encodeURIComponent(tail.checkpoint);
  };
  const loading = performance.now();
  let checkpoint = checkpointIn(await endOf('/sync/1/bootstrap', ground.worker));
  times.set('first load of a worker', performance.now() - loading);
  await time('pull without changes', () => send(ground.worker, `/sync/1/pull?since=${checkpoint}`));
  await time('change of a guide', (n) => change(guideAt(n, 31)));
  await time('change and pull', async (n) => {
    await change(guideAt(n + 3, 37));
    checkpoint = checkpointIn(await send(ground.worker, `/sync/1/pull?since=${checkpoint}`));
  });
  const target = join(dataDir, '..', 'backups');
  const begun = performance.now();
  const { code, err } = await runCommand(['backup', target, '--data', dataDir]);
  if (code !== 0) throw new Error(err);
  times.set('backup', performance.now() - begun);
  return times;
}

const sizes = values.guides.split(',').map((guides) => ({
  guides: Number(guides),
  entries: Number(guides) * entriesOfGuide,
  planned: Number(guides),
}));
const columns: Times[] = [];
for (const size of sizes) columns.push(await measure(size));
const names = [...(columns[0]?.keys() ?? [])];
const rows = [
  ['ms', ...sizes.map(({ guides, entries }) => `${guides} guides, ${entries} orders`), 'last / first'],
  ...names.map((name) => {
    const figures = columns.map((times) => times.get(name) ?? Number.NaN);
    const growth = (figures.at(-1) ?? Number.NaN) / (figures[0] ?? Number.NaN);
    return [name, ...figures.map((figure) => figure.toFixed(1)), `${growth.toFixed(1)}x`];
  }),
];
const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
for (const row of rows)
  say(
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
