import { expect, test } from 'vitest';

import { openEngine } from '#desktop/engine/open.ts';
import { startServer } from '#test/support/server.ts';

import { newDisk, platformOn, serverAddress } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { openWholeDevice, startWholeDevice } from './support/whole-device.ts';

test('MIRROR-17 a server too old for the check is reported in words', async () => {
  await using server = await startServer();
  await server.person('Ada');
  const message = 'Endpoint not found';
  const older: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (address.includes('/sync/1/digest'))
      return Response.json({ error: true, message, msg: message }, { status: 404 });
    return fetch(address.replace(serverAddress, server.url), init);
  };
  await using device = await openWholeDevice(older, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  await expect(device.actions.checkDevice()).rejects.toThrow('The server is too old to check this device');
});

test('MIRROR-17 closing the app ends a check whose response stalls', async () => {
  await using server = await startServer();
  await server.person('Ada');
  const asked = Promise.withResolvers<void>();
  const stalling: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.includes('/sync/1/digest')) return fetch(address.replace(serverAddress, server.url), init);
    asked.resolve();
    return new Response(
      new ReadableStream({
        start: (controller) =>
          init?.signal?.addEventListener('abort', () => controller.error(new Error('given up'))),
      }),
    );
  };
  const device = await openWholeDevice(stalling, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  const check = expect(device.actions.checkDevice()).rejects.toThrow();
  await asked.promise;
  await device[Symbol.asyncDispose]();
  await check;
});

test('MIRROR-17 a check of the device finds and names differences from the server, repairs them, and renews the files', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const titled = (title: string) =>
    ada.client.guides.create({ body: { category: 'Bench Grinder', type: 'repair', title, public: true } });
  const right = await titled('Right all along');
  const wrong = await titled('Damaged on the way');
  const lost = await titled('Lost on the way');
  const ghost = '987654';
  // An initial load that goes wrong without breaking off: one record damaged, one omitted, one invented.
  const spoil = (text: string): string =>
    text
      .split('\n')
      .flatMap((line) => {
        if (line.includes('Lost on the way')) return [];
        if (!line.includes('Damaged on the way')) return [line];
        const made = line.replace(/"id":"\d+"/, `"id":"${ghost}"`).replace('Damaged on the way', 'Never was');
        return [line.replace('Damaged on the way', 'Dmaaged on the way'), made];
      })
      .join('\n');
  const spoiling: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const response = await fetch(address.replace(serverAddress, server.url), init);
    if (!address.includes('/sync/1/bootstrap')) return response;
    return new Response(spoil(await response.text()), {
      status: response.status,
      headers: { 'content-type': 'x' },
    });
  };
  const disk = newDisk();
  const first = await openEngine(platformOn(disk, testEnvironment(spoiling, 1)));
  await first.actions.signIn(serverAddress, 'ada@example.com', 'a long password');
  await new Promise<void>((resolve, reject) => {
    first.views.syncState().subscribe(({ lastSyncedAt }) => lastSyncedAt !== null && resolve(), reject);
  });
  await first.close();
  await using device = await startWholeDevice(() => server.url, disk);
  await device.inSync();
  const titles = async () =>
    Promise.all(
      [right.guideid, wrong.guideid, lost.guideid, Number(ghost)].map(
        async (id) => (await device.look('guide', String(id)))?.title ?? null,
      ),
    );
  expect(await titles()).toEqual(['Right all along', 'Dmaaged on the way', null, 'Never was']);

  const isMarked = (): boolean =>
    [...disk.journal.values()].some((bytes) => new TextDecoder('latin1').decode(bytes).includes('leaving/'));
  expect(isMarked()).toBe(false);
  const { records, differences } = await device.actions.checkDevice();
  expect(isMarked()).toBe(true);
  expect(records).toBeGreaterThanOrEqual(3);
  expect(differences.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { c: 'guides', id: String(wrong.guideid), kind: 'different', title: 'Damaged on the way' },
    { c: 'guides', id: ghost, kind: 'extra', title: '' },
    { c: 'guides', id: String(lost.guideid), kind: 'missing', title: 'Lost on the way' },
  ]);
  expect(await titles()).toEqual(['Right all along', 'Damaged on the way', 'Lost on the way', null]);
  expect(await device.actions.checkDevice()).toEqual({ records, differences: [] });

  const { status } = await ada.call('PATCH', `/guides/${wrong.guideid}?revisionid=${wrong.revisionid}`, {
    title: 'Changed afterwards',
  });
  expect(status).toBe(200);
  await device.shows((guide) => guide?.title === 'Changed afterwards', 'guide', String(wrong.guideid));
  expect((await device.actions.checkDevice()).differences).toEqual([]);
});
