import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { ForeignAnswer } from '#desktop/engine/sync/connection-errors.ts';

import { serverAddress } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

test('OUTBOX-22 only the beginning of an endless refusal without line breaks is read', async () => {
  const most = 200;
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(120));
      if (pulled === most) controller.close();
    },
  });
  const environment = testEnvironment(async () => new Response(endless, { status: 403 }), 1);
  const connection = new ServerConnection(
    serverAddress,
    () => 'token',
    null,
    environment,
    new ServerClock(environment),
  );
  const answering = await connection.request('/sync/1/pull');
  await expect(connection.refusal(answering)).rejects.toBeInstanceOf(ForeignAnswer);
  expect(pulled).toBeLessThan(40);
});

test('OUTBOX-24 a caller that aborts its own request mid-response leaves the device online', async () => {
  const environment = testEnvironment(async (_, init) => {
    const beginning = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{}\n'));
        init?.signal?.addEventListener('abort', () => controller.error(new DOMException('', 'AbortError')));
      },
    });
    return new Response(beginning);
  }, 1);
  const connection = new ServerConnection(
    serverAddress,
    () => 'token',
    null,
    environment,
    new ServerClock(environment),
  );
  const wish = new AbortController();
  const answering = await connection.request('/sync/1/events', { signal: wish.signal });
  const lines = connection.lines(answering);
  expect(await lines.next()).toEqual({ done: false, value: '{}' });
  const next = lines.next();
  wish.abort();
  await expect(next).rejects.toThrow('The answer broke off');
  expect(await firstValueFrom(connection.online)).toBe(true);
});
