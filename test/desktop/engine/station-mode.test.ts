import { expect, test } from 'vitest';

import { newDisk, serverAddress } from './support/device.ts';
import {
  ana,
  arrivedAt,
  enrolledStation,
  exitCode,
  pinOf,
  startStation,
  type StationDevice,
  StationServer,
} from './support/station.ts';

const tile = (one: typeof ana, pin = pinOf(one)) => ({ userid: one.userid, pin });

async function nothingWaits(device: StationDevice): Promise<void> {
  await device.shows((health) => health?.waitingCount === 0, 'stationHealth');
}

test('STATION-ENGINE-14 the exit code ends station mode without a network; guesses are slowed, over restarts', async () => {
  const server = new StationServer();
  const disk = newDisk();
  const before = await enrolledStation(server, disk);
  server.records.setUp(false);
  const refused = (device: StationDevice, code: string) =>
    expect(device.actions.leaveStation({ code })).rejects;
  await refused(before, '00000000').toThrow('The code was not accepted. Try again');
  // The PIN of a person is none, and neither is the text that the device stores.
  await refused(before, pinOf(ana)).toThrow('The code was not accepted');
  await refused(before, server.self.exit ?? '').toThrow('The code was not accepted');
  await refused(before, '').toThrow('The code was not accepted');
  await refused(before, '48021374').toThrow('Try again in 30 seconds');
  await before[Symbol.asyncDispose]();
  const device = await startStation(server, disk);
  await refused(device, exitCode).toThrow(/Try again in \d+ seconds/);
  expect(await device.look('station')).toMatchObject({ hasExitCode: true, failedTries: 5 });
  // People go on signing in.
  expect((await device.actions.signInAtStation(tile(ana))).result).toBe('signed-in');
  await device[Symbol.asyncDispose]();
  await using later = await startStation(server, disk, 100);
  await expect.poll(async () => (await later.look('station'))?.people.length).toBe(2);
  const leave = () => later.actions.leaveStation({ code: ' 4802 1375' }).catch(String);
  await expect.poll(leave).toBeUndefined();
  expect(await later.look('station')).toBeNull();
});

test('STATION-ENGINE-12 only an administrator ends station mode; what waits is sent after enrolling again', async () => {
  const server = new StationServer();
  const disk = newDisk();
  await using device = await enrolledStation(server, disk);
  const { actions } = device;
  await actions.signInAtStation(tile(ana));
  server.records.setUp(false);
  await actions.comment('guide', '7', 'It waits');
  await expect(actions.leaveStation({ email: 'mira', password: 'secret' })).rejects.toThrow(
    'does not answer',
  );
  await expect(actions.leaveStation(null)).rejects.toThrow('An administrator must confirm');
  await expect(actions.signOut('remove-with-work')).rejects.toThrow('An administrator must end that first');
  await expect(actions.signIn(serverAddress, 'ada', 'secret')).rejects.toThrow(
    'An administrator must end that first',
  );
  server.records.refuse = () => ({ status: 503 });
  server.records.setUp(true);
  await expect(actions.leaveStation({ email: 'ada', password: 'secret' })).rejects.toThrow(
    'Only an administrator',
  );
  await actions.leaveStation({ email: 'mira', password: 'secret' });
  expect(await device.look('station')).toBeNull();
  expect(await device.look('session')).toMatchObject({
    user: null,
    elsewhere: [{ username: 'Assembly 3', changes: 1 }],
  });
  server.records.refuse = () => undefined;
  await actions.enrolStation(serverAddress, '7Q4XM-R2KD9');
  await device.shows((health) => health?.waitingCount === 0, 'stationHealth');
  expect(arrivedAt(server).at(-1)).toEqual({ path: '/comments/guide/7', for: ana.accountid });
});

test('STATION-ENGINE-12 a revoked station lets nobody in, keeps what waits, and goes on after a new code', async () => {
  const server = new StationServer();
  await using device = await enrolledStation(server);
  const { actions } = device;
  await actions.signInAtStation(tile(ana));
  server.records.refuse = () => ({ status: 503 });
  await actions.comment('guide', '7', 'It waits');
  server.isRevoked = true;
  actions.syncNow();
  await device.shows(
    (station) => station?.standing === 'shut-out' && station.lock?.why === 'shut-out',
    'station',
  );
  await expect(actions.signInAtStation(tile(ana))).rejects.toThrow('shut out');
  server.records.refuse = () => undefined;
  await actions.enrolStation(serverAddress, '7Q4XM-R2KD9');
  expect(await device.look('station')).toMatchObject({ standing: 'enrolled' });
  await nothingWaits(device);
  expect(arrivedAt(server).at(-1)).toEqual({ path: '/comments/guide/7', for: ana.accountid });
});
