import { cpSync } from 'node:fs';

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { scanSegment } from '#desktop/engine/journal/format.ts';
import { decodeBody } from '#desktop/engine/journal/records.ts';
import { replaceServerKey } from '#server/core/identity/server-key.ts';
import { changeSite } from '#server/core/site.ts';
import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';
import { must } from '#shared/must.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { testEnvironment } from '../support/environment.ts';
import {
  asBefore,
  forgetHomes,
  leaveWork,
  newAddress,
  oldAddress,
  openWorkshop,
  signIn,
  type Workshop,
} from './network.ts';

const work = ['And the switch', 'Mind the belt'];

/** Codes of refusals, by status. */
const refusals: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
};

/** A picture of as many bytes as it has colours: one of 800 × 600 is over 1 MB. */
async function pictureFile(width: number, height: number): Promise<Blob> {
  const create = { width, height, channels: 3, background: '#3c3' } as const;
  const bytes = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

/** What waits elsewhere, without the name that homes have on the device. */
async function elsewhere({ device }: Workshop): Promise<object[]> {
  const { elsewhere: found } = await device.look('session');
  return found.map(({ server, username, changes }) => ({ server, username, changes }));
}

/** Spoils the frames of the journal that hold a comment or a draft. */
function damageJournal(files: Map<string, Uint8Array>): void {
  let spoilt = 0;
  for (const [name, bytes] of files) {
    if (!name.includes('segment-')) continue;
    const { frames } = scanSegment(bytes, Number(name.slice(-8)));
    const copy = bytes.slice();
    for (const { at, payload } of frames) {
      if (!/"Mind the belt"|"drafts"/.test(JSON.stringify(decodeBody(payload)))) continue;
      copy[at + 30] = (copy[at + 30] ?? 0) ^ 0x11;
      spoilt += 1;
    }
    files.set(name, copy);
  }
  expect(spoilt).toBeGreaterThan(1);
}

/** Signs in and tells why that was refused. */
async function refusal(signingIn: Promise<void>): Promise<UnprovedServer> {
  const error = await signingIn.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof UnprovedServer) return error;
  throw new Error('Signing in was not refused', { cause: error });
}

