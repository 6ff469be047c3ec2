import { afterEach, expect, test } from 'vitest';

import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { FormFieldView } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

type Name = 'Wilma' | 'Leonie';

interface Shop {
  /** Whether there is a network. */
  net: { isOn: boolean };
  /** Opens a person's device. RxDB opens one home at a time, so only one device is open. */
  open: (name: Name) => Promise<WholeDevice>;
  guideid: string;
  torque: FormFieldView;
}

/** A worker whose team has a lead, each with a device, and a guide with a torque of at most 40 Nm. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const lead = await server.person('Leonie', ['User', 'Author']);
  const worker = await server.person('Wilma', ['User']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  const guide = await makeGuide(lead);
  const form = await makeForm(lead, guide);
  const field = must(
    form.fields.find(({ label }) => label === 'Torque'),
    'the field',
  );
  const net = { isOn: true };
  const disks = { Wilma: newDisk(), Leonie: newDisk() };
  const known = new Set<Name>();
  const open = async (name: Name): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  const torque = { ...field, stepid: String(stepAt(guide, 0)) };
  return { net, open, guideid: String(guide.guideid), torque };
}

const only = (deviations: readonly DeviationView[]): DeviationView =>
  must(deviations.length === 1 ? deviations[0] : undefined, 'one deviation');

const photo = (): File => {
  const bytes =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  return new File([Buffer.from(bytes, 'base64')], 'gap.png', { type: 'image/png' });
};

test('DEVIATION-6 a deviation is reported offline with a photo, and decided by a lead offline', async () => {
  const { open, net, guideid, torque } = await shop();
  const measured = { value: '99', broken: { side: 'max', limit: 40 }, field_guid: torque.field_guid };
  {
    await using worker = await open('Wilma');
    net.isOn = false;
    const entryid = await worker.actions.startWorkOrder(guideid, 'WO-7');
    await worker.actions.recordValue(entryid, torque, '99');
    const { field_revisionid } = torque;
    const note = ' The wrench slipped ';
    await worker.actions.reportDeviation(entryid, { field_revisionid, note, pictures: [photo()] });
    const reported = only(await worker.look('deviations'));
    expect(reported).toMatchObject({
      title: 'Torque',
      workorderid: 'WO-7',
      note: 'The wrench slipped',
      measured,
      mine: true,
      pending: true,
      decides: false,
      decision: null,
    });
    expect(reported.images).toHaveLength(1);
    net.isOn = true;
    worker.actions.syncNow();
    await worker.shows((all) => !only(all).pending, 'deviations');
  }
  const decision = { disposition: 'use-as-is', reason: 'Checked by hand', username: 'Leonie' };
  {
    await using lead = await open('Leonie');
    const seen = only(await lead.shows((all) => all.length === 1, 'deviations'));
    expect(seen).toMatchObject({ measured, mine: false, decides: true, note: 'The wrench slipped' });
    expect(seen.images[0]).not.toMatch(/^tmp:/);
    const order = { workorderid: 'WO-7', username: 'Wilma', mine: false, deviates: true, status: 'started' };
    expect(await lead.look('board')).toMatchObject({ isLead: true, orders: [{ ...order, steps: 2 }] });
    expect(await lead.look('workOrders')).toEqual([]);
    net.isOn = false;
    await lead.actions.decideDeviation(seen.deviationid, 'use-as-is', ' Checked by hand ');
    expect(only(await lead.look('deviations')).decision).toMatchObject({ ...decision, pending: true });
    net.isOn = true;
    lead.actions.syncNow();
    await lead.shows((all) => only(all).decision?.pending === false, 'deviations');
  }
  await using worker = await open('Wilma');
  expect(await worker.look('board')).toMatchObject({ isLead: false, orders: [{ mine: true }] });
  const told = await worker.shows((all) => only(all).decision !== null, 'deviations');
  expect(only(told).decision).toMatchObject(decision);
});

test('DEVIATION-6 a decision about a value that was measured again is kept until the person decides again', async () => {
  const { open, net, guideid, torque } = await shop();
  const again = async (value: string, entryid?: string): Promise<string> => {
    await using worker = await open('Wilma');
    const order = entryid ?? (await worker.actions.startWorkOrder(guideid, 'WO-8'));
    await worker.actions.recordValue(order, torque, value);
    const { field_revisionid } = torque;
    if (entryid === undefined)
      await worker.actions.reportDeviation(order, { field_revisionid, note: '', pictures: [] });
    await worker.inSync();
    return must((await worker.look('workOrders'))[0], 'the order').entryid;
  };
  const entryid = await again('99');
  {
    await using lead = await open('Leonie');
    const seen = only(await lead.shows((all) => all.length === 1, 'deviations'));
    net.isOn = false;
    await lead.actions.decideDeviation(seen.deviationid, 'use-as-is', 'A close look');
  }
  net.isOn = true;
  await again('55', entryid);
  net.isOn = false;
  await using lead = await open('Leonie');
  net.isOn = true;
  lead.actions.syncNow();
  const [refused] = await lead.shows((all) => all[0]?.state === 'parked', 'activity');
  expect(refused).toMatchObject({ kind: 'deviation', detail: 'use-as-is' });
  const now = only(await lead.shows((all) => only(all).measured?.value === '55', 'deviations'));
  expect(now.decision).toBeNull();
  await lead.actions.decideDeviation(now.deviationid, 'rework', 'It was 99 before');
  expect(only(await lead.look('deviations')).decision).toMatchObject({ disposition: 'rework' });
  lead.actions.syncNow();
  await lead.shows((all) => only(all).decision?.pending === false, 'deviations');
});
