import { expect, test } from 'vitest';
import { z } from 'zod';

import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import { must } from '#shared/must.ts';

import { bench, call, tokenOf } from './support/restored-bench.ts';

const photo = (): File => {
  const bytes =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  return new File([Buffer.from(bytes, 'base64')], 'gap.png', { type: 'image/png' });
};
const only = (deviations: readonly DeviationView[]): DeviationView =>
  must(deviations.length === 1 ? deviations[0] : undefined, 'one deviation');

test('DEVIATION-6 a report is never attached to the order that has the number of its order after a restore', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  await device.inSync();
  const tmp = await actions.startWorkOrder(guideid, 'WO-mine');
  actions.syncNow();
  await device.inSync();
  const { entryid } = must((await device.look('workOrders'))[0], 'the order');
  expect(entryid).not.toBe(tmp);
  await actions.reportDeviation(entryid, { title: 'A dent', note: 'About my order', pictures: [] });
  actions.syncNow();
  await device.shows((all) => all.length === 1 && !only(all).pending, 'deviations');
  await device.inSync();
  world.passes = () => false;
  await server.restore();
  // Ana starts another order at another device before this one has told the server that it lost numbers.
  const token = await tokenOf(server, 'ana@example.com');
  const other = await call(server, token, 'POST', '/work_log', {
    guideid: Number(guideid),
    workorderid: 'WO-other',
  });
  expect(String(other['entryid'])).toBe(entryid);
  world.passes = () => true;
  actions.syncNow();
  await device.shows((orders) => orders.length === 2, 'workOrders');
  await device.shows(({ pending }) => pending === 0, 'syncState');
  const there = z
    .array(z.looseObject({ workorderid: z.string(), note: z.string() }))
    .parse(await call(server, await tokenOf(server, 'ana@example.com'), 'GET', '/deviations'));
  expect(there.map(({ workorderid, note }) => [workorderid, note])).toEqual([['WO-mine', 'About my order']]);
});

test('DEVIATION-6 a waiting report is not attached to the order that has the number of its order after a restore', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  await device.inSync();
  const asAna = async (method: string, path: string, body?: object) =>
    call(server, await tokenOf(server, 'ana@example.com'), method, path, body);
  const mine = await asAna('POST', '/work_log', { guideid: Number(guideid), workorderid: 'WO-mine' });
  actions.syncNow();
  await device.shows((orders) => orders.length === 1, 'workOrders');
  await device.inSync();
  world.passes = () => false;
  const id = String(mine['entryid']);
  await actions.reportDeviation(id, { title: 'A dent', note: 'About my order', pictures: [] });
  await server.restore();
  const other = await asAna('POST', '/work_log', { guideid: Number(guideid), workorderid: 'WO-other' });
  expect(other['entryid']).toBe(mine['entryid']);
  world.passes = () => true;
  actions.syncNow();
  await device.shows((orders) => orders.some(({ workorderid }) => workorderid === 'WO-other'), 'workOrders');
  await device.shows(({ pending }) => pending === 0, 'syncState');
  expect(JSON.stringify(await asAna('GET', '/deviations'))).not.toContain('About my order');
});

test('DEVIATION-6 a report whose photo waits is sent before a later value of the order', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  world.passes = () => false;
  const entryid = await actions.startWorkOrder(guideid, 'WO-1');
  const guide = must(await device.look('guide', guideid), 'guide');
  const fields = guide.steps.flatMap((step) => step.fields);
  const field = must(
    fields.find(({ label }) => label === 'Torque'),
    'torque',
  );
  await actions.recordValue(entryid, field, '99');
  await actions.reportDeviation(entryid, {
    field_revisionid: field.field_revisionid,
    note: 'The wrench slipped',
    pictures: [photo()],
  });
  const isUpload = (path: string): boolean => /upload|media|files/i.test(path);
  world.passes = (path) => !isUpload(path);
  actions.syncNow();
  const [order] = await device.shows(
    (orders) => orders.some((one) => !one.entryid.startsWith('tmp:')),
    'workOrders',
  );
  const real = must(order, 'order').entryid;
  await device.shows(({ pending }) => pending === 2, 'syncState');
  await actions.recordValue(real, field, '12');
  actions.syncNow();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  world.passes = () => true;
  actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
  const token = await tokenOf(server, 'ana@example.com');
  const answer = JSON.stringify(await call(server, token, 'GET', '/deviations'));
  expect.soft(JSON.stringify(await device.look('activity'))).not.toContain('parked');
  expect(answer).toContain('The wrench slipped');
});

test('DEVIATION-5 a person who may not decide is told at once', async () => {
  await using world = await bench();
  const { device, guideid } = world;
  const { actions } = device;
  const entryid = await actions.startWorkOrder(guideid, 'WO-1');
  await actions.reportDeviation(entryid, { title: 'A dent', note: '', pictures: [] });
  actions.syncNow();
  const seen = only(await device.shows((all) => all.length === 1 && !only(all).pending, 'deviations'));
  expect(seen.decides).toBe(false);
  await expect(actions.decideDeviation(seen.deviationid, 'use-as-is', 'Mine')).rejects.toThrow();
});
