import { afterEach, expect, test } from 'vitest';

import { openHome } from '#desktop/engine/account/leaving/home-database.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { newDisk, platformOn, serverAddress, type Disk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { openWholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

/** A server with a deviation that Ana's device may see. */
async function shop() {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['User', 'Author']);
  const guide = await makeGuide(ana);
  await makeForm(ana, guide);
  const began = await ana.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO-1' });
  const { entryid } = began.body as { entryid: number };
  const report = async (title: string): Promise<void> => {
    const { status } = await ana.call('POST', '/deviations', { entryid, title });
    expect(status).toBe(201);
  };
  return { server, entryid, report };
}

/** How a device of an app that does not know deviations receives its rows: as those of a kind that no app knows. */
function withoutDeviations(response: Response): Response {
  const text = new TransformStream<string, string>({
    transform: (chunk, controller) =>
      controller.enqueue(chunk.replaceAll('"c":"deviations"', '"c":"gadgets"')),
  });
  const body = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(text)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, response);
}

/** Removes from the mark of a home what an earlier app did not write. */
async function forgetKinds(disk: Disk, home: string): Promise<void> {
  const environment = testEnvironment(fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const { database, leave } = await openHome({ platform: platformOn(disk, environment), journal, home });
  const stored = must(await database.getLocal<Record<string, unknown>>('mirror'), 'the mark').toJSON().data;
  const { kinds: _, ...before } = stored;
  expect(before).toMatchObject({ state: 'ready' });
  await database.upsertLocal('mirror', before);
  await database.close();
  leave();
  await journal.close();
}

test('MIRROR-23 an app that an update taught a kind of records loads the earlier ones of it, once', async () => {
  const { server, entryid, report } = await shop();
  await report('Before the update');
  const disk = newDisk();
  const homes = new Set<string>();
  const { storage } = disk;
  disk.storage = {
    ...storage,
    createStorageInstance: (params) => {
      homes.add(params.databaseName);
      return storage.createStorageInstance(params);
    },
  };
  const app = { isOld: true, isOnline: true, asked: new Array<string>() };
  const fetchThere: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    app.asked.push(new URL(url).pathname);
    if (!app.isOnline) throw new TypeError('fetch failed');
    const response = await fetch(url.replace(serverAddress, server.url), init);
    return app.isOld ? withoutDeviations(response) : response;
  };
  const titles = async (device: Awaited<ReturnType<typeof openWholeDevice>>): Promise<string[]> =>
    (await device.look('deviations')).map(({ title }) => title).toSorted();

  {
    await using device = await openWholeDevice(fetchThere, disk);
    await device.signIn('Ana');
    await device.inSync();
    expect(await device.look('workOrder', String(entryid))).not.toBeNull();
    expect(await titles(device)).toEqual([]);
  }
  const home = must(
    [...homes].find((name) => name.startsWith('benchbook-')),
    'a home',
  ).replace(/-(?:v|g)\d.*$/, '');
  await forgetKinds(disk, home);
  app.isOld = false;
  app.isOnline = false;
  {
    await using device = await openWholeDevice(fetchThere, disk);
    // Offline, the rest is there.
    expect(await device.look('workOrder', String(entryid))).not.toBeNull();
    expect((await device.look('syncState')).phase).not.toBe('first-sync');
    app.isOnline = true;
    device.actions.syncNow();
    await device.shows((all) => all.length === 1, 'deviations');
    expect(await titles(device)).toEqual(['Before the update']);
    await device.inSync();
    await report('After the update');
    await device.shows((all) => all.length === 2, 'deviations');
  }
  app.asked = [];
  await using device = await openWholeDevice(fetchThere, disk);
  await device.inSync();
  expect(await titles(device)).toEqual(['After the update', 'Before the update']);
  expect(app.asked.filter((path) => path === '/sync/1/digest')).toEqual([]);
});
