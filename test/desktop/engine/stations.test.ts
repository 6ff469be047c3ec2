import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';

import { newDisk, serverAddress } from './support/device.ts';
import {
  ana,
  arrivedAt,
  badgeOf,
  ben,
  enrolledStation,
  pinOf,
  runningAt,
  startStation,
  type StationDevice,
  StationServer,
} from './support/station.ts';

const tile = (one: typeof ana, pin = pinOf(one)) => ({ userid: one.userid, pin });
const arrived = (server: StationServer, path: string): boolean =>
  arrivedAt(server).some((call) => call.path.includes(path));

async function nothingWaits(device: StationDevice): Promise<void> {
  await device.shows((health) => health?.waitingCount === 0, 'stationHealth');
}

test('STATION-ENGINE-6 people sign in by badge, and by name and PIN, without a network and after a restart', async () => {
  const server = new StationServer();
  const disk = newDisk();
  const before = await enrolledStation(server, disk);
  expect(await before.look('station')).toMatchObject({
    name: 'Assembly 3',
    person: null,
    lock: { why: 'started' },
  });
  await before[Symbol.asyncDispose]();
  server.records.setUp(false);
  await using device = await startStation(server, disk);
  const { actions } = device;
  expect(await actions.signInAtStation({ badge: ` ${badgeOf(ben).toLowerCase()} ` })).toMatchObject({
    result: 'signed-in',
    userid: ben.userid,
  });
  expect(await device.look('session')).toMatchObject({
    user: { userid: ben.userid, privileges: ['User', 'Kiosk'] },
  });
  expect(await actions.signInAtStation(tile(ana, '4711'))).toMatchObject({
    result: 'wrong',
    waitUntil: null,
  });
  // Ben is still signed in.
  expect(await device.look('station')).toMatchObject({ person: { username: 'Ben' }, failedTries: 1 });
  expect(await actions.signInAtStation(tile(ana))).toMatchObject({ result: 'signed-in', username: 'Ana' });
  expect(await device.look('station')).toMatchObject({ person: { username: 'Ana' } });
  await expect(actions.signInAtStation({ pin: pinOf(ana) })).rejects.toThrow('other ways');
});

test('STATION-ENGINE-1 two people at one station: each call is sent in the name of who did it, over a restart', async () => {
  const server = new StationServer();
  const disk = newDisk();
  const before = await enrolledStation(server, disk);
  server.records.setUp(false);
  await before.actions.signInAtStation(tile(ana));
  const order = await before.actions.startWorkOrder('7', 'WO-1');
  await before.actions.comment('guide', '7', 'The screw is worn');
  await before.actions.signInAtStation({ badge: badgeOf(ben) });
  await before.actions.comment('guide', '7', 'Changed it');
  expect(await before.look('workOrder', order)).toMatchObject({
    username: 'Ana',
    mine: false,
    running: true,
  });
  await before[Symbol.asyncDispose]();

  await using device = await startStation(server, disk);
  expect(await device.look('stationHealth')).toMatchObject({
    waitingCount: 3,
    waiting: [
      { username: 'Ana', count: 2 },
      { username: 'Ben', count: 1 },
    ],
  });
  server.records.setUp(true);
  device.actions.syncNow();
  await nothingWaits(device);
  expect(arrivedAt(server)).toEqual([
    { path: '/work_log', for: ana.accountid },
    { path: '/comments/guide/7', for: ana.accountid },
    { path: '/comments/guide/7', for: ben.accountid },
  ]);
  const texts = server.records.all<{ userid: number }>('comments').map(({ userid }) => userid);
  expect(texts).toEqual([ana.userid, ben.userid]);
});

test('STATION-ENGINE-1 an action belongs to the person who began it, even if the station locks meanwhile', async () => {
  const server = new StationServer();
  await using device = await enrolledStation(server);
  await device.actions.signInAtStation(tile(ana));
  const saving = device.actions.comment('guide', '7', 'Typed in time');
  device.actions.lockStation();
  await device.actions.signInAtStation(tile(ben));
  await saving;
  await nothingWaits(device);
  expect(arrivedAt(server)).toEqual([{ path: '/comments/guide/7', for: ana.accountid }]);
});

test('STATION-ENGINE-1 nobody changes or discards what another person recorded', async () => {
  const server = new StationServer();
  server.records.refuse = ({ path }) => (path.startsWith('/comments') ? { status: 422 } : undefined);
  await using device = await enrolledStation(server);
  await device.actions.signInAtStation(tile(ana));
  await device.actions.comment('guide', '7', 'Refused');
  const [item] = await device.shows(([one]) => one?.state === 'parked', 'activity');
  await device.actions.signInAtStation(tile(ben));
  const { id } = must(item, 'the refused comment');
  await expect(device.actions.editCall(id, { text: 'Other words' })).rejects.toThrow('Only the person');
  await expect(device.actions.discardCall(id)).rejects.toThrow('Only the person');
  await device.actions.signInAtStation(tile(ana));
  await device.actions.discardCall(id);
  expect(await device.look('activity')).toEqual([]);
});

