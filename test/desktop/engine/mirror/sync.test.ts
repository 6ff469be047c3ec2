import { createRxDatabase } from 'rxdb';
import { filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { databaseVersion, plainSchema } from '#desktop/engine/storage/mirror-collections.ts';
import { must } from '#shared/must.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import {
  callsOf,
  commentOn,
  inSync,
  newDisk,
  noHistory,
  signIn,
  startDevice,
  syncState,
  type Device,
} from '#test/desktop/engine/support/device.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

async function start(server: StandInServer, disk = newDisk()): Promise<Device> {
  return endsWithTest(await startDevice(server, disk));
}

function guide(guideid: number, title: string, more: object = {}): Record<string, unknown> {
  return { guideid, title, revisionid: 1, steps: [], ...more };
}

async function titles({ core }: Device): Promise<string[]> {
  const rows = await firstValueFrom(core.mirror.guideRows());
  return rows.map(({ title }) => title).toSorted();
}

test('MIRROR-2 the initial load brings every record and continues from its checkpoint', async () => {
  const server = new StandInServer();
  for (let id = 1; id <= 2500; id += 1) server.put('guides', String(id), guide(id, `Guide ${id}`));
  const device = await start(server);
  await signIn(device);
  await inSync(device);
  expect(await titles(device)).toHaveLength(2500);
  server.put('guides', '7', guide(7, 'Renamed'));
  const renamed = await firstValueFrom(
    device.core.mirror.one('guides', '7').pipe(filter((found) => found?.facts.title === 'Renamed')),
  );
  expect(renamed?.seq).toBe(2501);
  expect(server.requests.filter((path) => path === '/sync/1/bootstrap')).toHaveLength(1);
});

test('MIRROR-2 an interrupted initial load is repeated and keeps nothing that the server removed meanwhile', async () => {
  const server = new StandInServer();
  for (let id = 1; id <= 1500; id += 1) server.put('guides', String(id), guide(id, `Guide ${id}`));
  let loads = 0;
  server.fault = (path) => {
    if (path !== '/sync/1/bootstrap') return undefined;
    loads += 1;
    return loads === 1 ? 'cut-answer' : undefined;
  };
  const device = await start(server);
  server.requests.length = 0;
  await signIn(device);
  await syncState(device, ({ connection }) => connection === 'offline');
  server.remove('guides', '3');
  await inSync(device);
  expect(loads).toBe(2);
  const found = await titles(device);
  expect(found).toHaveLength(1499);
  expect(found).not.toContain('Guide 3');
});

test('MIRROR-3 one pull serves all collections, page by page, to the end', async () => {
  const server = new StandInServer();
  server.put('guides', '1', guide(1, 'One'));
  const disk = newDisk();
  const first = await start(server, disk);
  await signIn(first);
  await inSync(first);
  await first.close();
  for (let id = 2; id <= 1200; id += 1)
    server.put(id % 2 === 0 ? 'guides' : 'comments', String(id), guide(id, `Guide ${id}`));
  server.requests.length = 0;
  const second = await start(server, disk);
  await syncState(second, ({ lastSyncedAt, phase }) => lastSyncedAt !== null && phase === 'idle');
  await expect.poll(() => titles(second)).toHaveLength(601);
  expect(server.requests.filter((path) => path === '/sync/1/pull')).toHaveLength(3);
  expect(server.requests).not.toContain('/sync/1/bootstrap');
});

test('MIRROR-4 a lower seq never replaces a higher one, by any path', async () => {
  const server = new StandInServer();
  server.put('guides', '1', guide(1, 'Old'));
  const device = await start(server);
  await signIn(device);
  await inSync(device);
  server.put('guides', '1', guide(1, 'New'));
  await firstValueFrom(
    device.core.mirror.one('guides', '1').pipe(filter((found) => found?.facts.title === 'New')),
  );
  server.feed.push({ c: 'guides', id: '1', seq: 1, doc: guide(1, 'Late'), nonce: 'x' });
  server.documents.set('guides/1', { c: 'guides', id: '1', seq: 1, doc: guide(1, 'Late') });
  server.put('comments', '9', { commentid: 9, guideid: 1 });
  await firstValueFrom(device.core.mirror.one('comments', '9').pipe(filter((found) => found !== null)));
  expect((await device.core.mirror.get('guides', '1'))?.facts.title).toBe('New');
});