describe('another address of the same server', () => {
  test('ACCOUNT-3 all work exists after the change from http to https, and is sent once', async () => {
    await using workshop = await openWorkshop({ origins: [newAddress] });
    const { network, device } = workshop;
    await leaveWork(workshop);
    network.put(newAddress, workshop.server.url);
    await signIn(workshop, newAddress);
    expect(await device.look('session')).toMatchObject({ server: newAddress, elsewhere: [] });
    const draft = await device.shows((found) => found !== null, 'draft', workshop.guideid);
    expect(draft?.content.title).toBe('Another title');
    await device.inSync();
    expect(await workshop.comments()).toEqual(work);
    await device.actions.saveDraft(workshop.guideid);
    await device.inSync();
    expect(await workshop.ana.client.guides.read({ params: { guideid: workshop.guideid } })).toMatchObject({
      title: 'Another title',
    });
  });

  test('ACCOUNT-6 tokens are never sent to another address', async () => {
    await using workshop = await openWorkshop({ origins: [newAddress] });
    const { network, device, disk } = workshop;
    network.put(newAddress, workshop.server.url);
    const secretsBefore = new Set(disk.secrets.keys());
    await signIn(workshop, newAddress);
    await device.inSync();
    await expect.poll(() => network.tokensAt(newAddress).size).toBeGreaterThan(0);
    const old = network.tokensAt(oldAddress);
    const now = network.tokensAt(newAddress);
    expect([old.size, now.size]).toEqual([1, 1]);
    expect([...now].some((token) => old.has(token))).toBe(false);
    const tokens = (names: Iterable<string>): string[] =>
      [...names].filter((name) => name.startsWith('token-'));
    expect(tokens(disk.secrets.keys())).toHaveLength(1);
    expect(tokens(disk.secrets.keys())).not.toEqual(tokens(secretsBefore));
  });

  test('ACCOUNT-4 nothing is sent to an address that the administrator has not named, until it is', async () => {
    await using workshop = await openWorkshop();
    const { network, device, server } = workshop;
    const waiting = await leaveWork(workshop);
    network.put(newAddress, server.url);
    const refused = await refusal(signIn(workshop, newAddress));
    expect(refused).toMatchObject({ reason: 'origin-not-named', origin: oldAddress, changes: waiting });
    expect(network.hasHeard(newAddress, 'Mind the belt')).toBe(false);
    const given = [...network.tokensAt(newAddress)].map((token) => ({ headers: { Authorization: token } }));
    expect(given).toHaveLength(1);
    for (const request of given)
      expect((await fetch(`${server.url}/api/2.0/user`, request)).status).toBe(401);
    // The person goes on where they were.
    expect(await device.look('session')).toMatchObject({ server: oldAddress, user: { username: 'Ana' } });
    expect((await device.look('syncState')).pending).toBe(3);
    await changeSite(server.services, { address: newAddress });
    await signIn(workshop, newAddress);
    await device.inSync();
    expect(await workshop.comments()).toEqual(work);
  });

  test('ACCOUNT-4 after the notice, the person starts anew there; the work is listed, and sent at its own server', async () => {
    await using workshop = await openWorkshop();
    const { network, device, server } = workshop;
    const waiting = await leaveWork(workshop);
    network.put(newAddress, server.url);
    await signIn(workshop, newAddress, 'Ana', true);
    await device.inSync();
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting }]);
    await device.actions.comment('guide', workshop.guideid, 'From the new address');
    await device.inSync();
    expect(await workshop.comments()).toEqual(['From the new address']);
    await workshop.restart();
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting }]);
    network.put(oldAddress, server.url);
    await signIn(workshop, oldAddress);
    await workshop.device.inSync();
    expect(await elsewhere(workshop)).toEqual([]);
    expect(await workshop.comments()).toEqual(['And the switch', 'From the new address', 'Mind the belt']);
  });

  test('ACCOUNT-4 work left at an address that is gone moves as soon as the new one is named', async () => {
    await using workshop = await openWorkshop();
    const { network, server } = workshop;
    await leaveWork(workshop);
    network.put(newAddress, server.url);
    await signIn(workshop, newAddress, 'Ana', true);
    await workshop.device.inSync();
    await workshop.device.actions.signOut();
    await changeSite(server.services, { address: newAddress });
    await signIn(workshop, newAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    expect(await elsewhere(workshop)).toEqual([]);
  });

  test('ACCOUNT-4 a person of an identity provider gets the same notice, and starts anew with another sign-on', async () => {
    await using workshop = await openWorkshop();
    const { network, device, server, ana } = workshop;
    const provider = new IdentityProvider();
    const mira = await server.person('Mira', ['User', 'Admin']);
    const { entryPoint, certificate } = provider;
    const sign_on = { entry_point: entryPoint, certificates: [certificate], sign_in_name: 'Example Works' };
    await mira.call('PATCH', '/site', {
      current_password: 'a long password',
      address: 'https://true.test',
      sign_on,
    });
    await mira.call('PATCH', `/users/${ana.userid}`, {
      sso_userid: 'ana@corp',
      current_password: 'a long password',
    });
    const signOn = async (apart?: boolean): Promise<void> => {
      const { url, verifier } = await device.actions.beginSignIn(newAddress, null);
      const request = IdentityProvider.read(url);
      const body = new URLSearchParams({
        RelayState: request.relayState,
        SAMLResponse: provider.answer(request),
      });
      const page = await fetch(`${server.url}/api/2.0/sign_on/assertions`, { method: 'POST', body });
      const code = must(/#sign-on=([\w-]{43})/.exec(await page.text())?.[1], 'a code');
      await device.actions.signInWithCode(newAddress, code, verifier, apart);
    };
    const waiting = await leaveWork(workshop);
    network.put(newAddress, server.url);
    expect(await refusal(signOn())).toMatchObject({ reason: 'origin-not-named', changes: waiting });
    expect(await device.look('session')).toMatchObject({ server: oldAddress, user: { username: 'Ana' } });
    await signOn(true);
    await device.inSync();
    expect(await device.look('session')).toMatchObject({ server: newAddress, user: { username: 'Ana' } });
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting }]);
    expect(await workshop.comments()).toEqual([]);
  });

  test('ACCOUNT-4 an unnamed address is no obstacle where nothing waits', async () => {
    await using workshop = await openWorkshop();
    workshop.network.put(newAddress, workshop.server.url);
    await signIn(workshop, newAddress);
    await workshop.device.inSync();
    expect(await workshop.device.look('session')).toMatchObject({ server: newAddress, elsewhere: [] });
  });
});

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

  /** A copy of the workshop's server with a key of its own, as a staging site: it knows the same tokens and history. */
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
    // The stream of events to the first server stays open.
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

