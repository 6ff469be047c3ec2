import { argon2id } from '@noble/hashes/argon2.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Station, StationBadge, StationSelf } from '#shared/model/station.ts';
import { badgeNumber, verifierText, type VerifierKind } from '#shared/rules/stations.ts';

import { minute, password, StationWorld, type Device } from './stations/world.ts';

// All tests share one server, because starting it takes longer than most of them.
let world: StationWorld;
beforeAll(async () => {
  world = await StationWorld.start();
});
afterAll(() => world[Symbol.asyncDispose]());
// Failed attempts of earlier tests are forgotten.
beforeEach(() => void (world.clock.now += 60 * minute));

const rowsOf = (table: 'stations' | 'station_pins' | 'station_badges') =>
  world.server.services.storage.reader.selectFrom(table).selectAll().execute();

/** What a device computes from an entry, without the server. */
function verifierBy(
  { secret, self }: Pick<Device, 'secret' | 'self'>,
  kind: VerifierKind,
  accountid: string,
  entry: string,
): string {
  const { memory, passes } = self.verifiers[kind === 'exit' ? 'pin' : kind];
  const text = kind === 'badge' ? badgeNumber(entry) : entry;
  const salt = hexToBytes(self.verifiers.salt);
  const hash = bytesToHex(argon2id(text, salt, { m: memory, t: passes, p: 1, dkLen: 32 }));
  const key = Uint8Array.from(Buffer.from(secret, 'base64'));
  return bytesToHex(hmac(sha256, key, new TextEncoder().encode(verifierText(kind, accountid, hash))));
}

test('STATION-1 a code works once, for 15 minutes, and only its keyed hash is stored', async () => {
  const made = await world.station();
  expect(made).toMatchObject({ name: 'Press 2', place: 'Hall 3', teams: [world.team], status: 'waiting' });
  expect(made.enrolment_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(JSON.stringify(await rowsOf('stations'))).not.toContain(made.enrolment_code.replace('-', ''));
  world.clock.now += 15 * minute + 1000;
  expect((await world.enrol(made.enrolment_code)).status).toBe(422);
  const again = await world.mira.call('POST', `/stations/${made.stationid}/code`, {
    current_password: password,
  });
  const { enrolment_code: code } = again.body as { enrolment_code: string };
  const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
  expect((await world.enrol(typed)).status).toBe(201);
  expect((await world.enrol(code)).status).toBe(422);
});

test('STATION-1 without the password of the administrator there is no station and no code', async () => {
  const { stationid } = await world.station();
  for (const [path, body] of [
    ['/stations', { name: 'Press 3' }],
    [`/stations/${stationid}/code`, {}],
  ] as const) {
    expect(await world.mira.call('POST', path, body)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'current_password' }] },
    });
    expect((await world.lea.call('POST', path, { ...body, current_password: password })).status).toBe(403);
  }
});

test('STATION-1 a replay of making a station leaves the code out', async () => {
  const call = () =>
    world.mira.call(
      'POST',
      '/stations',
      { name: 'Lathe', current_password: password },
      { 'Idempotency-Key': 'make-a-station' },
    );
  const first = (await call()).body as Station & { enrolment_code?: string };
  const again = (await call()).body as Station & { enrolment_code?: string };
  expect(first.enrolment_code).toEqual(expect.any(String));
  expect(again).toMatchObject({ stationid: first.stationid });
  expect(again.enrolment_code).toBeUndefined();
  expect(again).not.toHaveProperty('exit_code');
});

test('IDEMPOTENCY-16 asking for a code again with the same key makes another one, and nothing keeps the answer', async () => {
  const { stationid } = await world.station();
  const ask = (proof: object) =>
    world.mira.call('POST', `/stations/${stationid}/code`, proof, { 'Idempotency-Key': 'a-new-code' });
  const first = await ask({ current_password: password });
  const second = await ask({ current_password: password });
  expect(second.headers.get('Cache-Control')).toBe('no-store');
  const [one, other] = [first, second].map(({ body }) => (body as { enrolment_code: string }).enrolment_code);
  expect(other).not.toBe(one);
  expect((await world.enrol(one ?? '')).status).toBe(422);
  expect((await ask({})).status).toBe(422);
  expect((await world.enrol(other ?? '')).status).toBe(201);
});

test('STATION-3 wrong codes are counted by address, in the audit log too, and have to wait', async () => {
  const { enrolment_code: code } = await world.station();
  const guesses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) guesses.push((await world.enrol('AAAAA-AAAAA')).status);
  expect(guesses).toEqual([...Array<number>(10).fill(422), 429, 429]);
  expect((await world.enrol(code)).status).toBe(429);
  const from = Math.floor(world.clock.now / 1000);
  const refused = `/audit?action=POST%20/stations/enroll&outcome=refused&from=${from}`;
  const { body } = await world.mira.call('GET', refused);
  expect(body).toHaveLength(10);
  world.clock.now += 15 * minute - 1000;
  expect((await world.enrol(code)).status).toBe(201);
});

