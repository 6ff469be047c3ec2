import { afterEach, expect, test } from 'vitest';

import type { OrderPlan, PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
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

type Name = 'Leonie' | 'Wilma' | 'Milan';

interface Shop {
  net: { isOn: boolean };
  /** Opens a person's device. RxDB opens one home at a time, so only one device is open. */
  open: (name: Name) => Promise<WholeDevice>;
  plan: (more?: Partial<OrderPlan>) => OrderPlan;
  people: Record<Name, TestPerson>;
}

/** A lead with two workers in a team, each with a device. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const people = {
    Leonie: await server.person('Leonie', ['User', 'Author']),
    Wilma: await server.person('Wilma', ['User']),
    Milan: await server.person('Milan', ['User']),
  };
  const { Leonie: lead, Wilma, Milan } = people;
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  for (const { userid } of [Wilma, Milan]) await lead.call('PUT', `/teams/${teamid}/users/${userid}`);
  const guide = await makeGuide(lead);
  const net = { isOn: true };
  const disks = { Leonie: newDisk(), Wilma: newDisk(), Milan: newDisk() };
  const known = new Set<Name>();
  const open = async (name: Name): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  const plan = (more: Partial<OrderPlan> = {}): OrderPlan => ({
    guideid: String(guide.guideid),
    release: null,
    workorderid: 'WO-7',
    assignee: { kind: 'team', id: teamid },
    due: null,
    priority: 'normal',
    serials: [],
    note: '',
    rrule: null,
    ...more,
  });
  return { net, open, plan, people };
}

const only = <T>(all: readonly T[]): T => must(all.length === 1 ? all[0] : undefined, 'one');

const onServer = async (person: TestPerson): Promise<PlannedOrder[]> =>
  (await person.call('GET', '/work_orders?order=ASC')).body;

const isSent = (all: readonly PlannedOrderView[]): boolean =>
  all.length > 0 && all.every(({ pending }) => !pending);

test('PLANNED-7 orders are planned, changed and withdrawn offline; the worker sees what remains', async () => {
  const { open, net, plan, people } = await shop();
  {
    await using lead = await open('Leonie');
    net.isOn = false;
    await lead.actions.planOrders([
      plan({ workorderid: ' WO-1 ', serials: [' S-1 ', ''], note: ' Soon ', priority: 'high' }),
      plan({ workorderid: 'WO-2' }),
      plan({ workorderid: 'WO-3' }),
    ]);
    const [first, second] = await lead.look('plannedOrders');
    expect(first).toMatchObject({
      workorderid: 'WO-1',
      assigneeName: 'Line B',
      serials: ['S-1'],
      note: 'Soon',
      status: 'open',
      plans: true,
      mine: true,
      pending: true,
    });
    const person = { kind: 'person', id: people.Wilma.userid } as const;
    await lead.actions.changePlannedOrder(
      must(first, 'first'),
      plan({ workorderid: 'WO-1', assignee: person }),
    );
    expect((await lead.look('plannedOrders'))[0]).toMatchObject({
      assigneeName: 'Wilma',
      mine: false,
      note: '',
    });
    await lead.actions.withdrawPlannedOrder(must(second, 'second'));
    expect((await lead.look('plannedOrders')).map(({ workorderid }) => workorderid)).toEqual([
      'WO-1',
      'WO-3',
    ]);
    net.isOn = true;
    lead.actions.syncNow();
    const sent = await lead.shows(isSent, 'plannedOrders');
    await lead.actions.withdrawPlannedOrder(must(sent[1], 'the third'));
    await lead.shows((all) => isSent(all) && all[1]?.status === 'withdrawn', 'plannedOrders');
  }
  expect(await onServer(people.Leonie)).toMatchObject([
    {
      workorderid: 'WO-1',
      userid: people.Wilma.userid,
      teamid: null,
      serials: [],
      note: '',
      priority: 'normal',
    },
    { workorderid: 'WO-3', status: 'withdrawn' },
  ]);
  await using worker = await open('Wilma');
  const [seen] = await worker.shows((all) => all.length === 2, 'plannedOrders');
  expect(seen).toMatchObject({
    workorderid: 'WO-1',
    mine: true,
    plans: false,
    starts: true,
    plannedBy: 'Leonie',
  });
  expect(await worker.look('planningFor')).toEqual({ people: [], teams: [] });
});

test('PLANNED-2 a lead plans for members, and the device refuses what the server would', async () => {
  const { open, plan, people } = await shop();
  {
    await using lead = await open('Leonie');
    const { people: members, teams } = await lead.look('planningFor');
    expect(members.map(({ username }) => username)).toEqual(['Leonie', 'Milan', 'Wilma']);
    expect(teams.map(({ name }) => name)).toEqual(['Line B']);
    await expect(lead.actions.planOrders([plan({ workorderid: ' ' })])).rejects.toThrow(
      'Enter a work order number',
    );
    expect(await lead.look('plannedOrders')).toEqual([]);
  }
  await using worker = await open('Wilma');
  const own = plan({ assignee: { kind: 'person', id: people.Wilma.userid } });
  await expect(worker.actions.planOrders([own])).rejects.toThrow('Only a lead plans orders');
});

test('PLANNED-4 two start the same order offline: the first to arrive counts, both are told, no work is lost', async () => {
  const { open, net, plan, people } = await shop();
  {
    await using lead = await open('Leonie');
    await lead.actions.planOrders([plan()]);
    await lead.shows(isSent, 'plannedOrders');
  }
  const startOffline = async (name: 'Wilma' | 'Milan'): Promise<void> => {
    net.isOn = true;
    await using worker = await open(name);
    const planned = only(await worker.shows((all) => all.length === 1, 'plannedOrders'));
    net.isOn = false;
    const entryid = await worker.actions.startPlannedOrder(planned.planned_orderid);
    expect(only(await worker.look('plannedOrders'))).toMatchObject({
      status: 'started',
      entryid,
      startedBy: name,
      starts: false,
      pending: true,
    });
    await expect(worker.actions.startPlannedOrder(planned.planned_orderid)).rejects.toThrow(
      'Somebody has started',
    );
    await worker.actions.finishWorkOrder(entryid, []);
    expect(only(await worker.look('plannedOrders')).status).toBe('done');
  };
  await startOffline('Wilma');
  await startOffline('Milan');
  const told = async (
    name: Name,
    isTold: (planned: PlannedOrderView) => boolean,
  ): Promise<PlannedOrderView> => {
    await using device = await open(name);
    net.isOn = true;
    device.actions.syncNow();
    const planned = only(await device.shows((all) => isSent(all) && all.every(isTold), 'plannedOrders'));
    const orders = await device.look('workOrders');
    expect(orders.map(({ status, workorderid }) => [status, workorderid])).toEqual([['complete', 'WO-7']]);
    return planned;
  };
  // Milan comes back first, although Wilma started first.
  const first = await told('Milan', ({ entryid }) => !entryid?.startsWith('tmp:'));
  expect(first).toMatchObject({ status: 'done', startedBy: 'Milan', others: [] });
  const second = await told('Wilma', ({ others }) => others.length === 1);
  const both = {
    entryid: first.entryid,
    status: 'done',
    startedBy: 'Milan',
    others: [{ username: 'Wilma' }],
  };
  expect(second).toMatchObject(both);
  expect(await told('Milan', ({ others }) => others.length === 1)).toMatchObject(both);
  expect(await onServer(people.Leonie)).toMatchObject([
    { status: 'done', holders: [people.Milan.userid], others: [{ userid: people.Wilma.userid }] },
  ]);
});

test('PLANNED-4 who started an order offline that was given to another meanwhile is told, and so is the lead', async () => {
  const { open, net, plan, people } = await shop();
  const forOne = (person: TestPerson) => plan({ assignee: { kind: 'person', id: person.userid } });
  {
    await using lead = await open('Leonie');
    await lead.actions.planOrders([forOne(people.Wilma)]);
    await lead.shows(isSent, 'plannedOrders');
  }
  {
    await using worker = await open('Wilma');
    const planned = only(await worker.shows((all) => all.length === 1, 'plannedOrders'));
    net.isOn = false;
    await worker.actions.startPlannedOrder(planned.planned_orderid);
  }
  net.isOn = true;
  {
    await using lead = await open('Leonie');
    const planned = only(await lead.shows((all) => all.length === 1, 'plannedOrders'));
    await lead.actions.changePlannedOrder(planned, forOne(people.Milan));
    await lead.shows((all) => isSent(all) && all[0]?.assigneeName === 'Milan', 'plannedOrders');
  }
  const told = (all: readonly PlannedOrderView[]): boolean => isSent(all) && all[0]?.others.length === 1;
  {
    await using worker = await open('Wilma');
    const planned = only(await worker.shows(told, 'plannedOrders'));
    const own = only(await worker.look('workOrders'));
    const other = { entryid: own.entryid, username: 'Wilma', isReassigned: true };
    expect(planned).toMatchObject({ status: 'open', assigneeName: 'Milan', starts: true, others: [other] });
    expect(planned.mine).toBe(false);
  }
  await using lead = await open('Leonie');
  expect(only(await lead.shows(told, 'plannedOrders'))).toMatchObject({ leads: true, status: 'open' });
});

test('PLANNED-5 cancelling offline opens the planned order again at once', async () => {
  const { open, net, plan } = await shop();
  {
    await using lead = await open('Leonie');
    await lead.actions.planOrders([plan()]);
    await lead.shows(isSent, 'plannedOrders');
  }
  await using worker = await open('Wilma');
  const planned = only(await worker.shows((all) => all.length === 1, 'plannedOrders'));
  net.isOn = false;
  const entryid = await worker.actions.startPlannedOrder(planned.planned_orderid);
  await worker.actions.moveWorkOrder(entryid, 'cancel');
  expect(only(await worker.look('plannedOrders'))).toMatchObject({
    status: 'open',
    entryid: null,
    starts: true,
  });
  net.isOn = true;
  worker.actions.syncNow();
  expect(only(await worker.shows(isSent, 'plannedOrders'))).toMatchObject({ status: 'open', entryid: null });
  const again = await worker.actions.startPlannedOrder(planned.planned_orderid);
  await worker.inSync();
  const counted = only(
    await worker.shows((all) => isSent(all) && all[0]?.status === 'started', 'plannedOrders'),
  );
  expect(counted.entryid).not.toBe(again);
  await worker.actions.moveWorkOrder(again, 'cancel');
  await worker.shows((all) => isSent(all) && all[0]?.status === 'open', 'plannedOrders');
});

test('PLANNED-7 a change that arrives after the start is kept until the planner discards it', async () => {
  const { open, net, plan } = await shop();
  {
    await using lead = await open('Leonie');
    await lead.actions.planOrders([plan()]);
    const [seen] = await lead.shows(isSent, 'plannedOrders');
    net.isOn = false;
    await lead.actions.changePlannedOrder(must(seen, 'seen'), plan({ note: 'Use the new belt' }));
  }
  net.isOn = true;
  {
    await using worker = await open('Wilma');
    const planned = only(await worker.shows((all) => all.length === 1, 'plannedOrders'));
    await worker.actions.startPlannedOrder(planned.planned_orderid);
    await worker.inSync();
  }
  await using lead = await open('Leonie');
  const [refused] = await lead.shows((all) => all[0]?.state === 'parked', 'activity');
  expect(refused).toMatchObject({ kind: 'planned', detail: 'note' });
  expect(only(await lead.look('plannedOrders'))).toMatchObject({
    status: 'started',
    note: '',
    startedBy: 'Wilma',
  });
});

test('PLANNED-7 changes of one order join, and follow one that is on its way', async () => {
  const { open, net, plan, people } = await shop();
  await using lead = await open('Leonie');
  await lead.actions.planOrders([plan()]);
  const seen = only(await lead.shows(isSent, 'plannedOrders'));
  net.isOn = false;
  await lead.actions.changePlannedOrder(seen, plan({ note: 'First' }));
  const again = only(await lead.look('plannedOrders'));
  await lead.actions.changePlannedOrder(again, plan({ note: 'First', priority: 'high' }));
  expect((await lead.look('activity')).filter(({ state }) => state !== 'on-the-server')).toHaveLength(1);
  net.isOn = true;
  lead.actions.syncNow();
  await lead.shows(isSent, 'plannedOrders');
  expect(await onServer(people.Leonie)).toMatchObject([
    { note: 'First', priority: 'high', teamid: expect.any(Number) as number },
  ]);
});