test('MIRROR-5 removed records leave the mirror with their facts', async () => {
  const server = new StandInServer();
  server.put('guides', '1', guide(1, 'Secret'));
  const device = await start(server);
  await signIn(device);
  await inSync(device);
  server.remove('guides', '1');
  await firstValueFrom(device.core.mirror.one('guides', '1').pipe(filter((found) => found === null)));
  expect(await titles(device)).toEqual([]);
});

test('MIRROR-6 a change arrives live, and again after the stream was cut', async () => {
  const server = new StandInServer();
  server.put('guides', '1', guide(1, 'One'));
  const device = await start(server);
  await signIn(device);
  await inSync(device);
  server.cutStreams();
  server.put('guides', '2', guide(2, 'Two'));
  await firstValueFrom(device.core.mirror.one('guides', '2').pipe(filter((found) => found !== null)));
  server.put('guides', '3', guide(3, 'Three'));
  await firstValueFrom(device.core.mirror.one('guides', '3').pipe(filter((found) => found !== null)));
  expect(await titles(device)).toEqual(['One', 'Three', 'Two']);
});

test('MIRROR-6 a cut network shows as offline within a second, and as online when it is back', async () => {
  const server = new StandInServer();
  server.put('guides', '1', guide(1, 'One'));
  const device = await start(server);
  await signIn(device);
  await inSync(device);
  server.setUp(false);
  device.environment.waits.length = 0;
  await syncState(device, ({ connection }) => connection === 'offline');
  expect(device.environment.waits.filter((ms) => ms >= 1000)).toEqual([]);
  server.setUp(true);
  device.environment.online.next(false);
  device.environment.online.next(true);
  await inSync(device);
});

test('MIRROR-7 another history rebuilds the mirror and keeps waiting work', async () => {
  const server = new StandInServer();
  server.put('guides', '1', guide(1, 'One'));
  server.put('guides', '2', guide(2, 'Two'));
  const device = await start(server);
  await signIn(device);
  await inSync(device);
  server.setUp(false);
  server.restore('h2');
  server.put('guides', '1', guide(1, 'One of the backup'));
  await device.core.outbox.add([
    {
      kind: 'comment-add',
      lane: 'c',
      method: 'POST',
      path: '/comments/guide/1',
      body: { text: 'Kept' },
      target: { collection: 'comments', id: 'x' },
      subject: 'One',
    },
  ]);
  server.setUp(true);
  await expect.poll(() => titles(device)).toEqual(['One of the backup']);
  await inSync(device);
  expect(server.all('comments')).toHaveLength(1);
});

test('MIRROR-7 a record created after a restore under the number of a removed one arrives although its seq is lower', async () => {
  const server = new StandInServer();
  for (let id = 1; id <= 9; id += 1) server.put('guides', String(id), guide(id, `Guide ${id}`));
  const device = await start(server);
  device.core.handleConflicts({
    ...noHistory,
    pathNow: async () => null,
    settle: async () => ({ action: 'drop' }),
  });
  await signIn(device);
  await inSync(device);
  server.remove('guides', '9');
  await expect.poll(() => titles(device)).toHaveLength(8);
  server.setUp(false);
  server.restore('h2');
  server.put('guides', '1', guide(1, 'One of the backup'));
  server.setUp(true);
  await expect.poll(() => titles(device)).toEqual(['One of the backup']);
  await inSync(device);
  for (const id of [8, 9]) server.put('guides', String(id), guide(id, `New ${id}`));
  await expect.poll(() => titles(device)).toEqual(['New 8', 'New 9', 'One of the backup']);
});

