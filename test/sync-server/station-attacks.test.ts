import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { surface } from '#shared/api/surface.ts';
import type { AuditEntry } from '#shared/model/audit.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { BatchCall } from '#shared/sync/wire.ts';
import { batch } from '#test/support/sync-calls.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { day, inNameOf, minute, password, StationWorld, type Device, type Known } from './stations/world.ts';

// All tests share one server, because starting it takes longer than most of them.
let world: StationWorld;
let device: Device;
beforeAll(async () => {
  world = await StationWorld.start();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  world.clock.now += 60 * minute;
  device = await world.enrolled();
});

const codeOf = (answer: { status: number; body: unknown }): [number, string] => [
  answer.status,
  (answer.body as { code: string }).code,
];

const leave = ({ userid }: Known) => world.mira.call('DELETE', `/teams/${world.team}/users/${userid}`);
const join = ({ userid }: Known) => world.mira.call('PUT', `/teams/${world.team}/users/${userid}`, {});

const recorded = Object.values(surface)
  .flatMap((table): Endpoint[] => Object.values(table))
  .filter((endpoint) => endpoint.recorded === true);

test('STATION-4 exactly these calls are made in the name of a person', () => {
  expect(recorded.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /work_log',
    'POST /work_log/{entryid}/finish',
    'POST /work_log/{entryid}/cancel',
    'POST /work_log/{entryid}/pause',
    'POST /work_log/{entryid}/resume',
    'POST /work_log/{entryid}/suspend',
    'POST /work_log/{entryid}/assume',
    'PUT /work_log/{entryid}/step',
    'PUT /work_log/{entryid}/stepData',
    'POST /work_log/{entryid}/revision',
    'POST /work_log/{entryid}/confirm/{userid}',
    'POST /deviations',
    'POST /comments/{context}/{contextid}',
    'POST /user/media/images',
    'POST /user/media/videos',
    'POST /user/media/documents',
  ]);
});

test('STATION-6 a stolen token acts for nobody but people of its station, through no call', async () => {
  const nobody = { accountid: '00000000-0000-4000-8000-000000000000' };
  for (const who of [world.otto, world.mira, nobody])
    for (const { method, path } of recorded) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'context' ? 'guide' : '1'));
      const answer = await device.call(method, filled, {}, inNameOf(who));
      expect([path, ...codeOf(answer)]).toEqual([path, 403, 'not-of-station']);
    }
});

test('STATION-6 the token of another station acts for its own people only', async () => {
  const other = await world.enrolled({ name: 'Paint', teams: [], people: [world.otto.userid] });
  const entry = (await world.start(device, world.ana)).body;
  const move = (by: Device, who: Known) =>
    by.call('POST', `/work_log/${entry.entryid}/pause`, {}, inNameOf(who));
  expect(codeOf(await move(other, world.ana))).toEqual([403, 'not-of-station']);
  expect((await move(other, world.otto)).status).toBe(404);
  // Somebody else of the same station did not hold the order, and only sees it.
  expect((await move(device, world.ben)).status).toBe(403);
  expect((await move(device, world.ana)).status).toBe(200);
});

test('STATION-8 the privileges of a person do not count at a station, and nothing that only they can see', async () => {
  const { mira } = world;
  await world.mira.call('PUT', `/stations/${device.stationid}/people/${mira.userid}`);
  const entry = (await world.start(device, world.ana)).body;
  const names = inNameOf(mira);
  expect((await device.call('POST', `/work_log/${entry.entryid}/cancel`, {}, names)).status).toBe(403);
  const hidden = await makeGuide(mira, false);
  const body = { guideid: hidden.guideid, workorderid: 'WO-2' };
  expect((await device.call('POST', '/work_log', body, names)).status).toBe(404);
  const text = { text: 'Hm' };
  expect((await device.call('POST', `/comments/guide/${hidden.guideid}`, text, names)).status).toBe(404);
});

test.each([
  ['DELETE', '/work_log/{entry}', {}],
  ['PATCH', '/guides/{guide}?revisionid=1', { summary: 'S' }],
  ['POST', '/guides', { category: 'Bench Grinder', type: 'repair', title: 'Belt' }],
  ['PUT', '/user/favorites/guides/{guide}', {}],
  ['POST', '/approvals/request/sign/1', { meaning: 'approved', password }],
  ['POST', '/deviations/1/disposition?revisionid=1', { disposition: 'scrap', reason: 'R' }],
  ['POST', '/guides/{guide}/releases', {}],
  ['POST', '/work_log/1/confirm', { field_revisionid: 1, current_password: password }],
  ['POST', '/work_log/1/sign', { meaning: 'performed', current_password: password }],
  ['POST', '/work_orders', { workorderid: 'WO', guideid: 1 }],
  ['PUT', '/users/1/station_pin', { pin: '480213' }],
  ['DELETE', '/user/token', undefined],
])('STATION-4 %s %s is not made in the name of a person', async (method, path, body) => {
  const filled = path.replace('{entry}', '1').replace('{guide}', String(world.guide.guideid));
  expect(codeOf(await device.call(method, filled, body, inNameOf(world.ana)))).toEqual([
    422,
    'not-recordable',
  ]);
});

