import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Deviation } from '#shared/model/deviations.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { workRecordFile, type WorkRecordFile } from '#shared/model/work-record.ts';
import { recordInConflict } from '#server/sync/batch.ts';
import type { TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { admin, ana, ben, cleo, endWorld, guide, move, server, start, startWorld } from './work-log/world.ts';

let lead: TestPerson;
let worker: TestPerson;
let mate: TestPerson;
let station: TestPerson;
let teamid: number;

beforeAll(async () => {
  await startWorld();
  lead = await server.person('Lena', ['User', 'Author']);
  worker = await server.person('Wim', ['User']);
  mate = await server.person('Mia', ['User']);
  station = await server.person('Station 4', ['User', 'Kiosk']);
  const made = await lead.call('POST', '/teams', { name: 'Line B' });
  teamid = (made.body as { teamid: number }).teamid;
  for (const { userid } of [worker, mate, station])
    await lead.call('PUT', `/teams/${teamid}/users/${userid}`);
});
afterAll(endWorld);

interface Raised {
  status: number;
  body: PlannedOrder & Deviation;
}

let count = 0;
/** A deviation of an order of the worker. */
async function deviate(more: object = {}): Promise<Deviation> {
  const entry = await start(worker, more);
  const { body } = await worker.call('POST', '/deviations', { entryid: entry.entryid, title: 'A dent' });
  return body as Deviation;
}

const raise = async (
  person: TestPerson,
  { deviationid }: Deviation,
  more: object = {},
  headers = {},
): Promise<Raised> => {
  count += 1;
  const body = { workorderid: `WO-F${count}`, userid: mate.userid, ...more };
  return person.call('POST', `/deviations/${deviationid}/follow_up`, body, headers);
};

const read = async (person: TestPerson, { deviationid }: Deviation): Promise<Deviation> =>
  (await person.call('GET', `/deviations/${deviationid}`)).body as Deviation;

const withdraw = async ({ planned_orderid }: PlannedOrder): Promise<unknown> => {
  const { body } = await lead.call('GET', `/work_orders/${planned_orderid}`);
  const { revisionid } = body as PlannedOrder;
  return lead.call('POST', `/work_orders/${planned_orderid}/withdraw?revisionid=${revisionid}`);
};

const listed = async (person: TestPerson, { deviationid }: Deviation): Promise<PlannedOrder[]> =>
  (await person.call('GET', `/work_orders?deviationid=${deviationid}`)).body as PlannedOrder[];

test('FOLLOW-UP-1 it takes the guide of the deviation and the serial numbers of its order, or what it names', async () => {
  const plan = {
    guideid: guide.guideid,
    workorderid: 'WO-7',
    userid: worker.userid,
    serials: ['S-1', 'S-2'],
  };
  const { planned_orderid } = (await lead.call('POST', '/work_orders', plan)).body as PlannedOrder;
  const deviation = await deviate({ planned_orderid, workorderid: 'WO-7' });
  const { status, body } = await raise(lead, deviation, { due: 1_780_000_000, note: 'Smooth the edge' });
  expect([status, body]).toMatchObject([
    201,
    {
      guideid: guide.guideid,
      userid: mate.userid,
      serials: ['S-1', 'S-2'],
      due: 1_780_000_000,
      note: 'Smooth the edge',
      priority: 'normal',
      status: 'open',
      planned_by: lead.userid,
      follows: {
        deviationid: deviation.deviationid,
        entryid: deviation.entryid,
        workorderid: 'WO-7',
        title: 'A dent',
      },
    },
  ]);
  expect(await listed(lead, deviation)).toEqual([body]);
  const other = await makeGuide(ana);
  const named = { guideid: other.guideid, serials: [], teamid, userid: undefined };
  const second = await raise(lead, await deviate({ planned_orderid }), named);
  expect(second.body).toMatchObject({ guideid: other.guideid, serials: [], teamid, userid: null });
});

test('FOLLOW-UP-1 only those who see the deviation and plan for the person plan it', async () => {
  const deviation = await deviate();
  expect((await raise(cleo, deviation)).status).toBe(404);
  expect((await raise(worker, deviation)).status).toBe(403);
  expect((await raise(lead, deviation, { userid: ben.userid })).status).toBe(403);
  expect((await raise(lead, deviation, { userid: undefined })).status).toBe(422);
  expect((await raise(lead, deviation, { rrule: 'FREQ=DAILY' })).status).toBe(422);
  const hidden = await makeGuide(ana, false);
  expect((await raise(lead, deviation, { guideid: hidden.guideid })).status).toBe(404);
  expect((await read(lead, deviation)).follow_up).toBeUndefined();
  expect((await raise(admin, deviation, { userid: ben.userid })).status).toBe(201);
});

test('FOLLOW-UP-2 a deviation has one follow-up order, however often it is delivered', async () => {
  const deviation = await deviate();
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const more = { workorderid: 'WO-77' };
  const first = await raise(lead, deviation, more, key);
  const again = await raise(lead, deviation, more, key);
  expect(again).toMatchObject({ status: 201, body: first.body });
  const { workorderid, planned_orderid } = first.body;
  const second = await raise(admin, deviation);
  const follow_up = { planned_orderid, workorderid, status: 'open' };
  expect(second).toMatchObject({ status: 409, body: { deviationid: deviation.deviationid, follow_up } });
  expect(recordInConflict(`/deviations/${deviation.deviationid}/follow_up`, second.body)).toEqual({
    c: 'deviations',
    id: String(deviation.deviationid),
  });
  const together = await Promise.all([raise(lead, await deviate()), raise(admin, await deviate())]);
  expect(together.map(({ status }) => status)).toEqual([201, 201]);
  expect(await listed(lead, deviation)).toHaveLength(1);
});

test('FOLLOW-UP-2 the database refuses a second one', async () => {
  const deviation = await deviate();
  const { body } = await raise(lead, deviation);
  const { writer } = server.services.storage;
  const copy = writer
    .insertInto('planned_orders')
    .columns(['guideid', 'workorderid', 'userid', 'status', 'deviationid'])
    .expression((eb) =>
      eb
        .selectFrom('planned_orders')
        .select(['guideid', 'workorderid', 'userid', 'status', 'deviationid'])
        .where('planned_orderid', '=', body.planned_orderid),
    );
  await expect(copy.execute()).rejects.toThrow(/unique/i);
});

test('FOLLOW-UP-2 after a withdrawal another one is planned, and a late start of the first changes nothing', async () => {
  const deviation = await deviate();
  const { body: first } = await raise(lead, deviation);
  await withdraw(first);
  expect((await read(worker, deviation)).follow_up).toMatchObject({ status: 'withdrawn' });
  const { status, body: second } = await raise(lead, deviation);
  expect(status).toBe(201);
  const { planned_orderid, workorderid } = second;
  const present = { planned_orderid, workorderid, status: 'open' };
  expect((await read(worker, deviation)).follow_up).toEqual(present);
  await start(mate, { planned_orderid: first.planned_orderid });
  expect((await read(worker, deviation)).follow_up).toEqual(present);
});

test('FOLLOW-UP-3 the deviation follows the state of its order, without a new revision', async () => {
  const deviation = await deviate();
  const { body: planned } = await raise(lead, deviation);
  const state = async () => (await read(worker, deviation)).follow_up?.status;
  expect(await state()).toBe('open');
  const entry = await start(mate, { planned_orderid: planned.planned_orderid });
  expect(await state()).toBe('started');
  await move(mate, entry, 'finish');
  expect(await state()).toBe('done');
  expect((await read(worker, deviation)).revisionid).toBe(deviation.revisionid);
  const path = `/deviations/${deviation.deviationid}/disposition?revisionid=${deviation.revisionid}`;
  const decided = await lead.call('POST', path, { disposition: 'rework', reason: 'Smooth the edge' });
  expect(decided).toMatchObject({ status: 200, body: { follow_up: { status: 'done' } } });
});

test('FOLLOW-UP-3 the records of both orders name each other', async () => {
  const deviation = await deviate({ workorderid: 'WO-8' });
  const { body: planned } = await raise(lead, deviation);
  const entry = await start(mate, { planned_orderid: planned.planned_orderid });
  const record = async (person: TestPerson, { entryid }: Pick<WorkLogEntry, 'entryid'>) =>
    workRecordFile.parse((await person.call('GET', `/work_log/${entryid}/record`)).body as WorkRecordFile);
  const of = await record(worker, deviation);
  expect(of.deviations).toMatchObject([{ follow_up: { workorderid: planned.workorderid } }]);
  expect(of.follows).toBeUndefined();
  expect((await record(mate, entry)).follows).toEqual(planned.follows);
});

test('FOLLOW-UP-3 an order whose deviation is deleted keeps its words and goes on', async () => {
  const deviation = await deviate();
  const { body: planned } = await raise(lead, deviation);
  expect((await worker.call('DELETE', `/work_log/${deviation.entryid}`)).status).toBe(204);
  const entry = await start(mate, { planned_orderid: planned.planned_orderid });
  await move(mate, entry, 'finish');
  const { body } = await lead.call('GET', `/work_orders/${planned.planned_orderid}`);
  expect(body).toMatchObject({ status: 'done', follows: planned.follows });
});