test.each(['guides', 'comments', 'records', 'plugin-local-documents'])(
  'MIRROR-20 a device whose database lost %s does not claim to equal the server, and loads the missing records',
  async (lost) => {
    const server = new StandInServer();
    server.put('guides', '1', guide(1, 'One'));
    server.put('comments', '9', { commentid: 9, guideid: 1 });
    server.put('people', 'user:1', { kind: 'user', userid: 1, username: 'Ada' });
    const disk = newDisk();
    const before = await start(server, disk);
    await signIn(before);
    await inSync(before);
    await before.close();
    const { collectionStates } = disk.storage;
    for (const name of collectionStates.keys()) if (name.includes(lost)) collectionStates.delete(name);
    server.setUp(false);
    const device = await start(server, disk);
    await syncState(
      device,
      ({ connection, lastSyncedAt }) => connection === 'offline' && lastSyncedAt === null,
    );
    server.setUp(true);
    device.core.sync.now();
    await inSync(device);
    expect(await titles(device)).toEqual(['One']);
    expect(await device.core.mirror.get('comments', '9')).not.toBeNull();
    expect(await device.core.mirror.get('people', 'user:1')).not.toBeNull();
  },
);

test('MIRROR-1 a record in the mirror is shallow: fields for lists and lookups, and its facts as one string', async () => {
  const server = new StandInServer();
  const facts = guide(7, 'Belt', { steps: [{ stepid: 1, title: 'Open', lines: [] }] });
  server.put('guides', '7', facts);
  server.put('comments', '9', { commentid: 9, guideid: 7, text: 'Mind it' });
  const disk = newDisk();
  const device = await start(server, disk);
  await signIn(device);
  await inSync(device);
  const rows = [...disk.storage.collectionStates].flatMap(([name, { documents }]) =>
    /guides|comments/.test(name) ? [...documents.values()].filter(({ body }) => body !== '') : [],
  );
  const records = rows.map((row) => Object.entries(row).filter(([field]) => !field.startsWith('_')));
  expect(records).toHaveLength(2);
  for (const fields of records) for (const [, value] of fields) expect(value).not.toBeTypeOf('object');
  const [first] = records.map((fields) => new Map<string, unknown>(fields));
  expect(first?.get('title')).toBe('Belt');
  expect(JSON.parse(String(first?.get('body')))).toEqual(facts);
});

test('MIRROR-1 the database of an earlier version is removed: the mirror comes from the server, work from the journal', async () => {
  const server = new StandInServer();
  server.put('guides', '7', guide(7, 'Belt'));
  const disk = newDisk();
  const before = await start(server, disk);
  await signIn(before);
  await inSync(before);
  server.setUp(false);
  await before.core.outbox.add([commentOn('7', 'Mind the belt')]);
  await before.close();
  const [collection = ''] = disk.storage.collectionStates.keys();
  const home = must(/benchbook-[0-9a-f]+/.exec(collection)?.[0], 'the name of the home');
  disk.storage.collectionStates.clear();
  const older = await createRxDatabase({
    name: `${home}-v${databaseVersion - 1}`,
    storage: disk.storage,
    multiInstance: false,
  });
  const { wikis } = await older.addCollections({ wikis: { schema: plainSchema } });
  await wikis.insert({ id: '1', seq: 1, body: 'Of an earlier version' });
  await older.close();
  const stored = (): string =>
    JSON.stringify(
      [...disk.storage.collectionStates.values()].map(({ documents }) => [...documents.values()]),
    );
  expect(stored()).toContain('Of an earlier version');

  const device = await start(server, disk);
  expect(await titles(device)).toEqual([]);
  expect(stored()).not.toContain('Of an earlier version');
  expect(await callsOf(device)).toMatchObject([{ kind: 'comment-add', state: 'queued' }]);
  server.setUp(true);
  device.core.sync.now();
  await inSync(device);
  expect(await titles(device)).toEqual(['Belt']);
  expect(server.batches.flat()).toMatchObject([{ body: { text: 'Mind the belt' } }]);
});
