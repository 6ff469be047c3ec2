import { afterEach, expect, test } from 'vitest';

import type { FormFieldView } from '#desktop/engine/api/records.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Shop {
  server: TestServer;
  net: { isOn: boolean };
  open: (name: 'Wilma' | 'Leonie') => Promise<WholeDevice>;
  lead: TestPerson;
  mate: TestPerson;
  guideid: string;
  battery: FormFieldView;
}

/** A team with a lead and two workers, a device of one of them, and a guide with a field for the code of a battery. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const lead = await server.person('Leonie', ['User', 'Author']);
  const worker = await server.person('Wilma', ['User']);
  const mate = await server.person('Mia', ['User']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  for (const { userid } of [worker, mate]) await lead.call('PUT', `/teams/${teamid}/users/${userid}`);
  const guide = await makeGuide(lead);
  const fields = [{ field_type: 'Text Input', label: 'Battery', format: 'barcode', required: false }];
  const form = (await lead.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields })).body as StepForm;
  const battery = { ...must(form.fields[0], 'the field'), stepid: String(stepAt(guide, 0)) };
  const net = { isOn: true };
  const disks = { Wilma: newDisk(), Leonie: newDisk() };
  const known = new Set<string>();
  const open = async (name: 'Wilma' | 'Leonie'): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  return { server, net, open, lead, mate, guideid: String(guide.guideid), battery };
}

test('TRACE-7 an order that is started offline with its number is found at once, and by others after it is sent', async () => {
  const { net, open, mate, guideid, battery } = await shop();
  await mate.call('POST', '/work_log', { guideid: Number(guideid), workorderid: 'WO-2', serials: ['b-9'] });
  {
    await using device = await open('Wilma');
    expect(await device.look('namesSerials', guideid)).toBe(false);
    net.isOn = false;
    const entryid = await device.actions.startWorkOrder(guideid, 'WO-1', { serials: [' SN-1 ', ''] });
    await device.actions.recordValue(entryid, battery, 'B-9');
    const here = await device.look('tracedHere', { number: 'sn-1' });
    expect(here).toMatchObject([
      {
        entryid,
        pending: true,
        record: { serials: ['SN-1'], values: [{ value: 'B-9' }], guide_title: 'Belt' },
      },
    ]);
    expect(await device.look('tracedHere', { number: ' b-9' })).toHaveLength(1);
    expect(await device.look('tracedHere', { guideid, revision: 1 })).toHaveLength(1);
    expect(await device.look('tracedHere', { guideid, revision: 2 })).toEqual([]);
    expect(await device.look('numbersHere', 'S')).toEqual(['SN-1']);
    expect(await device.look('namesSerials', guideid)).toBe(true);
    await expect(device.actions.trace({ number: 'SN-1' }, 0)).rejects.toMatchObject({ code: 'unavailable' });
    net.isOn = true;
    device.actions.syncNow();
    await device.inSync();
    expect(await device.look('tracedHere', { number: 'SN-1' })).toMatchObject([{ pending: false }]);
    // Mia's order is not hers to see.
    const own = await device.actions.trace({ number: 'B-9' }, 0);
    expect(own).toMatchObject({ total: 1, orders: [{ record: { workorderid: 'WO-1' } }] });
  }
  await using leads = await open('Leonie');
  const found = await leads.actions.trace({ number: 'b-9' }, 0);
  expect(found).toMatchObject({
    total: 2,
    orders: [
      { record: { workorderid: 'WO-1', serials: ['SN-1'], people: [{ name: 'Wilma' }] }, pending: false },
      { record: { workorderid: 'WO-2', serials: ['b-9'] } },
    ],
  });
  expect(await leads.actions.suggestNumbers('s')).toEqual(['SN-1']);
  const here = await leads.look('tracedHere', { number: 'b-9' });
  expect(here.map(({ record }) => record)).toEqual(found.orders.map(({ record }) => record));
  const ofRevision = await leads.actions.trace({ guideid, revision: 1 }, 0);
  expect(ofRevision.total).toBe(2);
});

test('TRACE-1 an order that is started from a plan has its numbers at once, and on the server', async () => {
  const { net, open, lead, guideid } = await shop();
  await using device = await open('Wilma');
  const { userid } = must((await device.look('session')).user, 'the person');
  await lead.call('POST', '/work_orders', {
    guideid: Number(guideid),
    workorderid: 'WO-P',
    userid,
    serials: ['SN-7'],
  });
  device.actions.syncNow();
  await expect.poll(() => device.look('plannedOrders')).toHaveLength(1);
  net.isOn = false;
  const { planned_orderid } = must((await device.look('plannedOrders'))[0], 'the plan');
  const entryid = await device.actions.startPlannedOrder(planned_orderid);
  expect(await device.look('workOrder', entryid)).toMatchObject({ serials: ['SN-7'] });
  net.isOn = true;
  device.actions.syncNow();
  await device.inSync();
  const { body } = await lead.call('GET', '/work_log/trace?number=sn-7');
  expect(body).toMatchObject([{ record: { workorderid: 'WO-P', serials: ['SN-7'] } }]);
});
