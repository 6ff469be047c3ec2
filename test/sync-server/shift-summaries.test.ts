import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Deviation } from '#shared/model/deviations.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import { shiftSummaryRecord, type ShiftSummaryRecord } from '#shared/model/shift-summaries.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import type { TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import {
  admin,
  ana,
  ben,
  endWorld,
  fieldId,
  guide,
  move,
  now,
  server,
  start,
  startWorld,
  wait,
} from './work-log/world.ts';

const hour = 3600;
let lead: TestPerson;
let otherLead: TestPerson;
let worker: TestPerson;
let mate: TestPerson;
let station: TestPerson;
let teamid: number;
let otherTeam: number;

beforeAll(async () => {
  await startWorld();
  lead = await server.person('Lena', ['User', 'Author']);
  otherLead = await server.person('Olaf', ['User', 'Author']);
  worker = await server.person('Wim', ['User']);
  mate = await server.person('Mia', ['User']);
  station = await server.person('Station 4', ['User', 'Kiosk']);
  teamid = await team(lead, [worker, mate, station]);
  otherTeam = await team(otherLead, [ben]);
});
afterAll(endWorld);
// Each test has a shift of its own.
beforeEach(() => wait(100 * hour));

async function team(owner: TestPerson, members: readonly TestPerson[]): Promise<number> {
  const { body } = await owner.call('POST', '/teams', { name: `Team of ${owner.userid}` });
  const { teamid: id } = body as { teamid: number };
  for (const { userid } of members) await owner.call('PUT', `/teams/${id}/users/${userid}`);
  return id;
}

const seconds = (): number => Math.floor(now / 1000);
const iso = (at: number): string => new Date(at * 1000).toISOString();

interface Answer {
  status: number;
  body: ShiftSummaryRecord;
}

/** By default the last 8 hours of the first team. */
const make = async (person: TestPerson, more: object = {}, headers = {}): Promise<Answer> =>
  person.call(
    'POST',
    '/shift_summaries',
    { teamid, from: seconds() - 8 * hour, to: seconds(), ...more },
    headers,
  );

const read = async (person: TestPerson, { shift_summaryid }: ShiftSummaryRecord): Promise<Answer> =>
  person.call('GET', `/shift_summaries/${shift_summaryid}`);

const listed = async (person: TestPerson, of = teamid): Promise<number[]> => {
  const { body } = await person.call('GET', `/shift_summaries?teamid=${of}&limit=200`);
  return (body as { shift_summaryid: number }[]).map(({ shift_summaryid }) => shift_summaryid);
};