test('STATION-3 enrolling again ends the earlier device, which is told why, and makes another secret', async () => {
  const { stationid, enrolment_code: code } = await world.station();
  const first = await world.device(code);
  const renewed = await world.mira.call('POST', `/stations/${stationid}/code`, {
    current_password: password,
  });
  const second = await world.device((renewed.body as { enrolment_code: string }).enrolment_code);
  expect(second.stationid).toBe(stationid);
  expect(second.secret).not.toBe(first.secret);
  expect(await first.call('GET', '/stations/self')).toMatchObject({
    status: 401,
    body: { code: 'station-replaced' },
  });
  expect((await second.call('GET', '/stations/self')).status).toBe(200);
});

test('STATION-3 revoking shuts the device out at once, its event stream too, in plain words', async () => {
  const device = await world.enrolled();
  const stream = await fetch(`${world.server.url}/sync/1/events?since=0.0`, {
    headers: { Authorization: `api ${device.token}` },
  });
  const ended = stream.text();
  await expect.poll(async () => (await world.read(device.stationid)).body.is_connected).toBe(true);
  const revoked = await world.lea.call('POST', `/stations/${device.stationid}/revoke`);
  expect(revoked).toMatchObject({ status: 200, body: { status: 'revoked', device: 'Panel' } });
  expect(await device.call('GET', '/stations/self')).toMatchObject({
    status: 401,
    body: { code: 'station-revoked', message: expect.stringContaining('stays here') },
  });
  await ended;
  const { body } = await world.mira.call('POST', `/stations/${device.stationid}/code`, {
    current_password: password,
  });
  expect((await world.enrol('')).status).toBe(422);
  const back = await world.device((body as { enrolment_code: string }).enrolment_code);
  expect((await world.read(back.stationid)).body.status).toBe('enrolled');
  await world.mira.call('DELETE', `/users/${back.stationid}/sessions`);
  expect((await back.call('GET', '/stations/self')).body).toMatchObject({ code: 'station-revoked' });
  expect((await world.read(back.stationid)).body.status).toBe('revoked');
});

test('STATION-3 a station is listed with its last contact, version and what waits, for those who lead a team there', async () => {
  const device = await world.enrolled({ settings: { idle_seconds: 60, tags: ['press'] } });
  const since = Math.floor(world.clock.now / 1000) - 90;
  const report = { app_version: '0.2.0', waiting: 3, oldest: 90, failed_tries: 4 };
  expect((await device.call('POST', '/stations/self/report', report)).status).toBe(204);
  const listed = async (reader = world.mira): Promise<Station[]> =>
    (await reader.call('GET', '/stations?limit=200')).body;
  const found = (await listed()).find(({ stationid }) => stationid === device.stationid);
  expect(found).toMatchObject({
    app_version: '0.2.0',
    contact_date: Math.floor(world.clock.now / 1000),
    waiting: { count: 3, since },
    failed_tries: 4,
    settings: { idle_seconds: 60, sign_in: ['badge', 'tile'], tags: ['press'] },
  });
  expect(await listed(world.lea)).toContainEqual(found);
  expect(await listed(world.ana)).toEqual([]);
  expect((await world.read(device.stationid, world.ana)).status).toBe(404);
  for (const [method, path, body] of [
    ['GET', '/stations/self', undefined],
    ['POST', '/stations/self/report', report],
  ] as const)
    expect((await world.mira.call(method, path, body)).status).toBe(403);
});

test('STATION-2 people of a station follow its teams, the names, and closed accounts', async () => {
  const device = await world.enrolled();
  const people = async (): Promise<number[]> =>
    ((await device.call('GET', '/stations/self')).body as StationSelf).people.map(({ userid }) => userid);
  const { ana, ben, lea, mira } = world;
  const otto = await world.person('Otto2');
  expect(await people()).toEqual([lea, ana, ben].map(({ userid }) => userid));
  const path = `/stations/${device.stationid}/people/${otto.userid}`;
  expect((await lea.call('PUT', path)).status).toBe(403);
  expect((await mira.call('PUT', path)).status).toBe(200);
  expect(await people()).toContain(otto.userid);
  expect((await world.read(device.stationid)).body.people).toContainEqual(
    expect.objectContaining({ userid: otto.userid, by_name: true }),
  );
  await mira.call('PATCH', `/users/${otto.userid}`, { enabled: false });
  expect(await people()).not.toContain(otto.userid);
  await mira.call('PATCH', `/users/${otto.userid}`, { enabled: true });
  expect(await people()).toContain(otto.userid);
  expect((await lea.call('DELETE', path)).status).toBe(200);
  expect((await lea.call('DELETE', path)).status).toBe(404);
  await mira.call('PATCH', `/stations/${device.stationid}`, { teams: [] });
  expect(await people()).toEqual([]);
  expect((await mira.call('PUT', `/stations/${device.stationid}/people/${device.stationid}`)).status).toBe(
    422,
  );
});

