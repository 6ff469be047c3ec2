import { afterEach, expect, test } from 'vitest';

import type { FormFieldView } from '#desktop/engine/api/records.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import type { Comment } from '#shared/model/comment.ts';
import type { StationArrival, StationDetail } from '#shared/model/station.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

import { type Disk, newDisk, serverAddress } from './support/device.ts';
import { startStation, type StationDevice } from './support/station.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

const current_password = 'a long password';

interface Hall {
  server: TestServer;
  net: { isOn: boolean };
  mira: TestPerson;
  ana: TestPerson;
  ben: TestPerson;
  team: number;
  disk: Disk;
  stationid: number;
  guideid: string;
  torque: FormFieldView;
  photo: FormFieldView;
  /** Starts the app on the disk of the station. */
  start: () => Promise<StationDevice>;
  /** The device that has enrolled. */
  device: StationDevice;
}

/** A real server with a team of two workers, who have badges, and the device of their station. */
async function hall(): Promise<Hall> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const mira = await server.person('Mira', ['User', 'Admin', 'Author']);
  const ana = await server.person('Ana', ['User']);
  const ben = await server.person('Ben', ['User']);
  const { teamid: team } = (await mira.call('POST', '/teams', { name: 'Press' })).body as { teamid: number };
  for (const { userid } of [ana, ben]) await mira.call('PUT', `/teams/${team}/users/${userid}`, {});
  const badges = [ana, ben].map(({ userid }) => ({ userid, number: `card-${userid}` }));
  expect((await mira.call('POST', '/station_badges', { badges, current_password })).status).toBe(201);
  const guide = await makeGuide(mira);
  const form = await makeForm(mira, guide);
  const fieldOf = (name: string): FormFieldView => {
    const field = form.fields.find(({ label }) => label === name);
    return { ...must(field, name), stepid: String(stepAt(guide, 0)) };
  };
  const asked = { name: 'Press 2', teams: [team], current_password };
  const made = (await mira.call('POST', '/stations', asked)).body as {
    stationid: number;
    enrolment_code: string;
  };
  const net = { isOn: true };
  const fetchThere: typeof fetch = async (input, init) => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (!net.isOn) throw new TypeError('fetch failed');
    const url = input instanceof Request ? input.url : String(input);
    return fetch(url.replace(serverAddress, server.url), init);
  };
  const disk = newDisk();
  const start = async (): Promise<StationDevice> => {
    const one = await startStation({ fetch: fetchThere }, disk);
    closing.push(one);
    return one;
  };
  const device = await start();
  await device.actions.enrolStation(serverAddress, made.enrolment_code);
  await device.shows((one) => one !== null, 'guide', String(guide.guideid));
  const { stationid } = made;
  const guideid = String(guide.guideid);
  const [torque, photo] = [fieldOf('Torque'), fieldOf('Photo')];
  return { server, net, mira, ana, ben, team, disk, stationid, guideid, torque, photo, start, device };
}

const badge = ({ userid }: TestPerson) => ({ badge: `CARD-${userid}` });

const picture = (): File => {
  const bytes =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  return new File([Buffer.from(bytes, 'base64')], 'gap.png', { type: 'image/png' });
};

/** Goes online, and waits until the server has everything. */
async function nothingWaits({ net }: Hall, device: StationDevice): Promise<void> {
  net.isOn = true;
  device.actions.syncNow();
  await device.shows((health) => health?.waitingCount === 0, 'stationHealth');
}

test('STATION-ENGINE-1 what two people record offline, with photos and a hand-over, reaches the server as theirs', async () => {
  const scene = await hall();
  const { net, mira, ana, ben, stationid, guideid, torque, photo, device: before } = scene;
  net.isOn = false;
  await before.actions.signInAtStation(badge(ana));
  const order = await before.actions.startWorkOrder(guideid, 'WO-1');
  await before.actions.recordValue(order, torque, '30');
  await before.actions.recordFile(order, photo, picture(), 'gap.png');
  await before.actions.reportDeviation(order, { title: 'Scratched', note: '', pictures: [picture()] });
  await before.actions.signOutOfStation({ orders: 'hand-over', note: 'Check the torque' });
  await before.actions.signInAtStation(badge(ben));
  await before.actions.moveWorkOrder(order, 'assume');
  await before.actions.comment('guide', guideid, 'Torn belt');
  await before[Symbol.asyncDispose]();

  const device = await scene.start();
  expect(await device.look('station')).toMatchObject({
    person: null,
    running: [{ username: 'Ben', workorderid: 'WO-1' }],
  });
  await nothingWaits(scene, device);
  const page = (await mira.call('GET', '/work_log?limit=5')).body as { results: WorkLogEntry[] };
  const [entry] = page.results;
  expect(entry).toMatchObject({ userid: ben.userid, stations: [stationid], status: 'started' });
  const [said] = (await mira.call('GET', `/comments/guide/${guideid}`)).body as Comment[];
  expect(said).toMatchObject({ author: { userid: ben.userid }, stationid });
  const arrivals = (await mira.call('GET', `/stations/${stationid}/arrivals`)).body as StationArrival[];
  const by = Map.groupBy(arrivals, ({ userid }) => userid);
  expect([by.get(ana.userid)?.length, by.get(ben.userid)?.length, by.size]).toEqual([6, 2, 2]);
  // The same device shows what the server made of it.
  await device.shows((station) => station?.running[0]?.entryid === String(entry?.entryid), 'station');
  await device.actions.signInAtStation(badge(ben));
  await device.shows((orders) => orders[0]?.mine === true && orders[0].pending === 0, 'workOrders');
});