test('ACCOUNT-8 a server without an identity opens no home that is bound to a server', async () => {
  await using workshop = await openWorkshop();
  const { network, device, server } = workshop;
  const waiting = await leaveWork(workshop);
  network.put(oldAddress, asBefore(server.url));
  device.actions.syncNow();
  await device.shows(({ trouble }) => trouble !== null, 'syncState');
  expect(await refusal(signIn(workshop, oldAddress))).toMatchObject({
    reason: 'no-identity',
    changes: waiting,
  });
  await signIn(workshop, oldAddress, 'Ana', true);
  await device.inSync();
  expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting }]);
  expect(await workshop.comments()).toEqual([]);
});

describe('a server that pretends to be ours', () => {
  /** The new address forwards to the real server, and may change questions and answers about identity. */
  function relay(
    workshop: Workshop,
    { ask, tell }: { ask?: (query: URLSearchParams) => void; tell?: (answer: object) => object },
  ): void {
    const { url } = workshop.server;
    workshop.network.put(newAddress, async (path, init) => {
      if (!path.startsWith('/sync/1/identity')) return fetch(`${url}${path}`, init);
      const query = new URL(path, url).searchParams;
      ask?.(query);
      const response = await fetch(`${url}/sync/1/identity?${query}`);
      const answer = (await response.json()) as object;
      return Response.json(tell?.(answer) ?? answer, { status: response.status });
    });
  }

  async function nothingLeft({ network, device }: Workshop): Promise<void> {
    expect(network.hasHeard(newAddress, 'Mind the belt')).toBe(false);
    expect((await device.look('syncState')).pending).toBe(3);
  }

  test('ACCOUNT-4 a relay gets no signature for its own address', async () => {
    await using workshop = await openWorkshop({ origins: ['https://true.test'] });
    await leaveWork(workshop);
    relay(workshop, {});
    expect((await refusal(signIn(workshop, newAddress))).reason).toBe('origin-not-named');
    await nothingLeft(workshop);
  });

  test('ACCOUNT-4 a relay that asks for a named address is detected', async () => {
    await using workshop = await openWorkshop({ origins: ['https://true.test'] });
    await leaveWork(workshop);
    for (const origin of ['https://true.test', 'http://127.0.0.1:4020']) {
      relay(workshop, { ask: (query) => query.set('origin', origin) });
      await expect(signIn(workshop, newAddress)).rejects.toThrow(/cannot prove that it is your server/);
      await nothingLeft(workshop);
    }
  });

  test('ACCOUNT-4 an old signature does not answer a new question', async () => {
    await using workshop = await openWorkshop({ origins: [newAddress] });
    let first: object | null = null;
    relay(workshop, { tell: (answer) => (first ??= answer) });
    await signIn(workshop, newAddress);
    await workshop.device.actions.signOut();
    await expect(signIn(workshop, newAddress)).rejects.toThrow(/cannot prove that it is your server/);
  });

  test('ACCOUNT-4 a copy of the id and the public key is useless without the private key', async () => {
    await using workshop = await openWorkshop({ origins: [newAddress] });
    await leaveWork(workshop);
    relay(workshop, {
      tell: (answer) => ({ ...answer, signature: 'A'.repeat(86) }),
    });
    await expect(signIn(workshop, newAddress)).rejects.toThrow(/cannot prove that it is your server/);
    await nothingLeft(workshop);
  });

  test('ACCOUNT-4 another key does not match the copied id', async () => {
    await using workshop = await openWorkshop({ origins: [newAddress] });
    await using other = await startServer();
    const { publicKey } = await other.services.identity.key();
    await leaveWork(workshop);
    relay(workshop, { tell: (answer) => ({ ...answer, publicKey }) });
    await expect(signIn(workshop, newAddress)).rejects.toThrow(/cannot prove that it is your server/);
    await nothingLeft(workshop);
  });
});

