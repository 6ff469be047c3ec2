import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { hashToken } from '#server/core/sessions.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

import { ask, minute, phone, secretFor, SecretWorld } from './device-secret-world.ts';

let world: SecretWorld;
let server: TestServer;
let mira: TestPerson;
let ana: TestPerson;

beforeAll(async () => {
  world = await SecretWorld.start();
  ({ server } = world);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  ({ mira, ana } = await world.newPeople());
});

test('DEVICE-SECRET-5 an account gets sixty secrets an hour; others are not affected', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 61; count += 1) statuses.push((await ask(ana)).status);
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  const refused = await ask(await world.signIn());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
  expect((await ask(mira)).status).toBe(200);
  world.clock.now += 60 * minute;
  expect((await ask(await world.signIn())).status).toBe(200);
});

test('DEVICE-SECRET-5 an account has secrets for two hundred devices; known ones go on', async () => {
  const secret = await secretFor(ana);
  const accountid = await world.accountOf(ana.userid);
  const device = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  await written(server.services, (tx) =>
    tx
      .insertInto('device_secrets')
      .values(
        Array.from({ length: 198 }, (_, count) => ({
          accountid,
          device: device(count),
          secret: hashToken(device(count)),
          created_date: 1,
        })),
      )
      .execute(),
  );
  expect((await ask(ana, phone)).status).toBe(200);
  const refused = await ask(ana, device(200));
  expect([refused.status, refused.body]).toMatchObject([
    422,
    {
      errors: [
        { field: 'device', message: 'This account has secrets for 200 devices, and can have no more' },
      ],
    },
  ]);
  expect(await secretFor(ana)).toBe(secret);
  expect((await ask(mira, device(200))).status).toBe(200);
});
