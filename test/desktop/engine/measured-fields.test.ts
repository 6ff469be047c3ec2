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
  device.actions.syncNow();
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

test('FIELD-3 the reason of a failed check is recorded offline and reaches the server', async () => {
  const { net, device, guideid, field, shown } = await shop([
    { field_type: 'Checkbox', label: 'Guard closed', reason_when_failed: true },
    { ...number, label: 'm1' },
  ]);
  net.isOn = false;
  const entryid = await device.actions.startWorkOrder(guideid, 'WO-9');
  const check = await field('Guard closed');
  await device.actions.recordValue(entryid, check, '0');
  await device.actions.recordValue(entryid, check, '0', { reason: 'The hinge is bent' });
  await device.actions.recordValue(entryid, await field('m1'), '1');
  const failed = { value: '0', isFailed: true, reason: 'The hinge is bent' };
  expect(await shown(entryid, 'Guard closed')).toMatchObject({ ...failed, saved: 'device' });
  net.isOn = true;
  device.actions.syncNow();
  await device.inSync();
  expect(await shown(entryid, 'Guard closed')).toMatchObject({ ...failed, saved: 'server' });
  await device.actions.recordValue(entryid, check, '1');
  expect(await shown(entryid, 'Guard closed')).toMatchObject({ isFailed: false, reason: '' });
});

test('FIELD-4 several photos are taken offline, removed, and reach the server in order', async () => {
  const { net, device, guideid, field, shown } = await shop([
    { field_type: 'Image', label: 'Photos', max_photos: 3 },
  ]);
  net.isOn = false;
  const entryid = await device.actions.startWorkOrder(guideid, 'WO-10');
  const photos = await field('Photos');
  for (const name of ['a.png', 'b.png', 'c.png'])
    await device.actions.recordFile(entryid, photos, picture(name), name);
  const taken = must(await shown(entryid, 'Photos'), 'the photos');
  expect(taken.morePhotos).toHaveLength(2);
  await expect(device.actions.recordFile(entryid, photos, picture('d.png'), 'd.png')).rejects.toThrow(
    'Photos takes at most 3 photos',
  );
  await device.actions.removePhoto(entryid, photos, taken.value);
  expect(await shown(entryid, 'Photos')).toMatchObject({
    value: taken.morePhotos[0]?.value,
    morePhotos: [{ value: taken.morePhotos[1]?.value }],
  });
  net.isOn = true;
  device.actions.syncNow();
  await device.inSync();
  const real = (value: RecordedValue | undefined): boolean => /^\d+$/.test(value?.value ?? '');
  await device.shows((order) => real(Object.values(order?.values ?? {})[0]), 'workOrder', entryid);
  const there = must(await shown(entryid, 'Photos'), 'the photos');
  expect(there).toMatchObject({ saved: 'server', value: expect.stringMatching(/^\d+$/) as string });
  expect(there.morePhotos).toMatchObject([
    { value: expect.stringMatching(/^\d+$/) as string, imageGuid: expect.stringMatching(/^\w+$/) as string },
  ]);
  // A screen that still has the temporary id removes the same photo.
  await device.actions.removePhoto(entryid, photos, taken.morePhotos[1]?.value ?? '');
  expect(await shown(entryid, 'Photos')).toMatchObject({ value: there.value, morePhotos: [] });
});

function picture(name: string): File {
  const bytes =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  return new File([Buffer.from(bytes, 'base64')], name, { type: 'image/png' });
}