describe('homes of earlier versions', () => {
  /** Work waits in a profile that an earlier version of the app left, at a server of before. */
  async function earlier(options: { origins?: string[] } = {}): Promise<Workshop> {
    const workshop = await openWorkshop({ ...options, before: true });
    await leaveWork(workshop);
    await workshop.restart(() => forgetHomes(workshop.disk, workshop.ana.userid));
    expect((await workshop.device.look('activity')).length).toBeGreaterThan(2);
    const draft = await workshop.device.shows((found) => found !== null, 'draft', workshop.guideid);
    expect(draft?.content.title).toBe('Another title');
    return workshop;
  }

  test('ACCOUNT-7 open offline, and are bound at the first contact under their token', async () => {
    await using workshop = await earlier();
    const { network, server } = workshop;
    network.put(oldAddress, server.url);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    await using other = await startServer();
    await other.person('Ana');
    await workshop.restart(() => network.put(oldAddress, other.url));
    await workshop.device.shows(({ trouble }) => /another server/.test(trouble ?? ''), 'syncState');
  });

  test('ACCOUNT-7 ACCOUNT-8 keep working with a server that has no identity yet', async () => {
    await using workshop = await earlier();
    workshop.network.put(oldAddress, asBefore(workshop.server.url));
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
  });

  test('ACCOUNT-7 are bound by their history when the token has ended', async () => {
    await using workshop = await earlier();
    const { network, server } = workshop;
    await workshop.ana.call('PATCH', `/users/${workshop.ana.userid}`, { username: 'Ana Ruiz' });
    await server.services.storage.write({ userid: null, name: 'Test', action: 'test' }, (tx) =>
      tx.deleteFrom('tokens').execute(),
    );
    network.put(oldAddress, server.url);
    await workshop.device.shows(({ status }) => status === 'expired', 'session');
    expect(await workshop.comments()).toEqual([]);
    await signIn(workshop, oldAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
  });

  test('ACCOUNT-7 follow their server to a new address that it proves, when it knows their history', async () => {
    await using workshop = await earlier({ origins: [newAddress] });
    workshop.network.put(newAddress, workshop.server.url);
    await signIn(workshop, newAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    expect(await elsewhere(workshop)).toEqual([]);
  });

  for (const name of ['Ben', 'Ana'])
    test(`ACCOUNT-7 OUTBOX-13 are not opened for ${name} with the same number on another server`, async () => {
      await using workshop = await earlier();
      await using other = await startServer();
      expect((await other.person(name)).userid).toBe(workshop.ana.userid);
      await other.category('Bench Grinder');
      workshop.network.put(oldAddress, other.url);
      await workshop.device.shows(({ status }) => status === 'expired', 'session');
      await signIn(workshop, oldAddress, name);
      await workshop.device.inSync();
      expect(workshop.network.hasHeard(oldAddress, 'Mind the belt')).toBe(false);
      expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: 4 }]);
    });

  test('ACCOUNT-2 of signed-out people are found too', async () => {
    await using workshop = await openWorkshop({ before: true });
    await leaveWork(workshop);
    await workshop.device.actions.signOut();
    await workshop.server.person('Ben');
    workshop.network.put(oldAddress, asBefore(workshop.server.url));
    await signIn(workshop, oldAddress, 'Ben');
    await workshop.restart(() => forgetHomes(workshop.disk, 2));
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: '', changes: 4 }]);
  });
});

test('ACCOUNT-9 work of a newer version and quarantined text count too', async () => {
  await using workshop = await openWorkshop();
  const waiting = await leaveWork(workshop);
  await workshop.device.actions.signOut();
  await workshop.restart(async () => {
    const journal = await openJournal(memoryStore({}, workshop.disk.journal), testEnvironment(fetch));
    const { meta, outbox } = await journal.entries();
    const [{ home }] = meta.get('homes') as [{ home: string }];
    const [call] = outbox.keys();
    const kept = { version: 1, collection: 'guides', recordid: '9', isOnServer: false };
    await journal.append([
      {
        op: 'put',
        collection: 'outbox',
        id: must(call, 'a call'),
        value: { home, version: 99, call: 'sealed' },
      },
      { op: 'put', collection: 'meta', id: `kept/${home}/a`, value: kept },
      { op: 'put', collection: 'meta', id: `kept/${home}/b`, value: { ...kept, isOnServer: true } },
      { op: 'put', collection: 'meta', id: `kept/${home}/c`, value: { version: 99 } },
      // After a restore another guide has the number.
      { op: 'put', collection: 'meta', id: `kept/${home}/d`, value: { ...kept, uid: 'other' } },
      { op: 'put', collection: 'meta', id: `kept/${home}/e`, value: { ...kept, uid: 'other' } },
    ]);
    await journal.close();
  });
  expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting + 3 }]);
});