test('STATION-ENGINE-15 what was recorded at a station says so, there and on the server', async () => {
  const scene = await hall();
  const { net, ana, guideid, torque, device } = scene;
  net.isOn = false;
  await device.actions.signInAtStation(badge(ana));
  const order = await device.actions.startWorkOrder(guideid, 'WO-1', { serials: ['SN-1'] });
  await device.actions.recordValue(order, torque, '30');
  await device.actions.reportDeviation(order, { title: 'Scratched', note: '', pictures: [] });
  const said = {
    stations: ['Press 2'],
    history: [{ type: 'start', station: 'Press 2' }],
    values: { [torque.field_revisionid]: { value: '30', station: 'Press 2' } },
  };
  expect(await device.look('workOrder', order)).toMatchObject(said);
  expect(await device.look('deviations')).toMatchObject([{ title: 'Scratched', station: 'Press 2' }]);
  await nothingWaits(scene, device);
  // What the apps of others show follows from the records.
  const [entry] = ((await scene.mira.call('GET', '/work_log')).body as { results: WorkLogEntry[] }).results;
  expect(entry).toMatchObject({ stations: [scene.stationid] });
  expect((await scene.mira.call('GET', '/deviations')).body).toMatchObject([{ stationid: scene.stationid }]);
});

test('STATION-ENGINE-3 STATION-ENGINE-8 who left the team is locked out; their work waits until a lead accepts it', async () => {
  const scene = await hall();
  const { net, mira, ana, ben, team, stationid, guideid, device } = scene;
  net.isOn = false;
  await device.actions.signInAtStation(badge(ana));
  await device.actions.comment('guide', guideid, 'Recorded while I was here');
  await mira.call('DELETE', `/teams/${team}/users/${ana.userid}`);
  net.isOn = true;
  device.actions.syncNow();
  await device.shows((station) => station?.lock?.why === 'person-removed', 'station');
  const [item] = await device.shows(([one]) => one?.refusal != null, 'activity');
  expect(item).toMatchObject({ state: 'queued', username: 'Ana' });
  expect(must(item?.refusal, 'the words').message).toContain('A lead decides');
  await device.actions.signInAtStation(badge(ben));
  await device.actions.comment('guide', guideid, 'I go on');
  await device.shows((health) => health?.waitingCount === 1, 'stationHealth');
  await mira.call('POST', `/stations/${stationid}/former_members/${ana.userid}/accept`);
  await nothingWaits(scene, device);
  const said = (await mira.call('GET', `/comments/guide/${guideid}`)).body as Comment[];
  expect(new Set(said.map(({ author }) => author.userid))).toEqual(new Set([ana.userid, ben.userid]));

  net.isOn = false;
  await device.actions.comment('guide', guideid, 'Not wanted');
  await mira.call('DELETE', `/teams/${team}/users/${ben.userid}`);
  net.isOn = true;
  device.actions.syncNow();
  await device.shows(([one]) => one?.refusal != null, 'activity');
  await mira.call('POST', `/stations/${stationid}/former_members/${ben.userid}/refuse`);
  device.actions.syncNow();
  await device.shows(([one]) => one?.state === 'parked', 'activity');
});