test('STATION-ENGINE-2 STATION-ENGINE-5 nothing is recorded while nobody is signed in, nor what a station may not send', async () => {
  const server = new StationServer();
  await using device = await enrolledStation(server);
  const { actions } = device;
  await expect(actions.startWorkOrder('7', 'WO-1')).rejects.toThrow('Sign in at this station first');
  await actions.signInAtStation(tile(ana));
  await expect(actions.favorite('7', true)).rejects.toThrow('not possible at a station');
  expect(await device.look('activity')).toEqual([]);
  server.records.setUp(false);
  const said = await actions.comment('guide', '7', 'Torn');
  await actions.editComment(said, 'Torn belt');
  server.records.setUp(true);
  actions.syncNow();
  await nothingWaits(device);
  expect(server.records.all<{ text_raw: string }>('comments')).toMatchObject([{ text_raw: 'Torn belt' }]);
});

test('STATION-ENGINE-3 the calls of a former member wait in words, hold up nobody else, and go once a lead accepts', async () => {
  const server = new StationServer();
  const words = 'Ana no longer belongs to this station. A lead decides';
  const body = { message: words, msg: words, code: 'station-needs-lead', errors: [] };
  let isAccepted = false;
  server.records.refuse = ({ recorded_for }) =>
    recorded_for === ana.accountid && !isAccepted ? { status: 403, body } : undefined;
  await using device = await enrolledStation(server, newDisk(), 20);
  await device.actions.signInAtStation(tile(ana));
  await device.actions.comment('guide', '7', 'Before I left');
  const isTold = (one: { refusal: { message: string } | null } | undefined): boolean =>
    one?.refusal?.message === words;
  await device.shows(([one]) => isTold(one), 'activity');
  await device.actions.signInAtStation(tile(ben));
  await device.actions.comment('guide', '7', 'I go on');
  await expect.poll(() => server.records.all('comments')).toHaveLength(1);
  expect(await device.look('stationHealth')).toMatchObject({
    waitingCount: 1,
    waiting: [{ username: 'Ana', needLead: 1, refused: 0 }],
  });
  isAccepted = true;
  device.actions.syncNow();
  await nothingWaits(device);
  expect(server.records.all('comments')).toHaveLength(2);
});

test('STATION-ENGINE-4 wrong PINs make one person wait, over restarts, and many make everybody wait', async () => {
  const server = new StationServer();
  const disk = newDisk();
  const before = await enrolledStation(server, disk);
  const wrong = (device: StationDevice, one = ana) => device.actions.signInAtStation(tile(one, '0815'));
  for (let tries = 0; tries < 4; tries += 1) expect((await wrong(before)).result).toBe('wrong');
  expect(await wrong(before)).toMatchObject({ result: 'wrong', waitUntil: expect.any(Number) });
  await before[Symbol.asyncDispose]();
  await using device = await startStation(server, disk);
  // The right PIN is not looked at either; others do not wait.
  expect((await device.actions.signInAtStation(tile(ana))).result).toBe('early');
  const [first, second] = must(await device.look('station'), 'the station').people;
  expect([first?.waitUntil, second?.waitUntil]).toEqual([expect.any(Number), null]);
  expect((await device.actions.signInAtStation(tile(ben))).result).toBe('signed-in');
  for (let tries = 0; tries < 15; tries += 1)
    await device.actions.signInAtStation({ badge: `Card ${tries}` });
  expect((await device.actions.signInAtStation(tile(ben))).result).toBe('early');
  expect(await device.look('station')).toMatchObject({ failedTries: 20, waitUntil: expect.any(Number) });
});

test('STATION-ENGINE-7 the station locks when nobody touches it; the order runs on, and its worker returns to the place', async () => {
  const server = new StationServer({ idle_seconds: 15 });
  const disk = newDisk();
  const before = await enrolledStation(server, disk, 20);
  const { actions } = before;
  await actions.signInAtStation(tile(ana));
  const order = await actions.startWorkOrder('7', 'WO-1');
  await actions.enterStep(order, '11');
  actions.noteStationAddress('/guides/7?order=WO-1');
  await before.shows((station) => station?.lock?.why === 'idle', 'station');
  expect(await runningAt(before)).toMatchObject([
    { username: 'Ana', workorderid: 'WO-1', activeStepid: '11', stepNumber: 1, stepTitle: 'Step title 1' },
  ]);
  expect(await actions.signInAtStation(tile(ben))).toMatchObject({
    address: null,
    others: [{ username: 'Ana' }],
  });
  await nothingWaits(before);
  await before[Symbol.asyncDispose]();
  // The power comes back.
  await using device = await startStation(server, disk);
  expect(await device.look('station')).toMatchObject({ person: null, lock: { why: 'started' } });
  await device.shows((station) => station?.running[0]?.activeStepid === '11', 'station');
  // The first screen of a person says at once where it is, which must not replace where they were.
  void device.shows((station) => {
    const isOpen = station?.person != null;
    if (isOpen) device.actions.noteStationAddress('/station');
    return isOpen;
  }, 'station');
  expect(await device.actions.signInAtStation({ badge: badgeOf(ana) })).toMatchObject({
    address: '/guides/7?order=WO-1',
    others: [],
  });
});

