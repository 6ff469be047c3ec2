import { expect, test } from 'vitest';

import type { FormFieldView } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const minute = 60_000;

const field: FormFieldView = {
  field_revisionid: 238,
  field_guid: 'voltage',
  field_type: 'Numeric Input',
  label: 'Voltage',
  placeholder: '',
  textarea: '',
  required: true,
  options: { limit_decimals: false, decimals: 0, limit_min: true, min: 0, limit_max: true, max: 20 },
  stepid: '11',
};
const photo: FormFieldView = {
  ...field,
  field_revisionid: 239,
  field_guid: 'photo',
  field_type: 'Image',
  label: 'Photo',
  options: [],
};

async function workshop(skew = 0): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  server.put('guides', '7', plainGuide);
  const fields = [field, photo].map(({ stepid: _stepid, ...rest }) => rest);
  server.put('stepForms', '11', { form_revisionid: 1, stepid: 11, guideid: 7, fields });
  return { server, bench: await device(server, 1, skew) };
}

function device(server: StandInServer, userid: number, skew = 0): Promise<Bench> {
  return openBench(server, { userid, skew });
}

test('a finish keeps why required values are missing, at once and from the server', async () => {
  const { bench } = await workshop();
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  await bench.actions.finishWorkOrder(id, [{ field, reason: ' The gauge is broken ' }]);
  const gaps = [{ label: field.label, stepid: field.stepid, reason: 'The gauge is broken' }];
  const order = () => now(bench.views.workOrder(id));
  expect(await order()).toMatchObject({ status: 'complete', gaps });
  await bench.sync();
  expect(await order()).toMatchObject({ status: 'complete', pending: 0, gaps });
});

test.each([0, 90 * minute])(
  'working time counts only while the order runs, with a device clock off by %i ms',
  async (skew) => {
    const { server, bench } = await workshop(skew);
    const began = server.now;
    const id = await bench.actions.startWorkOrder('7', 'WO-1');
    await bench.actions.enterStep(id, '11');
    server.now += 10 * minute;
    await bench.actions.enterStep(id, '12');
    server.now += 5 * minute;
    await bench.actions.moveWorkOrder(id, 'pause');
    server.now += 60 * minute;
    await bench.actions.moveWorkOrder(id, 'resume');
    server.now += 2 * minute;
    await bench.actions.moveWorkOrder(id, 'finish');

    const local = must(await now(bench.views.workOrder(id)), 'the order');
    expect(local).toMatchObject({
      status: 'complete',
      running: false,
      activeMs: 17 * minute,
      startedAt: began,
      endedAt: server.now,
      stepMs: { 11: 10 * minute, 12: 7 * minute },
      stepsDone: ['11', '12'],
      pending: 6,
      mine: true,
    });
    await bench.sync();
    const real = must(await now(bench.views.workOrder(id)), 'the order');
    expect(real.entryid).toMatch(/^\d+$/);
    expect(real).toEqual({
      ...local,
      entryid: real.entryid,
      pending: 0,
      timeAdjusted: real.timeAdjusted,
      guideid: '7',
    });
  },
);

test('WORK-LOG-4 the note of a suspension reaches the next person', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  await bench.actions.suspendWorkOrder(id, ' The cover is off. ');
  expect((await now(bench.views.workOrder(id)))?.handover).toMatchObject({ note: 'The cover is off.' });
  await bench.sync();
  const other = await device(server, 2);
  await other.sync();
  const [offered] = await now(other.views.workOrders());
  expect(offered).toMatchObject({ status: 'suspended', handover: { note: 'The cover is off.' } });
});

test('WORK-LOG-3 a value out of limits is recorded and flagged', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  const valueNow = async () => (await now(bench.views.workOrder(id)))?.values[field.field_revisionid];
  await bench.actions.recordValue(id, field, '20.5');
  const flagged = { value: '20.5', broken: { side: 'max', limit: 20 } };
  expect(await valueNow()).toMatchObject({ ...flagged, saved: 'device' });
  await bench.sync();
  expect(await valueNow()).toMatchObject({ ...flagged, saved: 'server' });
  server.now += minute;
  await bench.actions.recordValue(id, field, '20');
  expect(await valueNow()).toMatchObject({ value: '20', broken: null });
});

