import { afterAll, beforeAll, expect, test } from 'vitest';

import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { recordInConflict } from '#server/sync/batch.ts';
import type { TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { admin, ana, ben, cleo, endWorld, guide, move, server, start, startWorld } from './work-log/world.ts';

let lead: TestPerson;
let otherLead: TestPerson;
let worker: TestPerson;
let mate: TestPerson;
let station: TestPerson;
let teamid: number;

beforeAll(async () => {
  await startWorld();
  lead = await server.person('Lena', ['User', 'Author']);
  otherLead = await server.person('Olaf', ['User', 'Author']);
  worker = await server.person('Wim', ['User']);
  mate = await server.person('Mia', ['User']);
  station = await server.person('Station 4', ['User', 'Kiosk']);
  teamid = await team(lead, [worker, mate, station]);
  await team(otherLead, []);
});
afterAll(endWorld);

async function team(owner: TestPerson, members: readonly TestPerson[]): Promise<number> {
  const made = await owner.call('POST', '/teams', { name: `Team of ${owner.userid}` });
  const { teamid: id } = made.body as { teamid: number };
  for (const { userid } of members) await owner.call('PUT', `/teams/${id}/users/${userid}`);
  return id;
}

interface Answer {
  status: number;
  body: PlannedOrder;
}

let count = 0;
async function plan(person: TestPerson, more: object = { userid: worker.userid }): Promise<Answer> {
  count += 1;
  return person.call('POST', '/work_orders', {
    guideid: guide.guideid,
    workorderid: `WO-P${count}`,
    ...more,
  });
}

const read = async (person: TestPerson, { planned_orderid }: PlannedOrder): Promise<Answer> =>
  person.call('GET', `/work_orders/${planned_orderid}`);

const edit = async (person: TestPerson, seen: PlannedOrder, body: object): Promise<Answer> =>
  person.call('PATCH', `/work_orders/${seen.planned_orderid}?revisionid=${seen.revisionid}`, body);

const withdraw = async (person: TestPerson, seen: PlannedOrder): Promise<Answer> =>
  person.call('POST', `/work_orders/${seen.planned_orderid}/withdraw?revisionid=${seen.revisionid}`);

const list = async (person: TestPerson, query: string): Promise<PlannedOrder[]> =>
  (await person.call('GET', `/work_orders?${query}`)).body;

const startPlanned = async (person: TestPerson, { planned_orderid, workorderid }: PlannedOrder) =>
  start(person, { planned_orderid, workorderid });

/** What a fresh device of the person gets. */
async function feedOf(person: TestPerson): Promise<string[]> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?collections=plannedOrders&protocol=6-6`, {
    headers: { Authorization: `api ${person.token}` },
  });
  return (await response.text())
    .trim()
    .split('\n')
    .slice(1, -1)
    .map((line) => (JSON.parse(line) as { id: string }).id);
}

async function expectHidden(person: TestPerson, planned: PlannedOrder): Promise<void> {
  expect.soft((await read(person, planned)).status).toBe(404);
  expect.soft(await list(person, `workorderid=${planned.workorderid}`)).toEqual([]);
  expect.soft(await feedOf(person)).not.toContain(String(planned.planned_orderid));
}

async function expectSeen(person: TestPerson, planned: PlannedOrder): Promise<void> {
  expect.soft((await read(person, planned)).status).toBe(200);
  expect.soft(await list(person, `workorderid=${planned.workorderid}`)).toHaveLength(1);
  expect.soft(await feedOf(person)).toContain(String(planned.planned_orderid));
}

test('PLANNED-1 a planned order says what is to be done by whom, until when, and on which parts', async () => {
  const facts = { due: 1_780_000_000, priority: 'high', serials: ['S-1', 'S-2'], note: 'Before the audit' };
  const { status, body } = await plan(lead, { userid: worker.userid, ...facts, serials: [' S-1 ', 'S-2'] });
  expect([status, body]).toMatchObject([
    201,
    {
      ...facts,
      guideid: guide.guideid,
      userid: worker.userid,
      teamid: null,
      teamids: [teamid],
      status: 'open',
      planned_by: lead.userid,
      entryid: null,
      others: [],
    },
  ]);
  expect((await read(worker, body)).body).toEqual(body);
  const bare = await plan(lead, { teamid });
  expect(bare.body).toMatchObject({
    userid: null,
    teamid,
    due: null,
    priority: 'normal',
    serials: [],
    note: '',
  });
  expect(await list(mate, `teamid=${teamid}&status=open&workorderid=${bare.body.workorderid}`)).toEqual([
    bare.body,
  ]);
  expect(await list(mate, `teamid=${teamid}&status=done&workorderid=${bare.body.workorderid}`)).toEqual([]);
});

test('PLANNED-1 a plan without a person or team, with both, or with one that does not exist is refused', async () => {
  expect((await plan(admin, {})).status).toBe(422);
  expect((await plan(admin, { userid: worker.userid, teamid })).status).toBe(422);
  expect((await plan(admin, { userid: 999_999 })).status).toBe(422);
  expect((await plan(admin, { teamid: 999_999 })).status).toBe(422);
  expect((await plan(admin, { userid: worker.userid, guideid: 999_999 })).status).toBe(404);
});

test('PLANNED-2 leads plan for their members and stations, administrators for all, others for nobody', async () => {
  expect((await plan(lead, { userid: station.userid })).status).toBe(201);
  expect((await plan(lead, { teamid })).status).toBe(201);
  expect((await plan(lead, { userid: ben.userid })).status).toBe(403);
  expect((await plan(otherLead, { userid: worker.userid })).status).toBe(403);
  expect((await plan(otherLead, { teamid })).status).toBe(403);
  expect((await plan(worker, { userid: worker.userid })).status).toBe(403);
  expect((await plan(station, { userid: station.userid })).status).toBe(403);
  expect((await plan(admin, { userid: ben.userid })).status).toBe(201);
});

test('PLANNED-2 only those who are to do it, their leads and administrators see it', async () => {
  const { body: forOne } = await plan(lead, { userid: worker.userid });
  for (const one of [worker, lead, admin]) await expectSeen(one, forOne);
  for (const one of [mate, otherLead, cleo, station]) await expectHidden(one, forOne);
  const { body: forTeam } = await plan(lead, { teamid });
  for (const one of [worker, mate, station, lead]) await expectSeen(one, forTeam);
  for (const one of [otherLead, cleo]) await expectHidden(one, forTeam);
  const { body: forStation } = await plan(lead, { userid: station.userid });
  await expectSeen(station, forStation);
  await expectHidden(worker, forStation);
});

test('PLANNED-2 a reassigned order leaves the device of the first person', async () => {
  const { body } = await plan(lead, { userid: worker.userid });
  const { body: moved } = await edit(lead, body, { userid: mate.userid });
  expect(moved).toMatchObject({ userid: mate.userid, teamids: [teamid] });
  await expectHidden(worker, body);
  await expectSeen(mate, body);
  expect((await edit(lead, moved, { userid: ben.userid })).status).toBe(403);
  expect((await edit(lead, moved, { teamid })).body).toMatchObject({ userid: null, teamid });
});

test('PLANNED-3 who joins or leaves a team shows their planned orders to its lead, or hides them', async () => {
  const mover = await server.person('Moss', ['User']);
  const { body } = await plan(admin, { userid: mover.userid });
  await expectHidden(lead, body);
  await admin.call('PUT', `/teams/${teamid}/users/${mover.userid}`);
  await expectSeen(lead, body);
  expect((await edit(lead, (await read(lead, body)).body, { note: 'Soon' })).status).toBe(200);
  await admin.call('DELETE', `/teams/${teamid}/users/${mover.userid}`);
  await expectHidden(lead, body);
  await expectSeen(mover, body);
  const { body: own } = await plan(lead, { userid: mate.userid });
  await admin.call('PATCH', `/teams/${teamid}`, { owner: mate.userid });
  await expectHidden(lead, own);
  await expectSeen(mate, own);
  await admin.call('PATCH', `/teams/${teamid}`, { owner: lead.userid });
  await expectSeen(lead, own);
});

test('PLANNED-4 the first start fulfils it; the second is an entry of its own, and both read that', async () => {
  const { body: planned } = await plan(lead, { teamid });
  const first = await startPlanned(worker, planned);
  expect(first.planned_orderid).toBe(planned.planned_orderid);
  const second = await startPlanned(mate, planned);
  const told = {
    status: 'started',
    entryid: first.entryid,
    holders: [worker.userid],
    others: [{ entryid: second.entryid, userid: mate.userid }],
  };
  expect((await read(worker, planned)).body).toMatchObject(told);
  expect((await read(mate, planned)).body).toMatchObject(told);
  await move(mate, second, 'finish');
  expect((await read(worker, planned)).body).toMatchObject(told);
  await move(worker, first, 'finish');
  expect((await read(lead, planned)).body).toMatchObject({ ...told, status: 'done' });
  const third = await startPlanned(worker, planned);
  expect((await read(lead, planned)).body.others.map(({ entryid }) => entryid)).toEqual([
    second.entryid,
    third.entryid,
  ]);
});

test('PLANNED-4 a start that is sent twice fulfils once', async () => {
  const { body: planned } = await plan(lead, { userid: worker.userid });
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const body = { guideid: guide.guideid, workorderid: 'WO-1', planned_orderid: planned.planned_orderid };
  const first = await worker.call('POST', '/work_log', body, key);
  const again = await worker.call('POST', '/work_log', body, key);
  const { entryid } = first.body as WorkLogEntry;
  expect((again.body as WorkLogEntry).entryid).toBe(entryid);
  expect((await read(worker, planned)).body).toMatchObject({ entryid, others: [] });
});

test('PLANNED-4 a start for an order that was withdrawn, hidden or never there is kept as an entry of its own', async () => {
  const { body: planned } = await plan(lead, { userid: worker.userid });
  await withdraw(lead, planned);
  const late = await startPlanned(worker, planned);
  expect((await read(lead, planned)).body).toMatchObject({
    status: 'withdrawn',
    entryid: null,
    others: [{ entryid: late.entryid, userid: worker.userid }],
  });
  const { body: hidden } = await plan(lead, { userid: mate.userid });
  const stranger = await startPlanned(cleo, hidden);
  expect(stranger.planned_orderid).toBeUndefined();
  expect((await read(lead, hidden)).body).toMatchObject({ status: 'open', others: [] });
  await expectHidden(cleo, hidden);
  expect((await start(worker, { planned_orderid: 999_999 })).planned_orderid).toBeUndefined();
});

test('PLANNED-4 a start that arrives after the order was given to another is an entry of its own, and all three read that', async () => {
  const { body: planned } = await plan(lead, { userid: worker.userid });
  const { body: moved } = await edit(lead, planned, { userid: mate.userid });
  await expectHidden(worker, planned);
  const late = await startPlanned(worker, planned);
  expect(late.planned_orderid).toBe(planned.planned_orderid);
  const told = {
    status: 'open',
    entryid: null,
    others: [{ entryid: late.entryid, userid: worker.userid, reassigned: true }],
  };
  for (const one of [worker, mate, lead]) expect((await read(one, planned)).body).toMatchObject(told);
  await move(worker, late, 'finish');
  const first = await startPlanned(mate, planned);
  expect((await read(lead, planned)).body).toMatchObject({
    ...told,
    status: 'started',
    entryid: first.entryid,
  });

  const { body: back } = await plan(lead, { teamid });
  const { body: away } = await edit(lead, back, { userid: mate.userid });
  const { body: again } = await edit(lead, away, { teamid });
  expect((await startPlanned(worker, again)).planned_orderid).toBe(again.planned_orderid);
  expect((await read(lead, again)).body).toMatchObject({ status: 'started', others: [] });
  expect(moved).not.toHaveProperty('formerly');
});

test('PLANNED-5 it follows its entry: handed over, finished, cancelled, deleted', async () => {
  const { body: planned } = await plan(lead, { userid: worker.userid });
  const state = async () => (await read(lead, planned)).body;
  const first = await startPlanned(worker, planned);
  await move(worker, first, 'suspend');
  await expectHidden(mate, planned);
  await move(mate, first, 'assume');
  await expectSeen(mate, planned);
  expect(await state()).toMatchObject({
    status: 'started',
    entryid: first.entryid,
    holders: [worker.userid, mate.userid],
  });
  await move(mate, first, 'cancel');
  expect(await state()).toMatchObject({ status: 'open', entryid: null, holders: [] });
  await expectHidden(mate, planned);
  const second = await startPlanned(worker, planned);
  await worker.call('DELETE', `/work_log/${second.entryid}`);
  expect(await state()).toMatchObject({ status: 'open', entryid: null, others: [] });
  const third = await startPlanned(worker, planned);
  const other = await startPlanned(lead, planned);
  await move(worker, third, 'finish');
  expect(await state()).toMatchObject({ status: 'done', entryid: third.entryid });
  await lead.call('DELETE', `/work_log/${other.entryid}`);
  expect(await state()).toMatchObject({ status: 'done', entryid: third.entryid, others: [] });
  await worker.call('DELETE', `/work_log/${third.entryid}`);
  expect(await state()).toMatchObject({ status: 'open', entryid: null });
});

test('PLANNED-5 what an entry records does not change its planned order', async () => {
  const { body: planned } = await plan(lead, { userid: worker.userid });
  const entry = await startPlanned(worker, planned);
  const { body: before } = await read(worker, planned);
  await move(worker, entry, 'pause');
  await move(worker, entry, 'resume');
  expect((await read(worker, planned)).body).toEqual(before);
});

test('PLANNED-6 a change names the revision that the planner saw; nothing changes after the start', async () => {
  const { body: planned } = await plan(lead, { userid: worker.userid, note: 'First' });
  expect((await edit(worker, planned, { note: 'Mine' })).status).toBe(403);
  expect((await edit(otherLead, planned, { note: 'Mine' })).status).toBe(404);
  const { status, body: changed } = await edit(lead, planned, { note: 'Second', due: 1_790_000_000 });
  expect([status, changed]).toMatchObject([200, { note: 'Second', due: 1_790_000_000, priority: 'normal' }]);
  expect(await edit(admin, planned, { note: 'Stale' })).toMatchObject({ status: 409, body: changed });
  expect((await withdraw(admin, planned)).status).toBe(409);
  await startPlanned(worker, planned);
  const refused = await withdraw(lead, changed);
  expect(refused).toMatchObject({ status: 409, body: { status: 'started' } });
  expect((await withdraw(lead, refused.body)).status).toBe(422);
  expect((await edit(lead, refused.body, { note: 'Late' })).status).toBe(422);
  const { body: other } = await plan(lead, { userid: worker.userid });
  const gone = await withdraw(lead, other);
  expect(gone).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
  expect((await edit(lead, gone.body, { note: 'Late' })).status).toBe(422);
});

test('PLANNED-6 a 409 about a planned order brings the row of the planned order', () => {
  const body = { planned_orderid: 5, entryid: 81, guideid: 3, holders: [] };
  expect(recordInConflict('/work_orders/5/withdraw', body)).toEqual({ c: 'plannedOrders', id: '5' });
});

test('PLANNED-2 a planner cannot name a guide that they may not see', async () => {
  const hidden = await makeGuide(ana, false);
  const { body } = await plan(lead, { userid: worker.userid });
  expect((await plan(lead, { userid: worker.userid, guideid: hidden.guideid })).status).toBe(404);
  expect((await edit(lead, body, { guideid: hidden.guideid })).status).toBe(404);
});
