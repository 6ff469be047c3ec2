import { describe, expect, test } from 'vitest';

import { scanSegment } from '#desktop/engine/journal/format.ts';
import { decodeBody } from '#desktop/engine/journal/records.ts';
import { changeSite } from '#server/core/site.ts';
import { must } from '#shared/must.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';

import {
  elsewhere,
  leaveWork,
  newAddress,
  oldAddress,
  openWorkshop,
  refusal,
  signIn,
  work,
} from './network.ts';

/** Damages the journal frames with a comment or a draft. */
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
    // The person continues where they were.
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

describe('acting as another person', () => {
  test("ACCOUNT-13 it has its own home, sends none of that person's work, and returns to the own session", async () => {
    await using workshop = await openWorkshop();
    const { device, server, network, guideid } = workshop;
    await leaveWork(workshop);
    await server.person('Mira', ['User', 'Admin']);
    network.put(oldAddress, server.url);
    // Ana's comments were not sent: the device belongs to Mira before they could be.
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