/** What a fresh device of the person gets. */
async function feedOf(person: TestPerson): Promise<number[]> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?collections=shiftSummaries&protocol=6-6`, {
    headers: { Authorization: `api ${person.token}` },
  });
  const lines = (await response.text()).trim().split('\n').slice(1, -1);
  return lines.map((line) => Number((JSON.parse(line) as { id: string }).id));
}

test('SHIFT-1 a summary says who made it for which team and span, when it was computed, and the note', async () => {
  wait(10);
  const span = { from: seconds() - 4 * hour, to: seconds() + hour };
  const { status, body } = await make(lead, { ...span, note: ' Check the press first ' });
  expect([status, body]).toMatchObject([
    201,
    {
      teamid,
      summary: {
        team: { teamid, name: `Team of ${lead.userid}` },
        from: iso(span.from),
        to: iso(span.to),
        computed: new Date(now).toISOString(),
        made_by: { userid: lead.userid, name: 'Lena' },
        note: 'Check the press first',
        people: [{ userid: lead.userid, name: 'Lena' }],
        orders: [],
        times: [],
      },
    },
  ]);
  expect(await read(lead, body)).toMatchObject({ status: 200, body });
  const { body: heads } = await lead.call('GET', `/shift_summaries?teamid=${teamid}&order=DESC&limit=1`);
  expect(heads).toEqual([
    {
      shift_summaryid: body.shift_summaryid,
      teamid,
      ...span,
      computed: seconds(),
      userid: lead.userid,
      note: 'Check the press first',
      sha256: body.sha256,
    },
  ]);
});

test('SHIFT-1 leads make summaries of their teams, administrators of all, others of none', async () => {
  expect((await make(admin)).status).toBe(201);
  for (const person of [worker, otherLead, station]) expect((await make(person)).status).toBe(403);
  expect((await make(lead, { teamid: otherTeam })).status).toBe(403);
  expect((await make(admin, { teamid: 999_999 })).status).toBe(422);
  expect((await make(lead, { to: seconds() - 8 * hour })).status).toBe(422);
  expect((await make(lead, { from: seconds() - 7 * 24 * hour - 1 })).status).toBe(422);
  expect((await make(lead, { from: seconds() - 7 * 24 * hour })).status).toBe(201);
});

test('SHIFT-1 a summary that is sent twice is made once', async () => {
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const body = { from: seconds() - hour, to: seconds(), note: 'Once' };
  const before = await listed(lead);
  const first = await make(lead, body, key);
  wait(60);
  const again = await make(lead, body, key);
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(await listed(lead)).toEqual([...before, first.body.shift_summaryid]);
});

test('SHIFT-2 a summary agrees with its hash, and stays as it was when the work goes on', async () => {
  const entry = await start(worker);
  wait(hour);
  const { body } = await make(lead);
  const text = canonicalJson(shiftSummaryRecord.parse(body).summary);
  expect(createHash('sha256').update(text).digest('hex')).toBe(body.sha256);
  await move(worker, entry, 'finish');
  await worker.call('DELETE', `/work_log/${entry.entryid}`);
  expect((await read(lead, body)).body).toEqual(body);
  const { writer } = server.services.storage;
  const changed = writer.updateTable('shift_summaries').set({ sha256: '0' });
  await expect(changed.execute()).rejects.toThrow('never changes');
});

test('SHIFT-3 the lead, members and administrators read it; stations, others and former members do not', async () => {
  const { body } = await make(lead);
  const { shift_summaryid: id } = body;
  const mover = await server.person('Moss', ['User']);
  await lead.call('PUT', `/teams/${teamid}/users/${mover.userid}`);
  for (const person of [lead, worker, mate, mover, admin]) {
    expect.soft((await read(person, body)).status).toBe(200);
    expect.soft(await listed(person)).toContain(id);
    expect.soft(await feedOf(person)).toContain(id);
  }
  await lead.call('DELETE', `/teams/${teamid}/users/${mover.userid}`);
  for (const person of [station, otherLead, ben, mover]) {
    expect.soft((await read(person, body)).status).toBe(404);
    expect.soft(await listed(person)).not.toContain(id);
    expect.soft(await feedOf(person)).not.toContain(id);
  }
  await admin.call('PATCH', `/users/${mate.userid}`, { privileges: ['User', 'Kiosk'] });
  expect((await read(mate, body)).status).toBe(404);
  expect(await feedOf(mate)).not.toContain(id);
  const person = { privileges: ['User'], current_password: 'a long password' };
  await admin.call('PATCH', `/users/${mate.userid}`, person);
  expect(await feedOf(mate)).toContain(id);
});

test('SHIFT-4 it has the orders of the span in their state at its end, with working times by person', async () => {
  const early = await start(worker, { workorderid: 'WO-early' });
  wait(hour);
  await move(worker, early, 'finish');
  const from = seconds();
  const handed = await start(worker, { workorderid: 'WO-handed' });
  wait(hour);
  await move(worker, handed, 'suspend', { note: 'The belt is missing' });
  const running = await start(mate, { workorderid: 'WO-running' });
  wait(hour / 2);
  await move(mate, running, 'pause');
  wait(hour / 2);
  await move(mate, handed, 'assume');
  wait(hour / 4);
  await move(mate, handed, 'suspend', { note: 'The belt is wrong' });
  const to = seconds();
  wait(60);
  await move(mate, running, 'finish');
  await start(worker, { workorderid: 'WO-late' });
  await start(ben, { workorderid: 'WO-other' });
  wait(hour);
  const { body } = await make(lead, { from, to });
  const handover = 'The belt is wrong';
  const shared = { guideid: guide.guideid, ended: null };
  expect(body.summary.orders).toMatchObject([
    {
      workorderid: 'WO-handed',
      status: 'suspended',
      userid: mate.userid,
      duration: 1.25 * hour,
      handover,
      ...shared,
    },
    {
      workorderid: 'WO-running',
      status: 'paused',
      userid: mate.userid,
      duration: hour / 2,
      handover: null,
      ...shared,
    },
  ]);
  expect(body.summary.orders[0]?.guide_title).toEqual(expect.any(String));
  expect(body.summary.times).toEqual([
    { userid: worker.userid, duration: hour, orders: 1 },
    { userid: mate.userid, duration: 0.75 * hour, orders: 2 },
  ]);
  const { body: part } = await make(lead, { from: from + hour / 2, to: from + hour });
  expect(part.summary.times).toEqual([{ userid: worker.userid, duration: hour / 2, orders: 1 }]);
});

test('SHIFT-4 a running order counts until the summary is computed, and a hidden guide is not named', async () => {
  const hidden = await makeGuide(ana, false);
  await ana.call('PUT', `/guides/${hidden.guideid}/users/${worker.userid}`);
  await start(worker, { guideid: hidden.guideid, workorderid: 'WO-hidden' });
  wait(hour);
  const { body } = await make(lead, { to: seconds() + hour });
  expect(body.summary.orders.at(-1)).toMatchObject({
    workorderid: 'WO-hidden',
    guide_title: null,
    status: 'started',
    duration: hour,
  });
});

test('SHIFT-4 it has values out of limits, deviations that moved or are open, and planned work', async () => {
  const report = async (entryid: number, title: string): Promise<Deviation> =>
    (await worker.call('POST', '/deviations', { entryid, title })).body as Deviation;
  const decide = async ({ deviationid, revisionid }: Deviation): Promise<unknown> =>
    lead.call('POST', `/deviations/${deviationid}/disposition?revisionid=${revisionid}`, {
      disposition: 'rework',
      reason: 'Smooth it',
    });
  const old = await start(worker, { workorderid: 'WO-old' });
  const open = await report(old.entryid, 'Open before');
  const settled = await report(old.entryid, 'Settled before');
  const later = await report(old.entryid, 'Settled in the shift');
  await decide(settled);
  await move(worker, old, 'finish');
  wait(9 * hour);
  const from = seconds();
  wait(60);
  const entry = await start(worker, { workorderid: 'WO-now' });
  const torque = async (value: number) => {
    wait(60);
    await move(worker, entry, 'stepData', { fields: { [fieldId('Torque')]: value } });
  };
  await torque(99);
  await decide(later);
  const fresh = await report(entry.entryid, 'A dent');
  const plan = { guideid: guide.guideid, workorderid: 'WO-P', teamid };
  for (const due of [seconds() - 60, seconds() + hour])
    await lead.call('POST', '/work_orders', { ...plan, due });
  const to = seconds();
  wait(60);
  await decide(fresh);
  const { body } = await make(lead, { from, to });
  const { values, deviations, planned } = body.summary;
  const value = { label: 'Torque', value: '99', limits: { min: 0, max: 40 }, userid: worker.userid };
  expect(values).toMatchObject([{ ...value, workorderid: 'WO-now' }]);
  expect(deviations).toMatchObject({ raised: 1, decided: 1 });
  const named = deviations.list.filter(({ entryid }) => [old.entryid, entry.entryid].includes(entryid));
  expect(named.map(({ title, decision }) => [title, decision?.disposition])).toEqual([
    [open.title, undefined],
    [fresh.title, undefined],
    [later.title, 'rework'],
  ]);
  expect(planned).toMatchObject({ open: 2, late: 1 });
  expect(planned.list.map(({ due, late }) => [due, late])).toEqual([
    [iso(to - 60), true],
    [iso(to + hour), false],
  ]);
  for (const { planned_orderid, revisionid } of (await lead.call('GET', '/work_orders'))
    .body as PlannedOrder[])
    await lead.call('POST', `/work_orders/${planned_orderid}/withdraw?revisionid=${revisionid}`);
  wait(60);
  await torque(20);
  const after = await make(lead, { from });
  expect(after.body.summary.values).toEqual([]);
  expect(after.body.summary.planned).toEqual({ open: 0, late: 0, list: [] });
});
