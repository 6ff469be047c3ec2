import { afterEach, expect, test } from 'vitest';

import type { FollowUpView, OrderPlan } from '#desktop/engine/api/planned-records.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

type Name = 'Leonie' | 'Ada' | 'Wilma';

interface Shop {
  net: { isOn: boolean };
  /** Opens a person's device. RxDB opens one home at a time, so only one device is open. */
  open: (name: Name) => Promise<WholeDevice>;
  plan: (more?: Partial<OrderPlan>) => OrderPlan;
  lead: TestPerson;
  admin: TestPerson;
  worker: TestPerson;
  deviationid: string;
}

/** A lead and an administrator, and a worker of the lead's team with a deviation. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const lead = await server.person('Leonie', ['User', 'Author']);
  const admin = await server.person('Ada', ['User', 'Admin']);
  const worker = await server.person('Wilma', ['User']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  const { guideid } = await makeGuide(lead);
  const begun = await worker.call('POST', '/work_log', { guideid, workorderid: 'WO-7' });
  const { entryid } = begun.body as { entryid: number };
  const reported = await worker.call('POST', '/deviations', { entryid, title: 'A dent' });
  const deviationid = String((reported.body as { deviationid: number }).deviationid);
  const net = { isOn: true };
  const disks = { Leonie: newDisk(), Ada: newDisk(), Wilma: newDisk() };
  const known = new Set<Name>();
  const open = async (name: Name): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  const plan = (more: Partial<OrderPlan> = {}): OrderPlan => ({
    guideid: String(guideid),
    release: null,
    workorderid: 'WO-7-R1',
    assignee: { kind: 'team', id: teamid },
    due: null,
    priority: 'normal',
    serials: ['S-1'],
    note: '',
    rrule: null,
    ...more,
  });
  return { net, open, plan, lead, admin, worker, deviationid };
}

const onServer = async (person: TestPerson): Promise<PlannedOrder[]> =>
  (await person.call('GET', '/work_orders?order=ASC')).body as PlannedOrder[];

const followUp = async (device: WholeDevice, id: string): Promise<FollowUpView | undefined> =>
  (await device.look('followUps')).of[id];

/** Waits until the deviation shows a follow-up order that the server has. */
const stored = async (device: WholeDevice, id: string): Promise<FollowUpView> =>
  must((await device.shows(({ of }) => of[id]?.pending === false, 'followUps')).of[id], 'the follow-up');

test('FOLLOW-UP-4 it is planned offline and shown at once, and both sides name each other', async () => {
  const { open, net, plan, lead, deviationid } = await shop();
  {
    await using device = await open('Leonie');
    expect(await device.look('followUps')).toEqual({ plans: true, of: {} });
    net.isOn = false;
    const tmp = await device.actions.planFollowUp(deviationid, plan({ note: ' Smooth the edge ' }));
    const waiting = { planned_orderid: tmp, workorderid: 'WO-7-R1', assigneeName: 'Line B', pending: true };
    expect(await followUp(device, deviationid)).toMatchObject({ ...waiting, status: 'open' });
    const follows = { deviationid, workorderid: 'WO-7', title: 'A dent' };
    expect(await device.look('plannedOrders')).toMatchObject([{ follows, note: 'Smooth the edge' }]);
    const again = device.actions.planFollowUp(deviationid, plan());
    await expect(again).rejects.toThrow('This deviation has a follow-up order: WO-7-R1');
    net.isOn = true;
    device.actions.syncNow();
    expect(await stored(device, deviationid)).toMatchObject({ status: 'open', assigneeName: 'Line B' });
    expect(await device.look('plannedOrders')).toMatchObject([{ follows, pending: false }]);
  }
  expect(await onServer(lead)).toMatchObject([{ follows: { title: 'A dent' }, serials: ['S-1'] }]);
  await using worker = await open('Wilma');
  expect(await worker.look('followUps')).toMatchObject({
    plans: false,
    of: { [deviationid]: { workorderid: 'WO-7-R1', status: 'open' } },
  });
  const own = worker.actions.planFollowUp(deviationid, plan());
  await expect(own).rejects.toThrow('This deviation has a follow-up order');
});

