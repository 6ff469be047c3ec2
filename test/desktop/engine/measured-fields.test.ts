import { afterEach, expect, test } from 'vitest';

import type { FormFieldView, RecordedValue } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Shop {
  net: { isOn: boolean };
  device: WholeDevice;
  guideid: string;
  /** A field of the form as the device shows it. */
  field: (label: string) => Promise<FormFieldView>;
  /** A recorded value as the device shows it. */
  shown: (entryid: string, label: string) => Promise<RecordedValue | undefined>;
}

/** A device with a guide whose first step has these fields. */
async function shop(fields: object[]): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const wilma = await server.person('Wilma', ['User', 'Author']);
  const guide = await makeGuide(wilma);
  const saved = await wilma.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields });
  expect([saved.status, saved.body]).toMatchObject([200, {}]);
  const net = { isOn: true };
  const device = await startWholeDevice(() => (net.isOn ? server.url : null), newDisk());
  closing.push(device);
  await device.signIn('Wilma');
  await device.inSync();
  const guideid = String(guide.guideid);
  return {
    net,
    device,
    guideid,
    field: async (label) => {
      const { steps } = must(await device.look('guide', guideid), 'the guide');
      return must(
        steps.flatMap((step) => step.fields).find((one) => one.label === label),
        label,
      );
    },
    shown: async (entryid, label) => {
      const order = must(await device.look('workOrder', entryid), 'the order');
      return Object.values(order.values).find((one) => one.label === label);
    },
  };
}

const options = { limit_decimals: true, decimals: 2, limit_min: false, min: 0, limit_max: true, max: 3.05 };
const number = { field_type: 'Numeric Input', options };

test('FIELD-6 a computed value is shown at once offline, and is the same from the server', async () => {
  const { net, device, guideid, field, shown } = await shop([
    ...['m1', 'm2'].map((key) => ({ ...number, label: key, key })),
    { ...number, label: 'Average', computed: 'avg(m1, m2)', unit: 'mm' },
  ]);
  net.isOn = false;
  const entryid = await device.actions.startWorkOrder(guideid, 'WO-7');
  await device.actions.recordValue(entryid, await field('m1'), '3');
  expect(await shown(entryid, 'Average')).toBeUndefined();
  await device.actions.recordValue(entryid, await field('m2'), '3.13');
  const average = { value: '3.07', unit: 'mm', isComputed: true, broken: { side: 'max', limit: 3.05 } };
  expect(await shown(entryid, 'Average')).toMatchObject({ ...average, saved: 'device' });
  net.isOn = true;
  await device.inSync();
  expect(await shown(entryid, 'Average')).toMatchObject({ ...average, saved: 'server' });
  await device.actions.recordValue(entryid, await field('m2'), '');
  expect(await shown(entryid, 'Average')).toMatchObject({ value: '', broken: null });
});

test('FIELD-6 values that are recorded at the same time are all computed with', async () => {
  const { device, guideid, field, shown } = await shop([
    ...['m1', 'm2', 'm3'].map((key) => ({ ...number, label: key, key })),
    { ...number, label: 'Sum', computed: 'm1 + m2 + m3' },
  ]);
  const entryid = await device.actions.startWorkOrder(guideid, 'WO-8');
  const fields = await Promise.all(['m1', 'm2', 'm3'].map(field));
  await Promise.all(fields.map((one) => device.actions.recordValue(entryid, one, '1')));
  expect(await shown(entryid, 'Sum')).toMatchObject({ value: '3.00' });
  const sum = await field('Sum');
  await expect(device.actions.recordValue(entryid, sum, '9')).rejects.toThrow('computed from other values');
});
