import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { AuditEntry } from '#shared/model/audit.ts';
import type { Comment } from '#shared/model/comment.ts';
import type { Deviation } from '#shared/model/deviations.ts';
import type { StationArrival } from '#shared/model/station.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { EntryFacts, WorkLogEntry } from '#shared/model/work-log.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { prune } from '#server/features/prune.ts';
import { hashToken } from '#server/core/sessions.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

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

/** What a device of somebody loads, by collection and id. */
async function seenOf(token: string): Promise<Map<string, FeedRow>> {
  const response = await fetch(`${world.server.url}/sync/1/bootstrap?protocol=6-6`, {
    headers: { Authorization: `api ${token}` },
  });
  const lines = (await response.text()).trim().split('\n').slice(1, -1);
  return new Map(lines.map((line) => JSON.parse(line) as FeedRow).map((row) => [`${row.c}/${row.id}`, row]));
}

test('STATION-8 STATION-9 FEEDBACK-1 what a person records at a station is theirs, and says where', async () => {
  const entry = (await world.start(device, world.ana)).body;
  const at = new Date(world.clock.now - 5 * minute).toISOString();
  const path = `/work_log/${entry.entryid}`;
  expect((await device.call('POST', `${path}/pause`, {}, inNameOf(world.ana, at))).status).toBe(200);
  const said = await device.call(
    'POST',
    `/comments/guide/${world.guide.guideid}`,
    { text: 'Torn belt' },
    inNameOf(world.ana),
  );
  const unsafe = await device.call(
    'POST',
    `/comments/step/${world.guide.steps[0]?.stepid}`,
    { text: 'Unsafe', feedback: 'unsafe' },
    inNameOf(world.ana),
  );
  const title = 'Scratched';
  const body = { entryid: entry.entryid, title };
  const told = await device.call('POST', '/deviations', body, inNameOf(world.ana));
  const { stationid } = device;
  expect(entry).toMatchObject({ userid: world.ana.userid, stations: [stationid] });
  expect(said.body as Comment).toMatchObject({ author: { userid: world.ana.userid }, stationid });
  expect(unsafe.body as Comment).toMatchObject({
    author: { userid: world.ana.userid },
    stationid,
    feedback: { reason: 'unsafe' },
  });
  expect(told.body as Deviation).toMatchObject({ userid: world.ana.userid, title, stationid });
  const facts = (await seenOf(world.lea.token)).get(`workLog/${entry.entryid}`)?.doc as EntryFacts;
  expect(facts.events.map(({ type, stationid: where }) => [type, where])).toEqual([
    ['start', stationid],
    ['pause', stationid],
  ]);
  expect(facts.teamids).toEqual([world.team]);
  const [row] = (await world.mira.call('GET', `/audit?action=POST%20/work_log/{entryid}/pause`))
    .body as AuditEntry[];
  expect(row).toMatchObject({ userid: world.ana.userid, name: 'Ana' });
  expect(row?.changes[0]?.facts).toEqual({ stationid, station: 'Press 2', recorded: at });
  const arrivals = (await world.mira.call('GET', `/stations/${stationid}/arrivals`)).body as StationArrival[];
  expect(arrivals.map(({ action, object, objectid }) => [action, object, objectid])).toEqual([
    ['POST /deviations', 'deviation', String((told.body as Deviation).deviationid)],
    ['POST /comments/{context}/{contextid}', 'comment', String((unsafe.body as Comment).commentid)],
    ['POST /comments/{context}/{contextid}', 'comment', String((said.body as Comment).commentid)],
    ['POST /work_log/{entryid}/pause', 'entry', String(entry.entryid)],
    ['POST /work_log', 'entry', String(entry.entryid)],
  ]);
  expect(arrivals[3]?.recorded_date).toBe(Date.parse(at) / 1000);
  const since = `since=${Math.floor(world.clock.now / 1000) + 1}`;
  expect((await world.mira.call('GET', `/stations/${stationid}/arrivals?${since}`)).body).toEqual([]);
  expect((await world.lea.call('GET', `/stations/${stationid}/arrivals`)).status).toBe(403);
});

