import { afterEach, expect, test } from 'vitest';

import type { FormFieldView } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function shop(isPublic = true) {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const author = await server.person('Ana', ['User', 'Author']);
  const lead = await server.person('Leonie', ['User', 'Author']);
  const worker = await server.person('Wilma', ['User']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  const guide = await makeGuide(author, isPublic);
  if (!isPublic) await author.call('PUT', `/guides/${guide.guideid}/users/${worker.userid}`);
  const form = await makeForm(author, guide);
  const field = must(
    form.fields.find(({ label }) => label === 'Torque'),
    'the field',
  );
  const torque: FormFieldView = { ...field, stepid: String(stepAt(guide, 0)) };
  const begin = async (person: TestPerson, workorderid: string): Promise<number> =>
    (
      (await person.call('POST', '/work_log', { guideid: guide.guideid, workorderid })).body as {
        entryid: number;
      }
    ).entryid;
  return { server, author, lead, worker, teamid, guide, torque, begin };
}

test('TEAM-17 a lead is not offered an order whose guide they may not see', async () => {
  const { server, worker, lead, begin } = await shop(false);
  const entryid = await begin(worker, 'WO-1');
  await worker.call('POST', `/work_log/${entryid}/suspend`, {});
  expect((await lead.call('POST', `/work_log/${entryid}/assume`, {})).status).toBe(403);
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Leonie');
  await device.inSync();
  expect((await device.look('board')).orders).toHaveLength(1);
  expect(await device.look('workOrders')).toEqual([]);
});

test('DEVIATION-6 a report moves with the work that becomes an own order', async () => {
  const { server, worker, lead, torque, begin } = await shop();
  const entryid = await begin(worker, 'WO-1');
  const net = { isOn: true };
  await using device = await startWholeDevice(() => (net.isOn ? server.url : null), newDisk());
  await device.signIn('Wilma');
  await device.inSync();
  const { actions } = device;
  net.isOn = false;
  const id = String(entryid);
  await actions.recordValue(id, torque, '99');
  await actions.reportDeviation(id, { title: 'A dent', note: 'In my own work', pictures: [] });
  await worker.call('POST', `/work_log/${id}/suspend`, {});
  await lead.call('POST', `/work_log/${id}/assume`, {});
  net.isOn = true;
  actions.syncNow();
  await device.shows((order) => order?.frozen === true, 'workOrder', id);
  const own = await actions.saveAsOwnOrder(id);
  actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
  const order = must(await device.shows((one) => one?.pending === 0, 'workOrder', own), 'own');
  const all = (await worker.call('GET', '/deviations')).body as { entryid: number; title: string }[];
  expect(all.map((one) => [String(one.entryid), one.title])).toEqual([[order.entryid, 'A dent']]);
});

test('LEAVING-5 a deviation that left with the team is not kept in a waiting decision', async () => {
  const { server, worker, lead, teamid, begin } = await shop();
  const entryid = await begin(worker, 'WO-1');
  await worker.call('POST', '/deviations', { entryid, title: 'Rarewordtitle', note: 'Rarewordnote' });
  const net = { isOn: true };
  const disk = newDisk();
  await using device = await startWholeDevice(() => (net.isOn ? server.url : null), disk);
  await device.signIn('Leonie');
  await device.inSync();
  const [seen] = await device.shows((all) => all.length === 1, 'deviations');
  net.isOn = false;
  await device.actions.decideDeviation(must(seen, 'seen').deviationid, 'scrap', 'My reason');
  await lead.call('PATCH', `/teams/${teamid}`, { owner: worker.userid });
  net.isOn = true;
  device.actions.syncNow();
  await device.shows((all) => all.length === 0, 'deviations');
  const [parked] = await device.shows((all) => all[0]?.state === 'parked', 'activity');
  expect(JSON.stringify(parked)).toContain('My reason');
  expect.soft(JSON.stringify(parked)).not.toContain('Rareword');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const text = [...disk.journal.values()].map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n');
  expect.soft(text).toContain('My reason');
  expect.soft(text.match(/Rareword\w*/g)).toBeNull();
});

test('DEVIATION-5 who decides is equal: a lead who takes the order over offline does not decide', async () => {
  const { server, worker, begin } = await shop();
  const entryid = await begin(worker, 'WO-1');
  await worker.call('POST', '/deviations', { entryid, title: 'A dent' });
  await worker.call('POST', `/work_log/${entryid}/suspend`, {});
  const net = { isOn: true };
  await using device = await startWholeDevice(() => (net.isOn ? server.url : null), newDisk());
  await device.signIn('Leonie');
  await device.inSync();
  net.isOn = false;
  await device.actions.moveWorkOrder(String(entryid), 'assume');
  const [seen] = await device.look('deviations');
  expect(must(seen, 'seen').decides).toBe(false);
});

test('DEVIATION-6 a note that is too long for the server does not hold up the order', async () => {
  const { server, worker, begin } = await shop();
  const entryid = String(await begin(worker, 'WO-1'));
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Wilma');
  await device.inSync();
  // Either the action throws at once, or the rest of the order is sent.
  await device.actions
    .reportDeviation(entryid, { title: 'A dent', note: 'x'.repeat(4001), pictures: [] })
    .catch(() => undefined);
  await device.actions.moveWorkOrder(entryid, 'finish');
  device.actions.syncNow();
  const status = async (): Promise<string> =>
    ((await worker.call('GET', `/work_log/${entryid}`)).body as { status: string }).status;
  await expect.poll(status, { timeout: 6000 }).toBe('complete');
});
