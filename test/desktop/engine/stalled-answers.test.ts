import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { directClient, serverClient } from '#desktop/engine/actions/server-client.ts';
import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { Unreachable } from '#desktop/engine/sync/connection-errors.ts';
import { patientFetch } from '#desktop/engine/sync/patient-fetch.ts';
import { Sessions } from '#desktop/engine/account/session.ts';
import { sites } from '#shared/api/site.ts';
import { must } from '#shared/must.ts';

import { newDisk, platformOn, serverAddress } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

/** The head of a response and the start of its body; then nothing, without an error. */
function stalled(status: number): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"message":')),
  });
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
}

/** A response that is cut after its first bytes. */
function brokenOff(): Response {
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isBegun) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode('{"message":'));
      isBegun = true;
    },
  });
  return new Response(body);
}

/** A response that continues until `signal` aborts it. */
function endedBy(signal: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
  });
  return new Response(body);
}

const stallingAt = (status: number) => testEnvironment(async () => stalled(status), 2000);
const silentServer = () => testEnvironment(() => new Promise<Response>(() => undefined), 2000);

function linkIn(environment: ReturnType<typeof testEnvironment>): ServerConnection {
  return new ServerConnection(serverAddress, () => 'token', null, environment, new ServerClock(environment));
}

test.each([403, 409, 500])(
  'OUTBOX-24 a refusal (%s) that stalls after its head is given up',
  async (status) => {
    const connection = linkIn(stallingAt(status));
    await expect(connection.response('/api/2.0/user')).rejects.toBeInstanceOf(Unreachable);
    expect(await firstValueFrom(connection.online)).toBe(false);
  },
);

test('OUTBOX-24 a success that stalls after its head is given up by its reader', async () => {
  const connection = linkIn(stallingAt(200));
  const response = await connection.response('/api/2.0/user');
  await expect(response.text()).rejects.toBeInstanceOf(Unreachable);
  expect(await firstValueFrom(connection.online)).toBe(false);
});

test('OUTBOX-24 a success that breaks off shows that the connection is lost', async () => {
  const connection = linkIn(testEnvironment(async () => brokenOff()));
  const response = await connection.response('/api/2.0/user');
  await expect(response.text()).rejects.toBeInstanceOf(Unreachable);
  expect(await firstValueFrom(connection.online)).toBe(false);
});

test('OUTBOX-24 a download cancelled by its reader does not affect the connection status', async () => {
  const abort = new AbortController();
  const environment = testEnvironment(async (_, init) => endedBy(must(init?.signal, 'a signal')));
  const connection = linkIn(environment);
  const response = await connection.response('/api/2.0/user', { signal: abort.signal });
  abort.abort();
  await expect(response.text()).rejects.toBeInstanceOf(Unreachable);
  expect(await firstValueFrom(connection.online)).toBe(true);
});

test('OUTBOX-24 an answer without a body is one, although Chromium gives it an empty stream', async () => {
  const empty = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  const answer = Object.defineProperty(new Response(null, { status: 204 }), 'body', { value: empty });
  const connection = linkIn(testEnvironment(async () => answer));
  const { status } = await connection.response('/api/2.0/users/7/station_pin', { method: 'PUT' });
  expect(status).toBe(204);
  expect(await firstValueFrom(connection.online)).toBe(true);
});

test('OUTBOX-24 an action whose response stalls says that it needs the server', async () => {
  const connection = linkIn(stallingAt(200));
  const client = serverClient({ request: (path, init) => connection.response(path, init) }, { sites });
  await expect(client.sites.info({})).rejects.toMatchObject({ kind: 'unavailable' });
});

test.each([
  ['does not answer', silentServer],
  ['stalls after its head', () => stallingAt(200)],
  ['refuses and stalls', () => stallingAt(401)],
])('OUTBOX-24 an anonymous request to a server that %s ends with a message', async (_, environmentOf) => {
  const client = directClient(environmentOf(), serverAddress, { sites });
  await expect(client.sites.info({})).rejects.toThrow(`${serverAddress} does not answer`);
});

test.each([
  ['does not answer', silentServer],
  ['stalls after its head', () => stallingAt(200)],
  ['refuses and stalls', () => stallingAt(401)],
])('OUTBOX-24 signing in at a server that %s ends with a message', async (_, environmentOf) => {
  const environment = environmentOf();
  const disk = newDisk();
  const journal = await openJournal(memoryStore({}, disk.journal), { ...environment });
  const sessions = new Sessions(platformOn(disk, environment), journal);
  const asked = sessions.ask(serverAddress, { email: 'ada', password: 'secret' });
  await expect(asked).rejects.toThrow(`${serverAddress} does not answer`);
});

test('OUTBOX-24 a slow response without long pauses is read to its end', async () => {
  let pieces = 0;
  const environment = testEnvironment(async () => new Response(slow), 2000);
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { promise, resolve } = Promise.withResolvers<void>();
      environment.setTimer(resolve, 30_000);
      await promise;
      pieces += 1;
      controller.enqueue(new Uint8Array(1));
      if (pieces === 4) controller.close();
    },
  });
  const response = await patientFetch(environment.fetch, environment)(serverAddress);
  expect((await response.arrayBuffer()).byteLength).toBe(4);
});

test('OUTBOX-24 a stalled response is closed, which frees its connection', async () => {
  let closed = 0;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (closed += 1) });
  const environment = testEnvironment(async () => new Response(body), 2000);
  const response = await patientFetch(environment.fetch, environment)(serverAddress);
  await expect(response.text()).rejects.toBeInstanceOf(Unreachable);
  expect(closed).toBe(1);
});