test('TEAM-7 TEAM-6 a station never becomes the owner of a team', async () => {
  const { body } = await world.mira.call('POST', '/teams', { name: 'Paint', owner: null });
  const { teamid } = body as { teamid: number };
  const device = await world.enrolled({ teams: [teamid] });
  const owner = async (): Promise<number | null> => {
    const teams = (await world.mira.call('GET', '/teams')).body as { teamid: number; owner: number | null }[];
    return teams.find((one) => one.teamid === teamid)?.owner ?? null;
  };
  expect(await owner()).toBeNull();
  const { otto } = world;
  const path = `/teams/${teamid}/users/${otto.userid}`;
  await world.mira.call('PUT', path, {});
  expect(await owner()).toBe(otto.userid);
  await otto.call('DELETE', path);
  expect(await owner()).toBeNull();
  const named = await world.mira.call('PATCH', `/teams/${teamid}`, { owner: device.stationid });
  expect(named.status).toBe(422);
});

test('STATION-16 nobody can give a station a way to sign in, or other privileges', async () => {
  const { stationid } = await world.enrolled();
  for (const edit of [
    { email: 'press@example.com' },
    { password: 'another long password' },
    { sso_userid: 'press' },
    { privileges: ['User', 'Admin'] },
    { enabled: false },
  ])
    expect(
      (await world.mira.call('PATCH', `/users/${stationid}`, { ...edit, current_password: password })).status,
    ).toBe(403);
  expect((await world.mira.call('PATCH', `/users/${stationid}`, { summary: 'By the door' })).status).toBe(
    200,
  );
});

test('STATION-13 a device checks badges and PINs by itself, and by its own secret only', async () => {
  const [one, other] = [await world.enrolled(), await world.enrolled()];
  const { ana, lea } = world;
  await ana.call('PUT', `/users/${ana.userid}/station_pin`, { pin: '480213', current_password: password });
  const issued = await lea.call('POST', '/station_badges', {
    badges: [{ userid: ana.userid, number: ' 04a1b2c3 ', label: 'White card' }],
    current_password: password,
  });
  expect(issued).toMatchObject({ status: 201, body: [{ userid: ana.userid, label: 'White card' }] });
  const entry = async (device: Device) => {
    const self = (await device.call('GET', '/stations/self')).body as StationSelf;
    const found = self.people.find(({ userid }) => userid === ana.userid);
    return { device: { ...device, self }, pin: found?.pin, badges: found?.badges };
  };
  const [here, there] = [await entry(one), await entry(other)];
  expect(here.pin).toBe(verifierBy(here.device, 'pin', ana.accountid, '480213'));
  expect(here.badges).toEqual([verifierBy(here.device, 'badge', ana.accountid, '04A1B2C3')]);
  expect(here.pin).not.toBe(verifierBy(here.device, 'pin', ana.accountid, '480214'));
  expect(there.pin).not.toBe(here.pin);
  expect(there.badges).not.toEqual(here.badges);
  const [badge] = issued.body as StationBadge[];
  expect((await lea.call('POST', `/station_badges/${badge?.station_badgeid}/revoke`)).status).toBe(200);
  expect((await entry(one)).badges).toEqual([]);
  await ana.call('DELETE', `/users/${ana.userid}/station_pin`);
  expect((await entry(one)).pin).toBeNull();
});

test('STATION-18 the exit code is shown once, checked by the device alone, and ends with the next one', async () => {
  const made = await world.station();
  expect(made.exit_code).toMatch(/^\d{8}$/);
  expect(JSON.stringify(await rowsOf('stations'))).not.toContain(made.exit_code);
  const device = await world.device(made.enrolment_code);
  const exitOf = async () => ((await device.call('GET', '/stations/self')).body as StationSelf).exit;
  expect(device.self.exit).toBe(verifierBy(device, 'exit', device.self.accountid, made.exit_code));
  const again = await world.mira.call('POST', `/stations/${made.stationid}/code`, {
    current_password: password,
  });
  const { exit_code } = again.body as { exit_code: string };
  expect(exit_code).not.toBe(made.exit_code);
  expect(await exitOf()).toBe(verifierBy(device, 'exit', device.self.accountid, exit_code));
  expect(JSON.stringify((await world.read(made.stationid)).body)).not.toContain('exit');
});
