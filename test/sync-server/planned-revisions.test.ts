import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { ok } from '#test/support/approvals.ts';
import type { TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { ana, endWorld, server, startWorld } from './work-log/world.ts';

let lead: TestPerson;
let worker: TestPerson;

beforeAll(async () => {
  await startWorld();
  lead = await server.person('Lena', ['User', 'Author']);
  worker = await server.person('Wim', ['User']);
  const { teamid } = await ok<{ teamid: number }>(lead.call('POST', '/teams', { name: 'Line B' }));
  await ok(lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`));
});
afterAll(endWorld);

/** A planned order of a new guide, and the guide as a device of the worker knows it. */
async function planned(): Promise<{ guide: Guide; order: PlannedOrder }> {
  const guide = await makeGuide(ana);
  const body = { guideid: guide.guideid, workorderid: 'WO-1', userid: worker.userid };
  return { guide, order: await ok<PlannedOrder>(lead.call('POST', '/work_orders', body)) };
}

async function changeGuide({ guideid, steps: [step] }: Guide): Promise<Guide> {
  const { stepid, revisionid } = must(step, 'a step');
  const lines = [{ text: 'Unplug it and wait' }];
  await ok(ana.call('PATCH', `/guides/${guideid}/steps/${stepid}?revisionid=${revisionid}`, { lines }));
  return ok<Guide>(ana.call('GET', `/guides/${guideid}`));
}

/** A start of a device that shows this version of the guide. */
async function startBy(
  { guideid, guide_revisionid }: Guide,
  { planned_orderid }: PlannedOrder,
): Promise<WorkLogEntry> {
  const body = { guideid, guide_revisionid, workorderid: 'WO-1', planned_orderid };
  return ok<WorkLogEntry>(worker.call('POST', '/work_log', body));
}

const read = (person: TestPerson, { planned_orderid }: PlannedOrder): Promise<PlannedOrder> =>
  ok<PlannedOrder>(person.call('GET', `/work_orders/${planned_orderid}`));

test('PLANNED-12 a start by a revision that the guide no longer had is told to the worker and the lead', async () => {
  const { guide, order } = await planned();
  await changeGuide(guide);
  const { entryid } = await startBy(guide, order);
  const told = {
    status: 'started',
    entryid,
    earlier_revision: { worked: { number: 1 }, present: { number: 2 } },
  };
  for (const person of [worker, lead]) expect(await read(person, order)).toMatchObject(told);
  await ok(worker.call('POST', `/work_log/${entryid}/finish`, {}));
  expect(await read(lead, order)).toMatchObject({ ...told, status: 'done' });
});

test('PLANNED-12 nothing is told of a start by the present revision, or after the worker changed to it', async () => {
  const { guide, order } = await planned();
  await startBy(guide, order);
  expect(await read(lead, order)).not.toHaveProperty('earlier_revision');

  const other = await planned();
  const present = await changeGuide(other.guide);
  const { entryid } = await startBy(other.guide, other.order);
  expect(await read(lead, other.order)).toHaveProperty('earlier_revision');
  const { guide_revisionid } = present;
  const decided = { decision: 'switch', guide_revisionid, form_revisionid: 0 };
  await ok(worker.call('POST', `/work_log/${entryid}/revision`, decided));
  expect(await read(lead, other.order)).not.toHaveProperty('earlier_revision');
});

test('PLANNED-12 an order that is open again forgets the revision of its former start', async () => {
  const { guide, order } = await planned();
  await changeGuide(guide);
  const { entryid } = await startBy(guide, order);
  await ok(worker.call('POST', `/work_log/${entryid}/cancel`, {}));
  const again = await read(lead, order);
  expect(again).toMatchObject({ status: 'open', entryid: null });
  expect(again).not.toHaveProperty('earlier_revision');
});

test('PLANNED-4 a start by another guide than the order names is an entry of its own, and both read that', async () => {
  const { guide, order } = await planned();
  const { guideid } = await makeGuide(ana);
  const path = `/work_orders/${order.planned_orderid}?revisionid=${order.revisionid}`;
  await ok(lead.call('PATCH', path, { guideid }));
  const { entryid } = await startBy(guide, order);
  for (const person of [worker, lead])
    expect(await read(person, order)).toMatchObject({
      guideid,
      status: 'open',
      entryid: null,
      others: [{ entryid, userid: worker.userid, other_guide: true }],
    });
});