test('FOLLOW-UP-1 who becomes an administrator plans at once, without another sign-in', async () => {
  const { open, admin, worker, plan, deviationid } = await shop();
  await using device = await open('Wilma');
  expect(await device.look('followUps')).toEqual({ plans: false, of: {} });
  const role = { privileges: ['User', 'Admin'], current_password: 'a long password' };
  expect((await admin.call('PATCH', `/users/${worker.userid}`, role)).status).toBe(200);
  device.actions.syncNow();
  await device.shows(({ plans }) => plans, 'followUps');
  await device.actions.planFollowUp(deviationid, plan());
  expect(await stored(device, deviationid)).toMatchObject({ status: 'open' });
});

test('FOLLOW-UP-4 of two planned offline the first to arrive counts; the second is kept until it is planned as its own', async () => {
  const { open, net, plan, lead, deviationid } = await shop();
  const planOffline = async (name: Name, more: Partial<OrderPlan>): Promise<void> => {
    net.isOn = true;
    await using device = await open(name);
    net.isOn = false;
    await device.actions.planFollowUp(deviationid, plan(more));
  };
  await planOffline('Leonie', { workorderid: 'WO-L', note: 'By Leonie' });
  await planOffline('Ada', { workorderid: 'WO-A', note: 'By Ada' });
  net.isOn = true;
  {
    // Ada comes back first, although Leonie planned first.
    await using device = await open('Ada');
    await stored(device, deviationid);
  }
  await using device = await open('Leonie');
  const [refused] = await device.shows((all) => all[0]?.state === 'parked', 'activity');
  expect(refused).toMatchObject({ kind: 'planned', detail: 'follow-up', subject: 'WO-L' });
  expect(refused?.refusal?.message).toContain('was planned before yours arrived');
  expect(await stored(device, deviationid)).toMatchObject({ workorderid: 'WO-A', status: 'open' });
  expect(await device.look('plannedOrders')).toMatchObject([{ workorderid: 'WO-A', note: 'By Ada' }]);
  await device.actions.planAsOwnOrder(must(refused, 'the refused order').id);
  await device.inSync();
  expect(await onServer(lead)).toMatchObject([{ note: 'By Ada' }, { note: 'By Leonie', serials: ['S-1'] }]);
  expect((await onServer(lead))[1]?.follows).toBeUndefined();
  expect((await device.look('activity')).filter(({ state }) => state === 'parked')).toEqual([]);
});

test('FOLLOW-UP-2 one that is withdrawn offline makes room for another, sent after the withdrawal', async () => {
  const { open, net, plan, lead, deviationid } = await shop();
  await using device = await open('Leonie');
  await device.actions.planFollowUp(deviationid, plan({ workorderid: 'WO-1' }));
  await stored(device, deviationid);
  net.isOn = false;
  const [first] = await device.look('plannedOrders');
  await device.actions.withdrawPlannedOrder(must(first, 'the first'));
  expect(await followUp(device, deviationid)).toMatchObject({ workorderid: 'WO-1', status: 'withdrawn' });
  await device.actions.planFollowUp(deviationid, plan({ workorderid: 'WO-2' }));
  expect(await followUp(device, deviationid)).toMatchObject({ workorderid: 'WO-2', status: 'open' });
  const second = (await device.look('plannedOrders')).find(({ workorderid }) => workorderid === 'WO-2');
  await device.actions.changePlannedOrder(
    must(second, 'the second'),
    plan({ workorderid: 'WO-2', note: 'Soon' }),
  );
  net.isOn = true;
  device.actions.syncNow();
  expect(await stored(device, deviationid)).toMatchObject({ workorderid: 'WO-2', status: 'open' });
  await device.inSync();
  expect(await onServer(lead)).toMatchObject([
    { workorderid: 'WO-1', status: 'withdrawn' },
    { workorderid: 'WO-2', status: 'open', note: 'Soon' },
  ]);
});