test('a running order shows its start, by the clock of the device', async () => {
  const { server, bench } = await workshop(90 * minute);
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  const deviceNow = server.now + 90 * minute;
  server.now += 3 * minute;
  const order = must(await now(bench.views.workOrder(id)), 'the order');
  expect(order).toMatchObject({ running: true, activeMs: 0, asOf: deviceNow });
});

test('a crash keeps the order, its times and its values', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  await bench.actions.enterStep(id, '11');
  await bench.actions.recordValue(id, field, '12.5');
  server.now += 4 * minute;
  const restarted = await bench.crash();
  endsWithTest(restarted);
  await restarted.actions.moveWorkOrder(id, 'pause');
  expect(await now(restarted.views.workOrder(id))).toMatchObject({
    status: 'paused',
    activeMs: 4 * minute,
    values: { 238: { value: '12.5', label: 'Voltage', saved: 'device', stepid: '11' } },
  });
});

test('values are saved on the device first, checked against their field, and joined while they wait', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  await bench.sync();
  await expect(bench.actions.recordValue(id, field, 'much')).rejects.toMatchObject({ kind: 'invalid' });
  await bench.actions.recordValue(id, field, '12');
  await bench.actions.recordFile(id, photo, new Blob(['png'], { type: 'image/png' }), 'gauge.png');
  await bench.actions.recordValue(id, field, '13');
  const data = bench.outbox.present().filter(({ kind }) => kind === 'entry-data');
  expect(data).toHaveLength(1);
  const waiting = must(await now(bench.views.workOrder(id)), 'the order').values;
  expect(waiting['238']).toMatchObject({ value: '13', saved: 'device' });
  expect(waiting['239']).toMatchObject({ fileName: 'gauge.png', saved: 'device' });
  expect(await now(bench.views.picture(waiting['239']?.imageGuid ?? '', 'standard'))).toMatch(/^blob:/);
  await bench.sync();
  const saved = must(await now(bench.views.workOrder(id)), 'the order');
  expect(saved.values['238']).toMatchObject({ value: '13', saved: 'server' });
  expect(saved.values['239']).toMatchObject({ value: expect.stringMatching(/^\d+$/), saved: 'server' });
  expect(server.entry(Number(saved.entryid)).events.map(({ type }) => type)).toEqual(['start', 'data']);
});

test('orders are listed running first, then paused, suspended, finished; those of others only if they can be assumed', async () => {
  const { server, bench } = await workshop();
  const other = await device(server, 2);
  for (const name of ['finished', 'paused', 'suspended', 'running']) {
    await bench.actions.startWorkOrder('7', name);
    server.now += minute;
  }
  const ids = new Map(
    must(await now(bench.views.workOrders()), 'orders').map(({ workorderid, entryid }) => [
      workorderid,
      entryid,
    ]),
  );
  await bench.actions.moveWorkOrder(must(ids.get('finished'), 'id'), 'finish');
  await bench.actions.moveWorkOrder(must(ids.get('paused'), 'id'), 'pause');
  await bench.actions.moveWorkOrder(must(ids.get('suspended'), 'id'), 'suspend');
  const order = ['running', 'paused', 'suspended', 'finished'];
  expect((await now(bench.views.workOrders())).map(({ workorderid }) => workorderid)).toEqual(order);
  await bench.sync();
  expect((await now(bench.views.workOrders())).map(({ workorderid }) => workorderid)).toEqual(order);
  await other.pull();
  expect((await now(other.views.workOrders())).map(({ workorderid, mine }) => [workorderid, mine])).toEqual([
    ['suspended', false],
  ]);
});

test('an impossible transition is refused before it is queued', async () => {
  const { bench } = await workshop();
  const id = await bench.actions.startWorkOrder('7', 'WO-1');
  await expect(bench.actions.moveWorkOrder(id, 'resume')).rejects.toMatchObject({ kind: 'invalid' });
  expect(bench.outbox.present()).toHaveLength(1);
});