test('STATION-4 without the token of a device of a station the header is refused, and reads ignore it', async () => {
  const body = world.order();
  for (const who of [world.ben, world.mira])
    expect(codeOf(await who.call('POST', '/work_log', body, inNameOf(world.ana)))).toEqual([
      422,
      'not-a-station',
    ]);
  const other = await world.server.session({ userid: device.stationid });
  expect(codeOf(await other('POST', '/work_log', body, inNameOf(world.ana)))).toEqual([422, 'not-a-station']);
  const strange = await fetch(`${world.server.url}/api/2.0/work_log`, {
    method: 'POST',
    headers: inNameOf(world.ana),
  });
  expect(strange.status).toBe(401);
  const own = (await device.call('GET', '/user', undefined, inNameOf(world.ana))).body as { userid: number };
  expect(own.userid).toBe(device.stationid);
  for (const headers of [
    { 'X-Recorded-For': String(world.ana.userid) },
    { ...inNameOf(world.ana), 'X-Recorded-At': 'yesterday' },
  ])
    expect((await device.call('POST', '/work_log', body, headers)).status).toBe(422);
});

test('STATION-19 STATION-14 founding a team gives an author no power over stations, or over how others sign in', async () => {
  const { ana, ben, lea, mira, team } = world;
  const { stationid } = device;
  const mallory = await world.person('Mallory');
  const founded = await mallory.call('POST', '/teams', { name: 'Mine', join_code: 'a code to join' });
  const { teamid } = founded.body as { teamid: number };
  for (const { userid } of [ana, mira])
    expect((await mallory.call('PUT', `/teams/${teamid}/users/${userid}`, {})).status).toBe(200);
  const put = (who: Known, where: number) => who.call('PUT', `/teams/${where}/users/${stationid}`, {});
  expect((await put(mallory, teamid)).status).toBe(403);
  expect((await put(lea, team)).status).toBe(403);
  expect((await mallory.call('GET', `/stations/${stationid}`)).status).toBe(404);
  expect((await mallory.call('POST', `/stations/${stationid}/revoke`)).status).toBe(404);
  const proved = { current_password: password };
  const pinOf = ({ userid }: Known) => `/users/${userid}/station_pin`;
  for (const victim of [ana, mira]) {
    const { userid } = victim;
    expect((await mallory.call('PUT', pinOf(victim), { pin: '480213', ...proved })).status).toBe(403);
    expect((await mallory.call('DELETE', pinOf(victim))).status).toBe(403);
    const badges = [{ userid, number: `of Mallory ${userid}` }];
    expect((await mallory.call('POST', '/station_badges', { badges, ...proved })).status).toBe(403);
  }
  // An administrator does this, and the lead of the team then decides about its members there.
  expect((await put(mira, teamid)).status).toBe(200);
  expect((await mallory.call('GET', `/stations/${stationid}`)).status).toBe(200);
  expect((await mallory.call('PUT', pinOf(ana), { pin: '480213', ...proved })).status).toBe(204);
  expect((await mallory.call('PUT', pinOf(ben), { pin: '480213', ...proved })).status).toBe(403);
  await mira.call('DELETE', `/teams/${teamid}`);
});

test('STATION-16 an administrator does not act as a station either, so nothing is recorded in its own name', async () => {
  const { status } = await world.mira.call('POST', '/user/token/impersonate', { userid: device.stationid });
  expect(status).toBe(403);
});

test('STATION-5 a station records nothing in its own name', async () => {
  expect(codeOf(await device.call('POST', '/work_log', world.order()))).toEqual([
    422,
    'station-needs-person',
  ]);
});

test('STATION-7 calls for a former member wait for a lead, and pass for a week after the lead accepts', async () => {
  const { stationid } = device;
  const before = new Date(world.clock.now + minute).toISOString();
  world.clock.now += 10 * minute;
  await leave(world.ben);
  world.clock.now += 10 * minute;
  expect(codeOf(await world.start(device, world.ben, before))).toEqual([403, 'station-needs-lead']);
  // Also what was recorded after the end: without a network, the station did not know.
  const after = new Date(world.clock.now).toISOString();
  expect(codeOf(await world.start(device, world.ben, after))).toEqual([403, 'station-needs-lead']);
  const early = new Date(world.clock.now - 900 * day).toISOString();
  expect(codeOf(await world.start(device, world.ben, early))).toEqual([403, 'not-of-station']);
  const { body } = await world.read(stationid, world.lea);
  expect(body).toMatchObject({
    former_waiting: 1,
    former: [
      {
        userid: world.ben.userid,
        earliest: Date.parse(before) / 1000,
        latest: Math.floor(Date.parse(after) / 1000),
        decision: null,
      },
    ],
  });
  const path = `/stations/${stationid}/former_members/${world.ben.userid}`;
  expect((await world.ana.call('POST', `${path}/accept`)).status).toBe(404);
  world.clock.now += minute;
  expect(await world.lea.call('POST', `${path}/accept`)).toMatchObject({
    status: 200,
    body: { former_waiting: 0, former: [{ decision: 'accepted', decided_by: world.lea.userid }] },
  });
  expect((await world.start(device, world.ben, before)).status).toBe(201);
  const within = new Date(world.clock.now + 999).toISOString();
  world.clock.now += minute;
  // The decision is stored in seconds.
  expect((await world.start(device, world.ben, within)).status).toBe(201);
  // Recorded after the decision: waits again, and does not take the decision back.
  expect(codeOf(await world.start(device, world.ben))).toEqual([403, 'station-needs-lead']);
  expect((await world.read(stationid)).body.former_waiting).toBe(1);
  expect((await world.start(device, world.ben, before)).status).toBe(201);
  world.clock.now += 7 * day;
  expect(codeOf(await world.start(device, world.ben, before))).toEqual([403, 'station-needs-lead']);
  await world.mira.call('POST', `${path}/refuse`);
  expect(codeOf(await world.start(device, world.ben, before))).toEqual([403, 'not-of-station']);
  expect((await world.mira.call('POST', `/stations/${stationid}/former_members/1/refuse`)).status).toBe(404);
  await join(world.ben);
  expect((await world.start(device, world.ben, before)).status).toBe(201);
  expect((await world.read(stationid)).body.former).toEqual([]);
});