test('STATION-10 a station reads open work of its people and what was recorded at it, for thirty days', async () => {
  const atHome = (await world.ana.call('POST', '/work_log', world.order())).body as WorkLogEntry;
  const entry = (await world.start(device, world.ana)).body;
  const other = await world.enrolled({ name: 'Paint', teams: [], people: [world.otto.userid] });
  const id = (one: WorkLogEntry): string => `workLog/${one.entryid}`;
  expect((await seenOf(device.token)).get(id(atHome))).toMatchObject({ doc: { entryid: atHome.entryid } });
  expect((await seenOf(device.token)).get(id(entry))).toMatchObject({ doc: { entryid: entry.entryid } });
  expect((await seenOf(other.token)).get(id(entry))).toBeUndefined();
  await world.ana.call('POST', `/work_log/${atHome.entryid}/finish`, {});
  await device.call('POST', `/work_log/${entry.entryid}/finish`, {}, inNameOf(world.ana));
  const after = await seenOf(device.token);
  expect([after.has(id(atHome)), after.has(id(entry))]).toEqual([false, true]);
  world.clock.now += 31 * day;
  expect((await device.call('GET', `/work_log/${entry.entryid}`)).status).toBe(404);
  await prune(world.server.services);
  expect((await seenOf(device.token)).has(id(entry))).toBe(false);
  expect((await seenOf(world.ana.token)).has(id(entry))).toBe(true);
});

test.for(['finish', 'cancel'])(
  'STATION-10 deviations of open work leave a station with it: %s',
  async (end) => {
    const { ana } = world;
    const { entryid } = (await ana.call('POST', '/work_log', world.order())).body as WorkLogEntry;
    const stepid = world.guide.steps[0]?.stepid;
    const told = await ana.call('POST', '/deviations', {
      entryid,
      stepid,
      title: 'Dent',
      note: 'On the left',
    });
    expect(told.status).toBe(201);
    const id = `deviations/${(told.body as Deviation).deviationid}`;
    expect((await seenOf(device.token)).has(id)).toBe(true);
    await ana.call('POST', `/work_log/${entryid}/${end}`, {});
    expect((await seenOf(device.token)).has(id)).toBe(false);
    expect((await seenOf(ana.token)).has(id)).toBe(true);
  },
);

test('STATION-10 planned orders of its people are on a station until they are over', async () => {
  const { lea, ana } = world;
  const body = { guideid: world.guide.guideid, workorderid: 'WO-9', userid: ana.userid };
  const made = await lea.call('POST', '/work_orders', body);
  const { planned_orderid, revisionid } = made.body as { planned_orderid: number; revisionid: number };
  const id = `plannedOrders/${planned_orderid}`;
  expect((await seenOf(device.token)).has(id)).toBe(true);
  const started = await device.call(
    'POST',
    '/work_log',
    { ...world.order(), workorderid: 'WO-9', planned_orderid },
    inNameOf(ana),
  );
  expect(started.body as WorkLogEntry).toMatchObject({ planned_orderid });
  const { entryid } = started.body as WorkLogEntry;
  await device.call('POST', `/work_log/${entryid}/finish`, {}, inNameOf(ana));
  expect((await seenOf(device.token)).has(id)).toBe(false);
  expect(revisionid).toBeGreaterThan(0);
});

test('STATION-11 a station uses files that it sent, and no other files of the person', async () => {
  const form = await makeForm(world.mira, world.guide);
  const photo = form.fields.find(({ label }) => label === 'Photo')?.field_revisionid ?? 0;
  const { default: sharp } = await import('sharp');
  const bytes = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const upload = async (token: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(`${world.server.url}/api/2.0/user/media/images?file=a.png`, {
      method: 'POST',
      headers: { Authorization: `api ${token}`, 'Content-Type': 'image/png', ...headers },
      body: new Uint8Array(bytes),
    });
    return ((await response.json()) as { image: { id: number } }).image.id;
  };
  const names = inNameOf(world.ana);
  const [own, sent] = [await upload(world.ana.token), await upload(device.token, names)];
  const entry = (await world.start(device, world.ana)).body;
  const save = (imageid: number) =>
    device.call('PUT', `/work_log/${entry.entryid}/stepData`, { fields: { [photo]: imageid } }, names);
  expect((await save(own)).status).toBe(422);
  expect((await save(sent)).status).toBe(200);
  const report = (imageid: number) =>
    device.call('POST', '/deviations', { entryid: entry.entryid, title: 'T', images: [imageid] }, names);
  expect((await report(own)).status).toBe(422);
  expect((await report(sent)).status).toBe(201);
  const say = async (imageid: number): Promise<string> => {
    const path = `/comments/guide/${world.guide.guideid}`;
    const { body } = await device.call('POST', path, { text: `[image|${imageid}]` }, names);
    return (body as Comment).text_rendered;
  };
  expect(await say(own)).not.toContain('/igi/');
  expect(await say(sent)).toContain('/igi/');
});

