import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { fetchDeviceSecret } from '#desktop/engine/account/device-secret.ts';
import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { ForeignAnswer, Unreachable } from '#desktop/engine/sync/connection-errors.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { serverAddress } from '../support/device.ts';
import { testEnvironment } from '../support/environment.ts';

const tablet = '3f1c9a52-6e0b-4c57-8d21-9b7a4e5f6c30';
const phone = 'b6a8d0c4-0f4e-4d0a-9b57-2f6a1c3e5d78';

let ahead = 0;
let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer({ now: () => Date.now() + ahead });
});
afterAll(() => server[Symbol.asyncDispose]());
let people = 0;
beforeEach(async () => {
  ana = await server.person(`Ana${(people += 1)}`);
});

/** Requests of a signed-in device. `answering`: what answers instead of the server. */
function requests(answering?: typeof fetch): (path: string, init?: RequestInit) => Promise<Response> {
  const toServer: typeof fetch = (input, init) =>
    fetch(String(input instanceof Request ? input.url : input).replace(serverAddress, server.url), init);
  const environment = testEnvironment(answering ?? toServer);
  const clock = new ServerClock(environment);
  const connection = new ServerConnection(serverAddress, () => ana.token, null, environment, clock);
  return (path, init) => connection.response(path, init);
}

test('DEVICE-SECRET-7 a device gets the same 32 bytes each time, and another device others', async () => {
  const first = await fetchDeviceSecret(requests(), tablet);
  expect(first).toHaveLength(32);
  expect(await fetchDeviceSecret(requests(), tablet)).toEqual(first);
  expect(await fetchDeviceSecret(requests(), phone)).not.toEqual(first);
});

test('DEVICE-SECRET-7 a sign-in that is too old, and a server that has no such secrets, give none', async () => {
  const older: typeof fetch = async () => {
    const message = 'Endpoint not found';
    return Response.json({ error: true, message, msg: message }, { status: 404 });
  };
  expect(await fetchDeviceSecret(requests(older), tablet)).toBeNull();
  ahead += 600_000;
  expect(await fetchDeviceSecret(requests(), tablet)).toBeNull();
});

test('DEVICE-SECRET-7 without the network, at a page in between and after too many requests it throws', async () => {
  const offline: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
  await expect(fetchDeviceSecret(requests(offline), tablet)).rejects.toBeInstanceOf(Unreachable);
  const pages = [
    new Response('<h1>Pay for the network</h1>', { status: 404 }),
    new Response('<h1>Pay for the network</h1>'),
    Response.json({ secret: 'short' }),
  ];
  for (const page of pages)
    await expect(
      fetchDeviceSecret(
        requests(async () => page),
        tablet,
      ),
    ).rejects.toBeInstanceOf(ForeignAnswer);
  for (let count = 0; count < 60; count += 1) await fetchDeviceSecret(requests(), tablet);
  await expect(fetchDeviceSecret(requests(), tablet)).rejects.toMatchObject({ kind: 'too-many-requests' });
  await ana.call('DELETE', '/user/token');
  await expect(fetchDeviceSecret(requests(), tablet)).rejects.toMatchObject({ kind: 'unauthorized' });
});