test('STATION-12 a station that calls for strangers is in the audit log once an hour, and in the log each time', async () => {
  const rows = async (): Promise<AuditEntry[]> =>
    (await world.mira.call('GET', `/audit?object=station&outcome=refused&userid=${device.stationid}`)).body;
  const warned = () => world.logged.filter((line) => line.includes('somebody who is not of it')).length;
  const before = warned();
  await world.start(device, world.otto);
  await world.start(device, world.otto);
  expect(await rows()).toMatchObject([
    { name: 'Press 2', changes: [{ facts: { accountid: world.otto.accountid } }] },
  ]);
  expect(warned() - before).toBe(2);
});

const call = (id: string, who: Known, more: Partial<BatchCall> = {}): BatchCall => ({
  id,
  lane: id,
  method: 'POST',
  path: '/work_log',
  body: world.order(),
  recorded_for: who.accountid,
  recorded_at: new Date(world.clock.now).toISOString(),
  ...more,
});

test('IDEMPOTENCY-3 BATCH-1 a batch of a station names a person for each call; their devices do not get the keys', async () => {
  const results = await batch(world.server, device, [
    call('at-press-ana', world.ana),
    call('at-press-hand-over', world.ana, {
      path: '/work_log/tmp:at-press-ana/suspend',
      body: { note: 'Take over' },
    }),
    // Somebody else of the station goes on with what the first one made without a network.
    call('at-press-ben', world.ben, { path: '/work_log/tmp:at-press-ana/assume', body: {} }),
    call('at-press-otto', world.otto),
    { id: 'at-press-nobody', lane: 'x', method: 'POST', path: '/work_log', body: world.order() },
  ]);
  expect(results.map(({ status }) => status)).toEqual([201, 200, 200, 403, 422]);
  const entryid = results[0]?.created['tmp:at-press-ana'];
  const facts = { entryid, events: [{ userid: world.ana.userid }, {}, { userid: world.ben.userid }] };
  expect(results[2]?.rows).toMatchObject([{ c: 'workLog', key: 'at-press-ben', doc: facts }]);
  const own = await fetch(`${world.server.url}/sync/1/pull?since=0.0&limit=2000&protocol=6-6`, {
    headers: { Authorization: `api ${world.ana.token}` },
  });
  expect(await own.text()).not.toContain('"key":"at-press-hand-over"');
  // The same key under another person does nothing, and shows nothing.
  const [stolen] = await batch(world.server, device, [call('at-press-ana', world.ben)]);
  expect(stolen).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' }, created: {} });
  const [again] = await batch(world.server, device, [call('at-press-ana', world.ana)]);
  expect(again).toMatchObject({ status: 201, replayed: true });
  // The key is free for a device of the person.
  const home = await world.ana.call('POST', '/work_log', world.order(), {
    'Idempotency-Key': 'at-press-ana',
  });
  expect(home.headers.get('Idempotency-Replayed')).toBeNull();
  expect((home.body as WorkLogEntry).entryid).not.toBe(entryid);
});

test('STATION-3 a station that is revoked during a batch has no further effect', async () => {
  const entries = async (): Promise<number> =>
    ((await world.mira.call('GET', '/work_log?limit=1')).body as { totalResults: number }).totalResults;
  const before = await entries();
  const calls = Array.from({ length: 100 }, (_, index) =>
    call(`revoked-${device.stationid}-${index}`, world.ana),
  );
  const sending = batch(world.server, device, calls);
  await expect.poll(entries).toBeGreaterThan(before);
  await world.mira.call('POST', `/stations/${device.stationid}/revoke`);
  const results = await sending;
  const done = results.filter(({ status }) => status === 201).length;
  expect(await entries()).toBe(before + done);
  expect(done).toBeLessThan(100);
  expect(results.at(-1)).toMatchObject({ status: 401, body: { code: 'station-revoked' } });
});