test('STATION-ENGINE-3 work in an order names the report of a former member that it waits behind', async () => {
  const scene = await hall();
  const { net, mira, ana, ben, team, stationid, guideid, device } = scene;
  const { actions } = device;
  await actions.signInAtStation(badge(ana));
  const order = await actions.startWorkOrder(guideid, 'WO-1');
  await nothingWaits(scene, device);
  net.isOn = false;
  await actions.reportDeviation(order, { title: 'Dent', note: 'On the left', pictures: [] });
  await actions.moveWorkOrder(order, 'suspend');
  await actions.signInAtStation(badge(ben));
  await actions.moveWorkOrder(order, 'assume');
  await mira.call('DELETE', `/teams/${team}/users/${ana.userid}`);
  net.isOn = true;
  actions.syncNow();
  const answered = (all: readonly ActivityItem[]): ActivityItem[] =>
    all.filter(({ state }) => state === 'queued');
  const items = await device.shows(
    (all) => answered(all).length === 3 && all.some(({ refusal }) => refusal !== null),
    'activity',
  );
  const report = must(answered(items)[2], 'the report');
  expect(answered(items)).toMatchObject([
    { detail: 'assume', username: 'Ben', waitsFor: report.id },
    { detail: 'suspend', username: 'Ana', waitsFor: report.id },
    { kind: 'deviation', username: 'Ana', waitsFor: null, refusal: { code: 'station-needs-lead' } },
  ]);
  await mira.call('POST', `/stations/${stationid}/former_members/${ana.userid}/accept`);
  await nothingWaits(scene, device);
  const page = (await mira.call('GET', '/work_log')).body as { results: WorkLogEntry[] };
  expect(page.results).toMatchObject([{ userid: ben.userid, status: 'started' }]);
});

test('STATION-ENGINE-13 nobody keeps in their own name what another person recorded in an order that somebody took over', async () => {
  const scene = await hall();
  const { net, mira, ana, ben, guideid, torque, device } = scene;
  const { actions } = device;
  await actions.signInAtStation(badge(ana));
  const order = await actions.startWorkOrder(guideid, 'WO-1');
  await actions.moveWorkOrder(order, 'suspend');
  await nothingWaits(scene, device);
  net.isOn = false;
  await actions.moveWorkOrder(order, 'assume');
  await actions.recordValue(order, torque, '30');
  const page = (await mira.call('GET', '/work_log?limit=5')).body as { results: WorkLogEntry[] };
  const { entryid } = must(page.results[0], 'the order');
  expect((await mira.call('POST', `/work_log/${entryid}/assume`, {})).status).toBe(200);
  net.isOn = true;
  actions.syncNow();
  await device.shows((orders) => orders.some(({ frozen }) => frozen), 'workOrders');
  await actions.signInAtStation(badge(ben));
  await expect(actions.saveAsOwnOrder(String(entryid))).rejects.toThrow('Only the person');
  await expect(actions.discardOrder(String(entryid))).rejects.toThrow('Only the person');
  expect((await device.look('activity')).filter(({ state }) => state !== 'on-the-server')).toHaveLength(2);
  await actions.signInAtStation(badge(ana));
  await actions.saveAsOwnOrder(String(entryid));
  await nothingWaits(scene, device);
  const after = (await mira.call('GET', '/work_log?limit=5')).body as { results: WorkLogEntry[] };
  expect(new Set(after.results.map(({ userid }) => userid))).toEqual(new Set([mira.userid, ana.userid]));
  expect(after.results).toHaveLength(2);
});

