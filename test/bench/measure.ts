import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { build } from 'vite';

import { must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { freshDevice } from './browser.ts';
import { writeCorpus } from './corpus.ts';
import type { Measured } from './page/main.ts';
import { servePlainRecords } from './plain-server.ts';
import { median, type Figure } from './table.ts';

interface Options {
  guides: number;
  rounds: number;
  /** Folder for the built page. */
  pageDir: string;
  say: (line: string) => void;
}

interface World {
  server: TestServer;
  author: TestPerson;
  reader: TestPerson;
  guides: number;
}

const readerEmail = 'reader@example.com';
const password = 'a long password';

/** Measures on a temporary server, in alternating rounds, and returns medians. */
export async function measureSync({ guides, rounds, pageDir, say }: Options): Promise<Figure[]> {
  await buildPage(pageDir);
  await using server = await startServer({
    appDir: pageDir,
    checked: false,
    // The records of plain replication are read in one minute.
    limits: { anonymousPerMinute: 1_000_000 },
  });
  const world: World = {
    server,
    guides,
    author: await server.person('Author'),
    reader: await server.person('Reader'),
  };
  say(`writing ${guides} guides …`);
  await writeCorpus(server, guides, world.author.userid);
  await server.packs.make();
  await using plain = await servePlainRecords(server, guides);
  const found = new Map<string, number[]>();
  const note = (name: string, value: number): void => {
    found.set(name, [...(found.get(name) ?? []), value]);
    say(`  ${name}: ${value.toFixed(1)}`);
  };
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    await measureFloor(world, note);
    await measureDevice(world, round, note);
    await measurePlain(world, plain.url, note);
    await measureServer(world, note);
  }
  const of = (name: string): number => median(must(found.get(name), name));
  return figuresOf(of, guides, await bodyBytes(server));
}

type Note = (name: string, value: number) => void;

function perSecond({ guides, ms }: Measured): number {
  return guides / (ms / 1000);
}

async function measureFloor({ server, reader, guides }: World, note: Note): Promise<void> {
  await using device = await freshDevice(server.url);
  await device.bytes();
  const floor = await device.measure('floor', reader.token);
  mustBeAll(floor, guides);
  note('floor guides/s', perSecond(floor));
  note('floor ms', floor.ms);
  note('floor MB', (await device.bytes()) / 1e6);
}

async function measureDevice(world: World, round: number, note: Note): Promise<void> {
  const { server, author, reader, guides } = world;
  await using device = await freshDevice(server.url);
  await device.bytes();
  const first = await device.measure('firstSync', readerEmail, password, guides);
  mustBeAll(first, guides);
  note('first list ms', first.listedMs);
  note('first sync guides/s', perSecond(first));
  note('first sync MB', (await device.bytes()) / 1e6);

  await device.measure('look', '1');
  await device.bytes();
  const since = await placeOf(world);
  const title = `Renamed ${round}`;
  const seen = device.measure('seen', '1', title);
  await rename(author, 1, title);
  const renamedAt = performance.timeOrigin + performance.now();
  note('one change live ms', Math.max(0, (await seen) - renamedAt));
  note('one change bytes', await device.bytes());
  note('one change floor ms', (await device.measure('changeFloor', reader.token, since)).ms);
  note('one change floor bytes', await device.bytes());

  await device.measure('close');
  await rename(author, 2, title);
  await device.bytes();
  note('reopened ms', (await device.measure('reopen')).ms);
  note('reopened bytes', await device.bytes());
}

async function measurePlain({ server, guides }: World, url: string, note: Note): Promise<void> {
  await using device = await freshDevice(server.url);
  await device.bytes();
  note('plain guides/s', perSecond(await device.measure('plain', url, guides)));
  note('plain MB', (await device.bytes()) / 1e6);
}

