import { expect, test } from 'vitest';

import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';

import { testEnvironment } from './support/environment.ts';

const noNetwork = (): Promise<never> => Promise.reject(new Error('No network in this test'));

/** A clock on a device whose time stands still. */
function stillClock(): { clock: ServerClock; now: number } {
  const now = 1_760_000_000_000;
  const environment = { ...testEnvironment(noNetwork), now: () => now, monotonic: () => 60_000 };
  return { clock: new ServerClock(environment), now };
}

test('a slow response from a server on the same machine reveals no clock difference', () => {
  const { clock, now } = stillClock();
  clock.learn({ serverNow: now, sentAt: 36_000, receivedAt: 60_000 });
  expect(clock.offset()).toBe(0);
});

test('a clock difference larger than the round trip is reported', () => {
  const { clock, now } = stillClock();
  clock.learn({ serverNow: now + 90_000, sentAt: 59_000, receivedAt: 60_000 });
  expect(clock.offset()).toBe(90_500);
});

test('a response that may come from a cache does not set the clock', async () => {
  const dated = (cache: string): Response =>
    new Response('', {
      headers: { 'Cache-Control': cache, Date: new Date(Date.now() - 86_400_000).toUTCString() },
    });
  const environment = testEnvironment(
    async (input) =>
      dated(new Request(input).url.endsWith('/file') ? 'public, max-age=31536000, immutable' : 'no-store'),
    1,
  );
  const clock = new ServerClock(environment);
  const connection = new ServerConnection('https://guides.test', () => null, null, environment, clock);
  connection.recognised(await connection.request('/file'));
  expect(clock.offset()).toBe(0);
  connection.recognised(await connection.request('/sync/1/pull'));
  expect(clock.offset()).toBeLessThan(-86_000_000);
});