test('STATION-ENGINE-8 a revoked badge ends at the next contact, also of who is signed in by it; their work is sent', async () => {
  const server = new StationServer();
  await using device = await enrolledStation(server);
  await device.actions.signInAtStation({ badge: badgeOf(ana) });
  await device.actions.startWorkOrder('7', 'WO-1');
  server.self = { ...server.self, people: [{ ...server.person(ana), badges: [] }, server.person(ben)] };
  device.environment.online.next(false);
  device.environment.online.next(true);
  await device.shows((station) => station?.lock?.why === 'badge-revoked', 'station');
  expect((await device.actions.signInAtStation({ badge: badgeOf(ana) })).result).toBe('wrong');
  await device.actions.signInAtStation(tile(ana));
  server.self = { ...server.self, people: [server.person(ben)] };
  device.environment.online.next(false);
  device.environment.online.next(true);
  await device.shows((station) => station?.lock?.why === 'person-removed', 'station');
  expect(await device.look('station')).toMatchObject({
    lock: { username: 'Ana' },
    running: [{ username: 'Ana' }],
  });
  await nothingWaits(device);
  expect(arrived(server, '/work_log')).toBe(true);
});

test('STATION-ENGINE-9 the station reports its version, what waits and wrong tries', async () => {
  const server = new StationServer();
  await using device = await enrolledStation(server);
  await device.actions.signInAtStation(tile(ana, '0815'));
  device.environment.online.next(false);
  device.environment.online.next(true);
  await expect
    .poll(() => server.reports.at(-1))
    .toEqual({
      app_version: '1.2.3',
      waiting: 0,
      oldest: null,
      failed_tries: 1,
    });
});

test('STATION-ENGINE-10 who signs out pauses their order, hands it over with a note, or lets it run', async () => {
  const server = new StationServer();
  await using device = await enrolledStation(server);
  const { actions } = device;
  const signIn = () => actions.signInAtStation(tile(ana));
  const begin = async (number: string): Promise<string> => {
    await signIn();
    return actions.startWorkOrder('7', number);
  };
  const paused = await begin('WO-1');
  actions.noteStationAddress('/guides/7');
  await actions.signOutOfStation({ orders: 'pause' });
  expect(await device.look('station')).toMatchObject({
    person: null,
    lock: { why: 'signed-out' },
    running: [],
  });
  expect(await device.look('workOrder', paused)).toMatchObject({ status: 'paused' });
  expect(await signIn()).toMatchObject({ address: null });
  const handed = await begin('WO-2');
  await actions.signOutOfStation({ orders: 'hand-over', note: 'The belt is missing' });
  expect(await device.look('workOrder', handed)).toMatchObject({
    status: 'suspended',
    handover: { note: 'The belt is missing', username: 'Ana' },
  });
  const running = await begin('WO-3');
  await actions.signOutOfStation({ orders: 'keep-running' });
  expect(await device.look('workOrder', running)).toMatchObject({ status: 'started' });
  await actions.signInAtStation(tile(ben));
  await actions.moveWorkOrder(handed, 'assume');
  expect(await runningAt(device)).toMatchObject([
    { username: 'Ben', workorderid: 'WO-2' },
    { username: 'Ana' },
  ]);
  await nothingWaits(device);
});

test('STATION-ENGINE-11 its support sees what is wrong without a network, in words for a QR code', async () => {
  const server = new StationServer();
  server.records.now = Date.now() + 600_000;
  await using device = await enrolledStation(server);
  await device.actions.signInAtStation(tile(ana));
  server.records.setUp(false);
  await device.actions.comment('guide', '7', 'It waits');
  await device.actions.signInAtStation(tile(ben, '0815'));
  const health = await device.shows(
    (now) => now?.isOnline === false && now.failedTries === 1,
    'stationHealth',
  );
  expect(health).toMatchObject({
    name: 'Assembly 3',
    server: serverAddress,
    appVersion: '1.2.3',
    standing: 'enrolled',
    waiting: [{ username: 'Ana', count: 1, refused: 0 }],
    waitingCount: 1,
    trouble: null,
  });
  expect(Math.abs(must(health, 'the health').clockOffset - 600_000)).toBeLessThan(5000);
  expect(must(health, 'the health').contactAt).toBeGreaterThan(Date.now() - 60_000);
  // A QR code holds about 2,900 bytes.
  expect(JSON.stringify(health).length).toBeLessThan(1000);
});