test('LEAVING-4 STATION-ENGINE-1 a guide leaves the station also while what another person said about it waits', async () => {
  const scene = await hall();
  const { net, mira, ana, ben, guideid, disk, device } = scene;
  const { actions } = device;
  const isInJournal = (words: string): boolean =>
    [...disk.journal.values()].some((bytes) => new TextDecoder('latin1').decode(bytes).includes(words));
  net.isOn = false;
  await actions.signInAtStation(badge(ben));
  await actions.comment('guide', guideid, 'Said by Ben');
  await actions.signInAtStation(badge(ana));
  expect(isInJournal('"subject":"Belt"')).toBe(true);
  const { revisionid } = (await mira.call('GET', `/guides/${guideid}`)).body as { revisionid: number };
  expect((await mira.call('DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`)).status).toBe(200);
  net.isOn = true;
  actions.syncNow();
  await device.shows((one) => one === null, 'guide', guideid);
  await expect.poll(() => isInJournal('Belt')).toBe(false);
  expect(isInJournal('Said by Ben')).toBe(true);
});

test('STATION-10 deviations of an order stay at the station where it was worked on, when its person leaves the team', async () => {
  const scene = await hall();
  const { mira, ana, team, guideid, torque, device } = scene;
  const { actions } = device;
  const order = { guideid: Number(guideid), workorderid: 'WO-1' };
  const { entryid: number } = (await ana.call('POST', '/work_log', order)).body as WorkLogEntry;
  const entryid = String(number);
  actions.syncNow();
  await device.shows((one) => one?.running === true, 'workOrder', entryid);
  await actions.signInAtStation(badge(ana));
  const report = { title: 'Dent', note: '', stepid: torque.stepid, pictures: [] };
  await actions.reportDeviation(entryid, report);
  await nothingWaits(scene, device);
  await actions.recordValue(entryid, torque, '12');
  await nothingWaits(scene, device);
  await mira.call('DELETE', `/teams/${team}/users/${ana.userid}`);
  actions.syncNow();
  await device.shows((station) => station?.lock?.why === 'person-removed', 'station');
  await nothingWaits(scene, device);
  expect((await device.look('workOrder', entryid))?.workorderid).toBe('WO-1');
  expect(await device.look('deviations')).toMatchObject([{ title: 'Dent' }]);
});

test('LEAVING-9 work on an order that ended on another device loses what was recorded there', async () => {
  const scene = await hall();
  const { net, mira, ben, guideid, torque, disk, device } = scene;
  const { actions } = device;
  const { entryid: number } = (
    await ben.call('POST', '/work_log', { guideid: Number(guideid), workorderid: 'WO-1' })
  ).body as WorkLogEntry;
  const entryid = String(number);
  const fields = { [torque.field_revisionid]: '27.3' };
  await ben.call('PUT', `/work_log/${entryid}/stepData`, { fields });
  actions.syncNow();
  await device.shows((one) => JSON.stringify(one?.values ?? null).includes('27.3'), 'workOrder', entryid);
  await actions.signInAtStation(badge(ben));
  net.isOn = false;
  await actions.moveWorkOrder(entryid, 'pause');
  await actions.recordValue(entryid, torque, '31.7');
  expect((await mira.call('POST', `/work_log/${entryid}/finish`, {})).status).toBe(200);
  net.isOn = true;
  const isInJournal = (words: string): boolean =>
    [...disk.journal.values()].some((bytes) => new TextDecoder('latin1').decode(bytes).includes(words));
  expect(isInJournal('27.3')).toBe(true);
  actions.syncNow();
  await device.shows((items) => items.some(({ state }) => state === 'parked'), 'activity');
  await expect.poll(() => isInJournal('27.3')).toBe(false);
  expect(isInJournal('31.7')).toBe(true);
  const [first] = await device.look('activity');
  expect(first).toMatchObject({ subject: 'WO-1', username: 'Ben' });
});

test('STATION-ENGINE-9 STATION-ENGINE-12 the server sees the report; after a revocation the device waits for a new code', async () => {
  const scene = await hall();
  const { mira, ana, stationid, guideid, device, net } = scene;
  const read = async () => (await mira.call('GET', `/stations/${stationid}`)).body as StationDetail;
  await expect.poll(read).toMatchObject({ app_version: '1.2.3', waiting: { count: 0 } });
  await device.actions.signInAtStation(badge(ana));
  net.isOn = false;
  await device.actions.comment('guide', guideid, 'It waits');
  await mira.call('POST', `/stations/${stationid}/revoke`);
  net.isOn = true;
  device.actions.syncNow();
  await device.shows((station) => station?.standing === 'shut-out', 'station');
  await expect(device.actions.signInAtStation(badge(ana))).rejects.toThrow('shut out');
  const { enrolment_code } = (await mira.call('POST', `/stations/${stationid}/code`, { current_password }))
    .body as { enrolment_code: string };
  await device.actions.enrolStation(serverAddress, enrolment_code);
  await nothingWaits(scene, device);
  // The verifiers are new, since the secret is.
  expect((await device.actions.signInAtStation(badge(ana))).result).toBe('signed-in');
});

test('STATION-1 the app of an administrator shows codes with which a device enrols', async () => {
  const { team, device } = await hall();
  const { fetch: fetchThere } = device.environment;
  // RxDB opens few databases at a time.
  await device[Symbol.asyncDispose]();
  const office = await startStation({ fetch: fetchThere });
  closing.push(office);
  await office.actions.signIn(serverAddress, 'mira@example.com', 'a long password');
  const proof = { password: current_password };
  const { station, code } = await office.actions.makeStation({ name: 'Press 3', teams: [team] }, proof);
  expect(must(code, 'the first code').code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  const again = await office.actions.newStationCode(station.stationid, proof);
  expect(again.until * 1000).toBeGreaterThan(Date.now());
  await office[Symbol.asyncDispose]();
  const enrolled = await startStation({ fetch: fetchThere });
  closing.push(enrolled);
  await enrolled.actions.enrolStation(serverAddress, again.code);
  expect(await enrolled.look('station')).toMatchObject({ stationid: station.stationid, name: 'Press 3' });
});