async function takenOver(): Promise<{ server: StandInServer; bench: Bench; entryid: string }> {
  const { server, bench } = await workshop();
  const owner = await device(server, 3);
  const id = await owner.actions.startWorkOrder('7', 'WO-9');
  await owner.actions.moveWorkOrder(id, 'suspend');
  await owner.sync();
  await bench.pull();
  const [offered] = await now(bench.views.workOrders());
  const { entryid } = must(offered, 'the suspended order');
  await bench.actions.moveWorkOrder(entryid, 'assume');
  await bench.actions.enterStep(entryid, '11');
  await bench.actions.recordValue(entryid, field, '7');
  server.now += 8 * minute;
  await bench.actions.moveWorkOrder(entryid, 'finish');
  server.moveEntry(Number(entryid), 'assume', 2);
  await bench.sync();
  return { server, bench, entryid };
}

test('an order assumed by another person first freezes with all work on it', async () => {
  const { bench, entryid } = await takenOver();
  expect(await now(bench.views.workOrder(entryid))).toMatchObject({
    frozen: true,
    status: 'complete',
    mine: true,
    activeMs: 8 * minute,
    pending: 4,
    values: { 238: { value: '7', saved: 'device' } },
  });
  await expect(bench.actions.recordValue(entryid, field, '8')).rejects.toMatchObject({ kind: 'conflict' });
});

test('a frozen order can become an own order', async () => {
  const { server, bench, entryid } = await takenOver();
  const own = await bench.actions.saveAsOwnOrder(entryid);
  await bench.sync();
  const order = must(await now(bench.views.workOrder(own)), 'the order');
  expect(order).toMatchObject({
    frozen: false,
    status: 'complete',
    mine: true,
    workorderid: 'WO-9',
    pending: 0,
  });
  expect(order.values['238']).toMatchObject({ value: '7', saved: 'server' });
  expect(order.activeMs).toBe(8 * minute);
  expect(await now(bench.views.workOrder(entryid))).toMatchObject({
    frozen: false,
    mine: false,
    userid: 2,
    status: 'started',
  });
  expect(server.entry(Number(order.entryid)).events.map(({ type }) => type)).toEqual([
    'start',
    'step',
    'data',
    'finish',
  ]);
});

test('an own order keeps the work after it was suspended and continued offline', async () => {
  const { server, bench } = await workshop();
  const owner = await device(server, 3);
  await owner.actions.moveWorkOrder(await owner.actions.startWorkOrder('7', 'WO-9'), 'suspend');
  await owner.sync();
  await bench.pull();
  const { entryid } = must((await now(bench.views.workOrders()))[0], 'the suspended order');
  await bench.actions.moveWorkOrder(entryid, 'assume');
  server.now += minute;
  await bench.actions.suspendWorkOrder(entryid, 'Mind the spring');
  server.now += minute;
  await bench.actions.moveWorkOrder(entryid, 'assume');
  await bench.actions.recordValue(entryid, field, '7');
  await bench.actions.moveWorkOrder(entryid, 'finish');
  server.moveEntry(Number(entryid), 'assume', 2);
  await bench.sync();
  const own = await bench.actions.saveAsOwnOrder(entryid);
  await bench.sync();
  const order = must(await now(bench.views.workOrder(own)), 'the order');
  expect(order).toMatchObject({ status: 'complete', handover: { note: 'Mind the spring' } });
  expect(order.values['238']).toMatchObject({ value: '7', saved: 'server' });
});

test('a frozen order can be exported and discarded', async () => {
  const { bench, entryid } = await takenOver();
  const file = await bench.actions.exportOrder(entryid);
  expect(file.filename).toBe('work-order-WO-9.json');
  expect(JSON.parse(file.json)).toHaveLength(4);
  await bench.actions.discardOrder(entryid);
  expect(bench.outbox.present()).toEqual([]);
  expect(await now(bench.views.workOrder(entryid))).toMatchObject({ frozen: false, mine: false });
});