for (const [loss, lose] of [
  ['wiped', (files: Map<string, Uint8Array>) => files.clear()],
  ['damaged', damageJournal],
] as const)
  test(`ACCOUNT-9 waiting work in a closed home is listed after the journal was ${loss}`, async () => {
    await using workshop = await openWorkshop();
    const { server, network, disk } = workshop;
    await server.person('Ben');
    const waiting = await leaveWork(workshop);
    await workshop.device.actions.signOut();
    network.put(oldAddress, server.url);
    await signIn(workshop, oldAddress, 'Ben');
    await workshop.device.inSync();
    const listed = [{ server: oldAddress, username: 'Ana', changes: waiting }];
    expect(await elsewhere(workshop)).toEqual(listed);
    await workshop.restart(() => lose(disk.journal));
    expect(await elsewhere(workshop)).toEqual(listed);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual([]);
    await signIn(workshop, oldAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
  });

test('ACCOUNT-2 a wiped journal loses no home, because the secrets have a copy', async () => {
  await using workshop = await openWorkshop({ before: true });
  await leaveWork(workshop);
  await workshop.device.actions.signOut();
  const secret = workshop.disk.secrets.get('homes');
  await workshop.restart(() => workshop.disk.journal.clear());
  workshop.network.put(oldAddress, workshop.server.url);
  await signIn(workshop, oldAddress);
  await workshop.device.inSync();
  expect(await workshop.comments()).toEqual(work);
  const homes = (text = '[]'): { home: string }[] => JSON.parse(text) as { home: string }[];
  const names = homes(secret).map(({ home }) => home);
  expect(homes(workshop.disk.secrets.get('homes')).map(({ home }) => home)).toEqual(names);
});

describe('acting as another person', () => {
  test("ACCOUNT-13 it has its own home, sends none of that person's work, and returns to the own session", async () => {
    await using workshop = await openWorkshop();
    const { device, server, network, guideid } = workshop;
    await leaveWork(workshop);
    await server.person('Mira', ['User', 'Admin']);
    network.put(oldAddress, server.url);
    // Ana's comments have not left: the device is Mira's before they could.
    network.put(oldAddress, async (path, init) =>
      path.startsWith('/sync/1/batch')
        ? Promise.reject(new TypeError('fetch failed'))
        : fetch(`${server.url}${path}`, init),
    );
    await signIn(workshop, oldAddress, 'Mira');
    const own = await device.look('session');
    await device.actions.actAs(workshop.ana.userid);
    network.put(oldAddress, server.url);
    const acting = await device.look('session');
    expect(acting.user).toMatchObject({ username: 'Ana', impersonator: { username: 'Mira' } });
    await device.actions.comment('guide', guideid, 'Written by an administrator');
    await device.inSync();
    expect(await workshop.comments()).toEqual(['Written by an administrator']);
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: 4 }]);
    await workshop.restart();
    expect((await workshop.device.look('session')).user).toMatchObject({
      impersonator: { username: 'Mira' },
    });
    await workshop.device.actions.signOut('remove');
    expect(await workshop.device.look('session')).toMatchObject({
      status: 'signed-in',
      home: own.home,
      user: { username: 'Mira' },
    });
    expect((await workshop.device.look('session')).user).not.toHaveProperty('impersonator');
    await workshop.device.inSync();
    const { userid } = workshop.ana;
    const sessions = await workshop.ana.call('GET', `/users/${userid}/sessions`);
    expect(JSON.stringify(sessions.body)).not.toContain('Impersonated');
    await signIn(workshop, oldAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual([
      'And the switch',
      'Mind the belt',
      'Written by an administrator',
    ]);
  });

  test('ACCOUNT-13 work that waits while acting is never sent by the person themselves', async () => {
    await using workshop = await openWorkshop();
    const { device, server, network, guideid } = workshop;
    await server.person('Mira', ['User', 'Admin']);
    await signIn(workshop, oldAddress, 'Mira');
    await device.actions.actAs(workshop.ana.userid);
    await device.inSync();
    network.put(oldAddress, null);
    await device.actions.comment('guide', guideid, 'Written by an administrator');
    await expect(device.actions.signOut('remove')).rejects.toThrow('on this device only');
    await device.actions.signOut();
    expect((await device.look('session')).user).toMatchObject({ username: 'Mira' });
    network.put(oldAddress, server.url);
    await signIn(workshop, oldAddress);
    await device.inSync();
    expect(await workshop.comments()).toEqual([]);
    await signIn(workshop, oldAddress, 'Mira');
    await device.actions.actAs(workshop.ana.userid);
    await device.inSync();
    expect(await workshop.comments()).toEqual(['Written by an administrator']);
  });
});