/** Pages of the feed and the stream of the initial load, read by one client, beside reads of the same rows. */
async function measureServer({ server, reader, guides }: World, note: Note): Promise<void> {
  const headers = { Authorization: `api ${reader.token}`, 'Accept-Encoding': 'identity' };
  let start = performance.now();
  let pulled = 0;
  for (let place = '0.0', more = true; more;) {
    const response = await fetch(`${server.url}/sync/1/pull?since=${place}&limit=500`, { headers });
    const lines = (await response.text()).trimEnd().split('\n');
    const tail = JSON.parse(must(lines.at(-1), 'a last line')) as { checkpoint: string; more: boolean };
    pulled += lines.filter((line) => line.startsWith('{"c":"guides"') && line.includes('"doc":')).length;
    ({ checkpoint: place, more } = tail);
  }
  const ms = performance.now() - start;
  mustBeAll({ guides: pulled, ms }, guides);
  note('server pull guides/s', perSecond({ guides: pulled, ms }));

  start = performance.now();
  const stream = await fetch(`${server.url}/sync/1/bootstrap`, { headers });
  await stream.arrayBuffer();
  note('server stream guides/s', perSecond({ guides, ms: performance.now() - start }));

  using database = readOnly(join(server.dataDir, 'benchbook.sqlite'));
  start = performance.now();
  const read = database.prepare('SELECT id, seq, body FROM documents WHERE seq > ? ORDER BY seq LIMIT 500');
  let seq = 0;
  for (;;) {
    const rows = read.all(seq) as { seq: number }[];
    if (rows.length === 0) break;
    seq = must(rows.at(-1), 'a row').seq;
  }
  note('sqlite guides/s', perSecond({ guides, ms: performance.now() - start }));
}

function readOnly(path: string): Disposable & { prepare(text: string): BetterSqlite3.Statement } {
  const database = new BetterSqlite3(path, { readonly: true });
  return { prepare: (text) => database.prepare(text), [Symbol.dispose]: () => void database.close() };
}

function mustBeAll({ guides }: Measured, expected: number): void {
  if (guides !== expected) throw new Error(`Expected ${expected} guides and found ${guides}`);
}

async function rename(author: TestPerson, guideid: number, title: string): Promise<void> {
  const { revisionid } = await author.client.guides.read({ params: { guideid } });
  const { status } = await author.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title });
  if (status !== 200) throw new Error(`Renaming answered ${status}`);
}

async function placeOf({ server, reader }: World): Promise<string> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?collections=viewer`, {
    headers: { Authorization: `api ${reader.token}` },
  });
  const last = must((await response.text()).trimEnd().split('\n').at(-1), 'a last line');
  return (JSON.parse(last) as { checkpoint: string }).checkpoint;
}

async function bodyBytes({ services }: TestServer): Promise<number> {
  const rows = await services.storage.reader
    .selectFrom('documents')
    .select('body')
    .where('collection', '=', 'guides')
    .limit(500)
    .execute();
  return rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) / rows.length;
}

/** Builds the page of measurements into a folder. */
export async function buildPage(outDir: string): Promise<void> {
  await build({
    root: join(import.meta.dirname, 'page'),
    base: '/',
    configFile: false,
    logLevel: 'warn',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'chrome130' },
  });
}

function figuresOf(of: (name: string) => number, guides: number, bytes: number): Figure[] {
  const oneFetch = 'one fetch, one row per guide';
  return [
    {
      what: `First sync of ${guides} guides (${Math.round(bytes)} B each), fresh device`,
      value: of('first sync guides/s'),
      unit: 'guides/s',
      floor: { what: oneFetch, value: of('floor guides/s') },
      plain: of('plain guides/s'),
    },
    {
      what: '  over the wire',
      value: of('first sync MB'),
      unit: 'MB',
      floor: { what: 'the same stream', value: of('floor MB') },
      plain: of('plain MB'),
    },
    {
      what: '  until all of them are listed',
      value: of('first list ms'),
      unit: 'ms',
      floor: { what: 'one fetch, everything stored', value: of('floor ms') },
    },
    {
      what: `One change among ${guides}: until an open app shows it`,
      value: of('one change live ms'),
      unit: 'ms',
      floor: { what: 'one pull, one put', value: of('one change floor ms') },
    },
    {
      what: '  over the wire',
      value: of('one change bytes'),
      unit: 'B',
      floor: { what: 'one pull', value: of('one change floor bytes') },
    },
    {
      what: '  until a reopened app is equal',
      value: of('reopened ms'),
      unit: 'ms',
      note: 'database opened too',
    },
    { what: '  over the wire', value: of('reopened bytes'), unit: 'B' },
    {
      what: 'Server, pull in pages of 500',
      value: of('server pull guides/s'),
      unit: 'guides/s',
      floor: { what: 'the same rows from SQLite', value: of('sqlite guides/s') },
    },
    {
      what: 'Server, stream of the first load',
      value: of('server stream guides/s'),
      unit: 'guides/s',
      floor: { what: 'the same rows from SQLite', value: of('sqlite guides/s') },
    },
  ];
}
