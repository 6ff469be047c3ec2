import { describe, expect, test } from 'vitest';

import { startServer } from '#test/support/server.ts';

import {
  type Workshop,
  asBefore,
  elsewhere,
  leaveWork,
  newAddress,
  oldAddress,
  openWorkshop,
  refusal,
  signIn,
} from './network.ts';

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
  /** The new address forwards to the real server, and may change requests and responses about identity. */
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