test('STATION-11 large files are uploaded by the station, and used in the name of the person', async () => {
  const text = Buffer.from('Measured by hand');
  const tus = (method: string, path: string, headers: object, body?: Uint8Array<ArrayBuffer>) =>
    fetch(`${world.server.url}/sync/1/uploads${path}`, {
      method,
      headers: { Authorization: `api ${device.token}`, 'Tus-Resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const begunUpload = await tus('POST', '', { 'Upload-Length': String(text.length) });
  const { upload } = (await begunUpload.json()) as { upload: string };
  await tus(
    'PATCH',
    `/${upload}`,
    { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    new Uint8Array(text),
  );
  const { createHash } = await import('node:crypto');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const path = `/user/media/documents?file=a.txt&upload=${upload}&sha256=${sha256}`;
  const { status, body } = await device.call('POST', path, undefined, inNameOf(world.ana));
  expect([status, body]).toMatchObject([200, { filename: 'a.txt' }]);
});

test('STATION-2 a person who joins a station brings the open orders that were stored before', async () => {
  const dora = await world.person('Dora', ['User']);
  const entry = (await dora.call('POST', '/work_log', world.order())).body as WorkLogEntry;
  const { services } = world.server;
  // As an earlier version stored it: without a word of stations.
  await services.storage.write({ userid: null, name: 'Test', action: 'test' }, async (tx) => {
    const { audience } = await tx
      .insertInto('audiences')
      .values({ principals: `admin user:${dora.userid}` })
      .returning('audience')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('documents')
      .set({ audience })
      .where('collection', '=', 'workLog')
      .where('id', '=', String(entry.entryid))
      .execute();
  });
  expect((await seenOf(device.token)).has(`workLog/${entry.entryid}`)).toBe(false);
  await world.mira.call('PUT', `/stations/${device.stationid}/people/${dora.userid}`);
  expect((await seenOf(device.token)).has(`workLog/${entry.entryid}`)).toBe(true);
});

test('STATION-17 a colleague confirms at a station with their password, and wrong ones do not shut it out', async () => {
  const { ana, ben, mira, lea } = world;
  const guide = await makeGuide(mira);
  const fields = [{ field_type: 'Text Input', label: 'Checked by', second_person: 'anyone' }];
  const form = (await mira.call('POST', `/step_forms/${guide.steps[0]?.stepid}`, { fields }))
    .body as StepForm;
  const field_revisionid = form.fields[0]?.field_revisionid;
  const started = await device.call(
    'POST',
    '/work_log',
    { guideid: guide.guideid, workorderid: 'WO-3' },
    inNameOf(ana),
  );
  const { entryid } = started.body as WorkLogEntry;
  const confirm = (who: Known, word: string) =>
    device.call(
      'POST',
      `/work_log/${entryid}/confirm/${who.userid}`,
      { field_revisionid, password: word },
      inNameOf(ana),
    );
  // The next wrong one is the thirtieth in the name of this person.
  await world.server.services.storage.write({ userid: null, name: 'Test', action: 'test' }, (tx) =>
    tx
      .insertInto('login_attempts')
      .values({
        subject: hashToken(`proofs of ${ana.userid}`),
        failures: 29,
        last_date: Math.floor(world.clock.now / 1000),
      })
      .execute(),
  );
  expect((await confirm(ben, 'a wrong password')).status).toBe(422);
  expect((await device.call('GET', '/stations/self')).status).toBe(200);
  expect((await confirm(ben, password)).status).toBe(429);
  world.clock.now += 10 * minute;
  const { body } = await confirm(ben, password);
  expect((body as WorkLogEntry).work_data).toMatchObject([
    { second_person: { state: 'confirmed', userid: ben.userid, method: 'password' } },
  ]);
  const facts = (await seenOf(lea.token)).get(`workLog/${entryid}`)?.doc as EntryFacts;
  expect(facts.events.at(-1)).toMatchObject({ userid: ben.userid, stationid: device.stationid });
});
