import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { StationAccess, StationBadge } from '#shared/model/station.ts';
import { replaceServerKey } from '#server/core/identity/server-key.ts';
import { startServer } from '#test/support/server.ts';

import { minute, password, StationWorld } from './stations/world.ts';

// All tests share one server, because starting it takes longer than most of them.
let world: StationWorld;
beforeAll(async () => {
  world = await StationWorld.start();
  // Leads of a team say how its people sign in where a station is in the team.
  await world.enrolled();
});
afterAll(() => world[Symbol.asyncDispose]());
// Failed attempts of earlier tests are forgotten.
beforeEach(() => void (world.clock.now += 60 * minute));

const rowsOf = (table: 'stations' | 'station_pins' | 'station_badges') =>
  world.server.services.storage.reader.selectFrom(table).selectAll().execute();

test('STATION-14 a PIN needs the password of who sets it, and is stored so that nobody reads or tries it', async () => {
  const { ana, ben, lea, otto } = world;
  const set = (who: typeof ana, pin: string, proof: object = { current_password: password }) =>
    who.call('PUT', `/users/${ana.userid}/station_pin`, { pin, ...proof });
  expect((await set(ana, '735081', {})).status).toBe(422);
  expect((await set(ana, '735081', { current_password: 'a wrong password' })).status).toBe(422);
  for (const pin of ['123', '1234', '9876', '0000', '12a4', '1234567890123'])
    expect([pin, (await set(ana, pin)).status]).toEqual([pin, 422]);
  expect((await set(ben, '735081')).status).toBe(403);
  expect((await set(otto, '735081')).status).toBe(403);
  expect((await set(lea, '735081')).status).toBe(204);
  const [row] = (await rowsOf('station_pins')) as { sealed: string }[];
  const { services } = world.server;
  const key = await services.identity.key();
  expect(key.decrypt(row?.sealed ?? '', `pin of ${ana.userid}`)).toMatch(/^[0-9a-f]{64}$/);
  expect(key.decrypt(row?.sealed ?? '', `pin of ${ben.userid}`)).toBeNull();
  const { body } = await world.mira.call('GET', '/audit?limit=5');
  expect(JSON.stringify(body)).not.toContain('735081');
  expect(JSON.stringify(body)).not.toContain(row?.sealed);
  const access = (await ana.call('GET', `/users/${ana.userid}/station_access`)).body as StationAccess;
  expect(access.pin_date).toBe(Math.floor(world.clock.now / 1000));
  expect((await ben.call('GET', `/users/${ana.userid}/station_access`)).status).toBe(403);
});

test('STATION-14 with another key of the server, stored PINs are none', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await ana.call('PUT', `/users/${ana.userid}/station_pin`, { pin: '735081', current_password: password });
  const [row] = await server.services.storage.reader.selectFrom('station_pins').selectAll().execute();
  replaceServerKey(server.dataDir);
  const { ServerKey } = await import('#server/core/identity/server-key.ts');
  const other = await ServerKey.read(server.dataDir);
  expect(other.decrypt(row?.sealed ?? '', `pin of ${ana.userid}`)).toBeNull();
  expect(other.decrypt('', 'anything')).toBeNull();
});

test('STATION-15 a number belongs to one working badge, and trying numbers has to wait', async () => {
  const { ana, ben, lea, mira } = world;
  const issue = (userid: number, number: string, who = lea) =>
    who.call('POST', '/station_badges', { badges: [{ userid, number }], current_password: password });
  const made = (await issue(ana.userid, '7700')).body as StationBadge[];
  expect((await issue(mira.userid, '7701')).status).toBe(403);
  expect((await issue(999_999, '7701')).status).toBe(404);
  expect((await issue(ana.userid, '  ')).status).toBe(422);
  const statuses: number[] = [];
  for (let guess = 0; guess < 21; guess += 1) statuses.push((await issue(ben.userid, '7700')).status);
  expect(statuses).toEqual([...Array<number>(20).fill(422), 429]);
  const { body } = await mira.call('GET', '/audit?action=POST%20/station_badges&outcome=refused&limit=50');
  expect(body).toHaveLength(20);
  world.clock.now += 60 * minute;
  const path = `/station_badges/${made[0]?.station_badgeid}/revoke`;
  expect((await ben.call('POST', path)).status).toBe(404);
  expect(await ana.call('POST', path)).toMatchObject({ status: 200, body: { revoked_by: ana.userid } });
  expect((await issue(ben.userid, '7700')).status).toBe(201);
});

test('STATION-15 a badge that is named twice is refused, and a repeated call issues it once', async () => {
  const body = (numbers: string[]) => ({
    badges: numbers.map((number) => ({ userid: world.ben.userid, number })),
    current_password: password,
  });
  expect((await world.lea.call('POST', '/station_badges', body(['8800', '8800 ']))).status).toBe(422);
  const headers = { 'Idempotency-Key': 'issue-badges' };
  const first = await world.lea.call('POST', '/station_badges', body(['8800', '8801']), headers);
  const again = await world.lea.call('POST', '/station_badges', body(['8800', '8801']), headers);
  expect(first).toMatchObject({ status: 201, body: [{}, {}] });
  expect(again.body).toEqual(first.body);
  const [stored] = await world.server.services.storage.reader
    .selectFrom('idempotency')
    .select('request_hash')
    .where('key', '=', 'issue-badges')
    .execute();
  // With a plain hash of the request, the numbers could be found by trying them.
  const { createHash } = await import('node:crypto');
  const plain = createHash('sha256')
    .update('POST\0/api/2.0/station_badges\0')
    .update(JSON.stringify({ badges: body(['8800', '8801']).badges }))
    .digest('hex');
  expect(stored?.request_hash).not.toBe(plain);
});
