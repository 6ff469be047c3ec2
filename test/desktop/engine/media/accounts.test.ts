import sharp from 'sharp';
import { expect, test } from 'vitest';
import { z } from 'zod';

import type { OfflineChoice } from '#desktop/engine/api/offline-records.ts';
import { usualChoice } from '#desktop/engine/features/media/offline-setting.ts';
import { newDisk, serverAddress } from '#test/desktop/engine/support/device.ts';
import { openWholeDevice, startWholeDevice } from '#test/desktop/engine/support/whole-device.ts';
import { movieFile } from '#test/support/media-files.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

const nothing: OfflineChoice = { ...usualChoice, favorites: false };
const everything: OfflineChoice = { ...nothing, everything: true };

async function upload(
  { url }: TestServer,
  { token }: TestPerson,
  path: string,
  body: BodyInit,
): Promise<unknown> {
  const headers = { Authorization: `api ${token}` };
  return (await fetch(`${url}/api/2.0/user/media/${path}`, { method: 'POST', headers, body })).json();
}

/** A guide of one step with a picture. Returns the guid of the picture. */
async function pictured(server: TestServer, person: TestPerson, isPublic: boolean): Promise<string> {
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const answer = await upload(server, person, 'images?file=step.png', new Uint8Array(picture));
  const { id, guid } = z.object({ image: z.object({ id: z.int(), guid: z.string() }) }).parse(answer).image;
  const media = { type: 'image' as const, data: [id] };
  const steps = [{ title: 'Open', lines: [{ text: 'Unplug it' }], media }];
  const about = { category: 'Bench Grinder', type: 'repair' as const, title: 'Belt', public: isPublic };
  await person.client.guides.create({ body: { ...about, steps } });
  return guid;
}

test('CARRY-15 files that another account on the device needs stay, and are not asked of the server for this one', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  await server.person('Ben');
  const secret = await pictured(server, ada, false);
  const shared = await pictured(server, ada, true);
  const disk = newDisk();
  const asked: string[] = [];
  const stored = async () =>
    (await disk.media.list()).map(({ key }) => key.replace(/^.*:|\..*$/g, '')).toSorted();
  await using device = await startWholeDevice((path) => {
    asked.push(path);
    return server.url;
  }, disk);
  await device.signIn('Ada');
  await device.inSync();
  await device.actions.keepOffline(everything);
  await expect.poll(stored).toEqual([secret, shared].toSorted());
  await device.actions.signOut();

  asked.length = 0;
  await device.signIn('Ben');
  await device.inSync();
  await device.actions.keepOffline(nothing);
  await device.shows(({ state }) => state === 'ready', 'offline');
  expect(await device.actions.removeUnneeded()).toBe(2);
  expect(await stored()).toEqual([secret, shared].toSorted());
  expect(asked.filter((path) => path.includes(secret))).toEqual([]);
});

test('CARRY-6 CARRY-15 after the database was lost, nothing is removed until the server has sent all records', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  await pictured(server, ada, true);
  const disk = newDisk();
  const stored = async () => (await disk.media.list()).length;
  {
    await using device = await startWholeDevice(() => server.url, disk);
    await device.signIn('Ada');
    await device.inSync();
    await device.actions.keepOffline(everything);
    await expect.poll(stored).toBe(1);
  }
  disk.storage = memoryStorage();
  const net = { isOn: false };
  await using device = await startWholeDevice(() => (net.isOn ? server.url : null), disk);
  await device.shows(({ state }) => state === 'incomplete', 'offline');
  await device.shows(({ unneeded }) => unneeded === 'incomplete', 'storageUse');
  await expect(device.actions.removeUnneeded()).rejects.toThrow('The server has not sent all guides yet');
  net.isOn = true;
  device.actions.syncNow();
  await device.shows(({ state }) => state === 'ready', 'offline');
  await device.shows(({ unneeded }) => typeof unneeded === 'object' && unneeded.count === 0, 'storageUse');
  expect(await stored()).toBe(1);
});

/** A server with a guide whose step shows a video of this brand. Returns the number of the video. */
async function filmed(server: TestServer, brand: string): Promise<number> {
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const answer = await upload(server, ada, 'videos?file=belt.mp4', movieFile(brand));
  const { videoid } = z.object({ videoid: z.int() }).parse(answer);
  const media = { type: 'object' as const, data: videoid };
  const steps = [{ title: 'Open', lines: [{ text: 'Unplug it' }], media }];
  const about = { category: 'Bench Grinder', type: 'repair' as const, title: 'Belt', public: true };
  await ada.client.guides.create({ body: { ...about, steps } });
  return videoid;
}

test('CARRY-18 a video of one server is not shown in a guide of another server, though both have the same number', async () => {
  await using first = await startServer();
  await using second = await startServer();
  expect(await filmed(first, 'isom')).toBe(await filmed(second, 'mp42'));
  const disk = newDisk();
  const elsewhere = 'http://other.test';
  await using device = await openWholeDevice(async (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    return fetch(asked.replace(serverAddress, first.url).replace(elsewhere, second.url), init);
  }, disk);
  const film = async (): Promise<string> => {
    const { guides } = await device.shows((page) => page.guides.length > 0, 'library', { category: null });
    const guide = await device.shows((one) => one !== null, 'guide', guides[0]?.guideid ?? '');
    const { file = '' } = guide?.steps[0]?.video ?? {};
    return (await (await disk.media.get(file))?.text()) ?? '';
  };
  await device.signIn('Ada');
  await device.inSync();
  await device.actions.keepOffline(everything);
  await expect.poll(film).toContain('ftypisom');
  await device.actions.signOut();
  await device.actions.signIn(elsewhere, 'ada@example.com', 'a long password');
  await device.inSync();
  await device.actions.keepOffline(everything);
  await expect.poll(film).toContain('ftypmp42');
});
