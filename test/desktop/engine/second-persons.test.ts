import { afterEach, expect, test } from 'vitest';

import type { FormFieldView, RecordedValue } from '#desktop/engine/api/records.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { ok, password } from '#test/support/approvals.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { type Disk, newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Shop {
  /** Whether there is a network, and whether devices hear of changes. */
  net: { isOn: boolean; hears: boolean };
  ben: TestPerson;
  wilma: TestPerson;
  guide: Guide;
  disk: Disk;
  device: WholeDevice;
  /** Another device, in sync, after the one before is closed: this process has room for the collections of one. */
  open: (name: string, disk?: Disk) => Promise<WholeDevice>;
  field: (label: string) => Promise<FormFieldView>;
  /** A recorded value as a device shows it. */
  shown: (entryid: string, label: string, on?: WholeDevice) => Promise<RecordedValue | undefined>;
}

/** Wilma's device with a guide whose first step asks for a torque and somebody who checked it. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const wilma = await server.person('Wilma', ['User', 'Author']);
  const ben = await server.person('Ben', ['User']);
  const guide = await makeGuide(wilma);
  const fields = [
    { field_type: 'Numeric Input', label: 'Torque' },
    { field_type: 'Text Input', label: 'Checked by', required: true, second_person: 'anyone' },
  ];
  await ok(wilma.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields }));
  const net = { isOn: true, hears: true };
  const isThrough = (path: string): boolean =>
    net.isOn && (net.hears || !['/sync/1/pull', '/sync/1/events'].includes(path));
  let last: WholeDevice | undefined;
  const open = async (name: string, disk = newDisk()): Promise<WholeDevice> => {
    await last?.[Symbol.asyncDispose]();
    const device = await startWholeDevice((path) => (isThrough(path) ? server.url : null), disk);
    last = device;
    if (disk.journal.size === 0) await device.signIn(name);
    await device.inSync();
    return device;
  };
  closing.push({ [Symbol.asyncDispose]: async () => last?.[Symbol.asyncDispose]() });
  const disk = newDisk();
  const device = await open('Wilma', disk);
  return {
    net,
    ben,
    wilma,
    guide,
    disk,
    device,
    open,
    field: async (label) => {
      const { steps } = must(await device.look('guide', String(guide.guideid)), 'the guide');
      return must(
        steps.flatMap((step) => step.fields).find((one) => one.label === label),
        label,
      );
    },
    shown: async (entryid, label, on = device) => {
      const order = must(await on.look('workOrder', entryid), 'the order');
      return Object.values(order.values).find((one) => one.label === label);
    },
  };
}

async function sent({ device }: Shop, entryid: string): Promise<string> {
  device.actions.syncNow();
  await device.inSync();
  const order = await device.shows((one) => one?.pending === 0, 'workOrder', entryid);
  return must(order, 'the order').entryid;
}

test('COSIGN-4 COSIGN-5 offline a colleague is named, a changed value takes the name away, and both reach the server', async () => {
  const all = await shop();
  const { net, ben, wilma, guide, device, field, shown } = all;
  net.isOn = false;
  const entryid = await device.actions.startWorkOrder(String(guide.guideid), 'WO-7');
  const [torque, checked] = [await field('Torque'), await field('Checked by')];
  await device.actions.recordValue(entryid, torque, '12');
  expect((await device.look('secondPersons', entryid, checked)).map(({ name }) => name)).toEqual(['Ben']);
  const named = { second_person: ben.userid };
  await device.actions.recordValue(entryid, checked, 'Ben', named);
  expect(await shown(entryid, 'Checked by')).toMatchObject({
    value: 'Ben',
    second: { state: 'named', name: 'Ben', at: null },
  });
  await device.actions.recordValue(entryid, torque, '13');
  expect(await shown(entryid, 'Checked by')).toMatchObject({
    value: '',
    second: { state: 'lost', name: 'Ben' },
  });
  await expect(device.actions.confirmAsColleague(entryid, checked, ben.userid, password)).rejects.toThrow();
  await device.actions.recordValue(entryid, checked, 'Ben', named);
  net.isOn = true;
  const id = await sent(all, entryid);
  const there = await ok<WorkLogEntry>(wilma.call('GET', `/work_log/${id}`));
  expect(there.work_data).toMatchObject([
    { value: '13' },
    { value: 'Ben', second_person: { state: 'named', userid: ben.userid } },
  ]);
  await expect(
    device.actions.recordValue(id, checked, 'Wilma', { second_person: wilma.userid }),
  ).rejects.toThrow('work of their own');
});

test('COSIGN-8 the named person finds the step on a device of their own and verifies it, offline only named', async () => {
  const all = await shop();
  const { ben, guide, device, disk, field, shown, open } = all;
  const entryid = await device.actions.startWorkOrder(String(guide.guideid), 'WO-8');
  await device.actions.recordValue(entryid, await field('Torque'), '12');
  const checked = await field('Checked by');
  await device.actions.recordValue(entryid, checked, 'Ben', { second_person: ben.userid });
  const id = await sent(all, entryid);
  expect(await device.look('confirmable', id)).toEqual([]);

  const own = await open('Ben');
  const waiting = await own.shows((list) => list.length > 0, 'toConfirm');
  expect(waiting).toMatchObject([
    { entryid: id, workorderid: 'WO-8', label: 'Checked by', username: 'Wilma' },
  ]);
  expect(await own.look('confirmable', id)).toEqual([checked.field_revisionid]);
  await expect(own.actions.confirmStep(id, checked, { password: 'a guess' })).rejects.toMatchObject({
    kind: 'invalid',
  });
  await own.actions.confirmStep(id, checked, { password });
  await own.shows((list) => list.length === 0, 'toConfirm');
  expect(await own.look('confirmable', id)).toEqual([]);
  const again = await open('Wilma', disk);
  await expect
    .poll(() => shown(id, 'Checked by', again))
    .toMatchObject({
      second: { state: 'confirmed', name: 'Ben', named: null, method: 'password' },
    });
});

test('COSIGN-5 COSIGN-6 a colleague confirms what this device shows, and the password stays nowhere on it', async () => {
  const all = await shop();
  const { ben, guide, device, disk, field, shown, wilma } = all;
  const entryid = await device.actions.startWorkOrder(String(guide.guideid), 'WO-9');
  const torque = await field('Torque');
  await device.actions.recordValue(entryid, torque, '12');
  const id = await sent(all, entryid);
  const checked = await field('Checked by');
  // Wilma changes the value elsewhere; this device has not heard of it.
  all.net.hears = false;
  await ok(wilma.call('PUT', `/work_log/${id}/stepData`, { fields: { [torque.field_revisionid]: '14' } }));
  await expect(device.actions.confirmAsColleague(id, checked, ben.userid, password)).rejects.toMatchObject({
    kind: 'conflict',
  });
  all.net.hears = true;
  device.actions.syncNow();
  await device.shows(
    (order) => Object.values(order?.values ?? {}).some(({ value }) => value === '14'),
    'workOrder',
    id,
  );
  await expect(device.actions.confirmAsColleague(id, checked, ben.userid, 'wr0ng-and-typed')).rejects.toThrow(
    'This is not the password of that person',
  );
  await device.actions.confirmAsColleague(id, checked, ben.userid, password);
  await device.shows(
    (order) => Object.values(order?.values ?? {}).some(({ second }) => second?.state === 'confirmed'),
    'workOrder',
    id,
  );
  expect(await shown(id, 'Checked by')).toMatchObject({ value: 'Ben', saved: 'server' });
  const stored = [
    ...[...disk.journal.values()].map((bytes) => Buffer.from(bytes).toString('latin1')),
    ...disk.secrets.values(),
    JSON.stringify(await device.look('activity')),
  ];
  for (const secret of ['wr0ng-and-typed', password])
    expect(stored.filter((text) => text.includes(secret))).toEqual([]);
});
