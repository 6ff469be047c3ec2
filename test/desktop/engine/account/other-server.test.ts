import { cpSync } from 'node:fs';

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { replaceServerKey } from '#server/core/identity/server-key.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { type Workshop, elsewhere, leaveWork, oldAddress, openWorkshop, signIn, work } from './network.ts';

/** Codes of refusals, by status. */
const refusals: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
};

/** An uncompressed picture: one of 800 × 600 has more than 1 MB. */
async function pictureFile(width: number, height: number): Promise<Blob> {
  const create = { width, height, channels: 3, background: '#3c3' } as const;
  const bytes = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

describe('another server', () => {
  test("ACCOUNT-3 OUTBOX-13 at the old address, with another person's account of the same number, gets none of the first one's work", async () => {
    await using workshop = await openWorkshop();
    await using other = await startServer();
    const ben = await other.person('Ben');
    expect(ben.userid).toBe(workshop.ana.userid);
    await other.category('Bench Grinder');
    await makeGuide(ben);
    const waiting = await leaveWork(workshop);
    workshop.network.put(oldAddress, other.url);
    workshop.device.actions.syncNow();
    await workshop.device.shows(({ trouble }) => /another server/.test(trouble ?? ''), 'syncState');
    await signIn(workshop, oldAddress, 'Ben');
    await workshop.device.inSync();
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting }]);
    expect(await workshop.comments(other)).toEqual([]);
    await workshop.device.actions.comment('guide', workshop.guideid, 'I am Ben');
    await workshop.device.inSync();
    expect(await workshop.comments(other)).toEqual(['I am Ben']);
    workshop.network.put(oldAddress, workshop.server.url);
    await signIn(workshop, oldAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    expect(await elsewhere(workshop)).toEqual([]);
  });

  test('ACCOUNT-5 that replaces the first one while the app is open gets nothing, not even a copy', async () => {
    await using folder = await temporaryFolder('homes');
    await using workshop = await openWorkshop();
    const { network, device, server } = workshop;
    await leaveWork(workshop);
    server.services.storage.checkpoint();
    cpSync(server.dataDir, folder.path, { recursive: true });
    replaceServerKey(folder.path);
    await using staging = await startServer({ dataDir: folder.path });
    network.put(oldAddress, staging.url);
    device.actions.syncNow();
    const { trouble } = await device.shows((state) => state.trouble !== null, 'syncState');
    expect(trouble).toContain(`there is another server at ${oldAddress}`);
    await workshop.restart();
    await workshop.device.shows((state) => state.trouble !== null, 'syncState');
    expect(await workshop.comments(staging)).toEqual([]);
    network.put(oldAddress, server.url);
    workshop.device.actions.syncNow();
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    expect((await workshop.device.look('syncState')).trouble).toBeNull();
  });

  /**
   * A copy of the workshop's server with its own key, like a staging site: it accepts the same tokens and has the
   * same history.
   */
  async function stagingOf({ server }: Workshop, dataDir: string): Promise<TestServer> {
    server.services.storage.checkpoint();
    cpSync(server.dataDir, dataDir, { recursive: true });
    replaceServerKey(dataDir);
    return startServer({ dataDir });
  }

  test('ACCOUNT-10 is noticed by its response, even if the connection was never lost: nothing is sent to it', async () => {
    await using folder = await temporaryFolder('homes');
    await using workshop = await openWorkshop();
    const { network, device, server, guideid } = workshop;
    await using staging = await stagingOf(workshop, folder.path);
    // The event stream of the first server stays open.
    network.put(oldAddress, staging.url);
    await device.actions.comment('guide', guideid, 'Mind the belt');
    const { trouble } = await device.shows((state) => state.trouble !== null, 'syncState');
    expect(trouble).toContain(`there is another server at ${oldAddress}`);
    expect(await workshop.comments(staging)).toEqual([]);
    expect((await device.look('syncState')).pending).toBe(1);
    network.put(oldAddress, server.url);
    device.actions.syncNow();
    await device.inSync();
    expect(await workshop.comments()).toEqual(['Mind the belt']);
  });

  test('ACCOUNT-10 is noticed by its response to a piece of a file: the file waits and continues at its own server', async () => {
    await using folder = await temporaryFolder('homes');
    await using workshop = await openWorkshop();
    const { network, device, server, ana } = workshop;
    await using staging = await stagingOf(workshop, folder.path);
    network.put(oldAddress, (path, init) => {
      const isPiece = init?.method === 'PATCH';
      if (isPiece) network.put(oldAddress, staging.url);
      return fetch(`${isPiece ? staging.url : server.url}${path}`, init);
    });
    await device.actions.keepPagePicture(await pictureFile(800, 600), 'belt.png');
    const { trouble, parked, pending } = await device.shows(
      (state) => state.trouble !== null || state.parked > 0,
      'syncState',
    );
    expect({ parked, pending }).toEqual({ parked: 0, pending: 1 });
    expect(trouble).toContain(`there is another server at ${oldAddress}`);
    const uploading = network.left.filter(({ path }) => path.startsWith('/sync/1/uploads'));
    expect(uploading.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'PATCH']);
    network.put(oldAddress, server.url);
    device.actions.syncNow();
    await device.inSync();
    expect((await ana.call('GET', '/user/media/images')).body).toMatchObject([{ width: 800, height: 600 }]);
  });

  test.each([401, 403, 404])(
    'ACCOUNT-10 is noticed by its refusal of a small file (%i): the file waits and continues at its own server',
    async (status) => {
      await using folder = await temporaryFolder('homes');
      await using workshop = await openWorkshop();
      const { network, device, server, ana } = workshop;
      await using staging = await stagingOf(workshop, folder.path);
      network.put(oldAddress, (path, init) => {
        if (!path.startsWith('/api/2.0/user/media/images')) return fetch(`${server.url}${path}`, init);
        network.put(oldAddress, staging.url);
        const refusal = { error: true, message: 'No', msg: 'No', code: refusals[status] };
        return Promise.resolve(Response.json(refusal, { status }));
      });
      await device.actions.keepPagePicture(await pictureFile(80, 60), 'belt.png');
      const { trouble, parked, pending } = await device.shows(
        (state) => state.trouble !== null || state.parked > 0,
        'syncState',
      );
      expect({ parked, pending }).toEqual({ parked: 0, pending: 1 });
      expect(trouble).toContain(`there is another server at ${oldAddress}`);
      expect((await device.look('session')).status).toBe('signed-in');
      network.put(oldAddress, server.url);
      device.actions.syncNow();
      await device.inSync();
      expect((await ana.call('GET', '/user/media/images')).body).toMatchObject([{ width: 80, height: 60 }]);
    },
  );

  test('ACCOUNT-10 a file waits where a refused sign-in is valid everywhere else', async () => {
    await using workshop = await openWorkshop();
    const { network, device, server, ana } = workshop;
    let refused = 0;
    network.put(oldAddress, (path, init) => {
      if (!path.startsWith('/api/2.0/user/media/images') || refused > 0)
        return fetch(`${server.url}${path}`, init);
      refused += 1;
      const refusal = { error: true, message: 'No', msg: 'No', code: refusals[401] };
      return Promise.resolve(Response.json(refusal, { status: 401 }));
    });
    await device.actions.keepPagePicture(await pictureFile(80, 60), 'belt.png');
    await expect.poll(() => refused).toBe(1);
    device.actions.syncNow();
    await device.inSync();
    expect((await device.look('session')).status).toBe('signed-in');
    expect((await ana.call('GET', '/user/media/images')).body).toMatchObject([{ width: 80, height: 60 }]);
  });

  test('ACCOUNT-10 is noticed before any request that needs the network', async () => {
    await using folder = await temporaryFolder('homes');
    await using workshop = await openWorkshop();
    const { network, device, server } = workshop;
    await using staging = await stagingOf(workshop, folder.path);
    network.put(oldAddress, staging.url);
    await server[Symbol.asyncDispose]();
    await device.shows(({ trouble }) => trouble !== null, 'syncState');
    await expect(device.actions.changeSite({ title: 'For the first one' })).rejects.toThrow('another server');
    expect(network.hasHeard(oldAddress, 'For the first one')).toBe(false);
  });

  test('ACCOUNT-10 is noticed by its response: nothing of it enters the library', async () => {
    await using folder = await temporaryFolder('homes');
    await using workshop = await openWorkshop();
    const { network, device, guideid } = workshop;
    await using staging = await stagingOf(workshop, folder.path);
    const tester = await staging.person('Tester');
    const path = `/guides/${guideid}`;
    const { revisionid } = (await tester.call('GET', path)).body as { revisionid: number };
    await tester.call('PATCH', `${path}?revisionid=${revisionid}`, { title: 'Of the staging site' });
    network.put(oldAddress, staging.url);
    device.actions.syncNow();
    const { trouble } = await device.shows((state) => state.trouble !== null, 'syncState');
    expect(trouble).toContain(`there is another server at ${oldAddress}`);
    expect((await tester.call('GET', path)).body).toMatchObject({ title: 'Of the staging site' });
    expect((await device.look('guide', guideid))?.title).not.toBe('Of the staging site');
  });

  test('ACCOUNT-3 restored from a copy with the same key and accounts is the same server', async () => {
    await using folder = await temporaryFolder('homes');
    await using workshop = await openWorkshop();
    const { network, server } = workshop;
    await leaveWork(workshop);
    server.services.storage.checkpoint();
    cpSync(server.dataDir, folder.path, { recursive: true });
    await using moved = await startServer({ dataDir: folder.path });
    network.put(oldAddress, moved.url);
    workshop.device.actions.syncNow();
    await workshop.device.inSync();
    expect(await workshop.comments(moved)).toEqual(work);
  });

  test('ACCOUNT-9 work left at sign-out is listed for the next person, and on the sign-in screen', async () => {
    await using workshop = await openWorkshop();
    await workshop.server.person('Ben');
    const waiting = await leaveWork(workshop);
    await workshop.device.actions.signOut();
    const listed = [{ server: oldAddress, username: 'Ana', changes: waiting }];
    expect(await elsewhere(workshop)).toEqual(listed);
    workshop.network.put(oldAddress, workshop.server.url);
    await signIn(workshop, oldAddress, 'Ben');
    await workshop.device.inSync();
    expect(await elsewhere(workshop)).toEqual(listed);
    expect(await workshop.comments()).toEqual([]);
  });
});
