import { afterEach, expect, test } from 'vitest';

import type { OrderRevisionView } from '#desktop/engine/areas/order-revisions.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { ok } from '#test/support/approvals.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Shop {
  /** Whether there is a network, and whether the calls of the device get through. */
  net: { isOn: boolean; sends: boolean };
  author: TestPerson;
  guide: Guide;
  device: WholeDevice;
}

/** A worker's device in sync with a guide, and its author, who changes it through the API. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const author = await server.person('Leonie', ['User', 'Author', 'Admin']);
  await server.person('Wilma', ['User', 'Author']);
  const guide = await makeGuide(author);
  await makeForm(author, guide);
  const net = { isOn: true, sends: true };
  const isThrough = (path: string): boolean => net.isOn && (net.sends || path !== '/sync/1/batch');
  const device = await startWholeDevice((path) => (isThrough(path) ? server.url : null), newDisk());
  closing.push(device);
  await device.signIn('Wilma');
  await device.inSync();
  return { net, author, guide, device };
}

/** Changes the first step of the guide through the API. */
async function changeStep(author: TestPerson, { guideid }: Guide, text: string): Promise<void> {
  const now = await ok<Guide>(author.call('GET', `/guides/${guideid}`));
  const step = must(now.steps[0], 'a step');
  const path = `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
  await ok(author.call('PATCH', path, { lines: [{ text }] }));
}

const firstStep = (view: OrderRevisionView | null): string | undefined =>
  view?.guide?.steps[0]?.lines[0]?.html;

test('WORK-REVISION-6 an order goes on by its revision when the guide changes, until the person decides offline', async () => {
  const { net, author, guide, device } = await shop();
  const guideid = String(guide.guideid);
  net.isOn = false;
  const started = await device.actions.startWorkOrder(guideid, 'WO-7');
  const order = await device.look('workOrder', started);
  expect(order?.revision).toMatchObject({ counted: { number: 1 } });
  expect(await device.look('orderRevision', started)).toBeNull();

  await changeStep(author, guide, 'Unplug it and wait');
  net.isOn = true;
  await device.inSync();
  const changed = await device.shows((view) => view !== null, 'orderRevision', started);
  expect(changed).toMatchObject({
    isUndecided: true,
    bound: { counted: { number: 1 } },
    present: { counted: { number: 2 } },
    difference: { steps: [{ number: 1 }], forms: [] },
  });
  expect(firstStep(changed)).toContain('Unplug it');
  expect(firstStep(changed)).not.toContain('wait');
  expect(changed?.guide?.steps[0]?.fields.map(({ label }) => label)).toContain('Torque');

  net.isOn = false;
  await device.actions.decideRevision(started, 'keep');
  const kept = await device.shows((view) => view?.isUndecided === false, 'orderRevision', started);
  expect(firstStep(kept)).toContain('Unplug it');
  expect(firstStep(kept)).not.toContain('wait');
  await device.actions.decideRevision(started, 'switch');
  expect(await device.shows((view) => view === null, 'orderRevision', started)).toBeNull();
  const decisions = ['start', 'keep', 'switch'];
  const decided = async (): Promise<string[] | undefined> =>
    (await device.look('workOrder', started))?.revisions.map(({ decision }) => decision);
  expect(await decided()).toEqual(decisions);
  net.isOn = true;
  await device.inSync();
  await device.shows((one) => one?.pending === 0, 'workOrder', started);
  expect(await decided()).toEqual(decisions);
  const { entryid } = must(await device.look('workOrder', started), 'the order');
  const record = await ok<{ guide_revisionid: number }>(author.call('GET', `/work_log/${entryid}`));
  expect(record.guide_revisionid).toBeGreaterThan(guide.guide_revisionid);
});

test('WORK-REVISION-6 the steps stay also when the guide arrives before the order is sent', async () => {
  const { net, author, guide, device } = await shop();
  const guideid = String(guide.guideid);
  net.sends = false;
  const started = await device.actions.startWorkOrder(guideid, 'WO-8');
  await device.actions.moveWorkOrder(started, 'pause');
  await changeStep(author, guide, 'Unplug it and wait');
  const guideThere = await device.shows(
    (view) => view?.steps[0]?.lines[0]?.html.includes('wait') === true,
    'guide',
    guideid,
  );
  expect(guideThere?.revision).toMatchObject({ counted: { number: 2 } });
  const view = await device.shows((one) => one !== null, 'orderRevision', started);
  expect(firstStep(view)).toContain('Unplug it');
  expect(firstStep(view)).not.toContain('wait');
  expect((await device.look('workOrder', started))?.pending).toBe(2);
});

test('WORK-REVISION-1 an order that starts by own changes which wait says that they have no number', async () => {
  const { net, guide, device } = await shop();
  const guideid = String(guide.guideid);
  net.isOn = false;
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Belt, my way' });
  await device.actions.saveDraft(guideid);
  await device.shows((view) => view?.title === 'Belt, my way', 'guide', guideid);
  const started = await device.actions.startWorkOrder(guideid, 'WO-9');
  const bound = { counted: { number: 1 }, unsaved: true };
  expect((await device.look('workOrder', started))?.revision).toMatchObject(bound);
  expect(await device.look('orderRevision', started)).toBeNull();
  net.isOn = true;
  await device.inSync();
  const there = await device.shows((one) => one?.pending === 0, 'workOrder', started);
  expect(there?.revision).toMatchObject(bound);
});

test('WORK-RECORD-3 a device says whether the record agrees with the hash that the server stored', async () => {
  const { net, author, guide, device } = await shop();
  net.isOn = false;
  const started = await device.actions.startWorkOrder(String(guide.guideid), 'WO-4');
  await device.actions.moveWorkOrder(started, 'pause');
  await device.actions.finishWorkOrder(started, []);
  expect((await device.look('orderRecord', started))?.seal).toBe('waiting');
  net.isOn = true;
  await device.inSync();
  const sealed = await device.shows((one) => one?.seal !== 'waiting', 'orderRecord', started);
  expect(sealed).toMatchObject({ seal: 'matches', file: { record: { status: 'complete' } } });
  const { entryid } = must(sealed, 'the record').file.record;
  const there = await ok<{ sha256: string; record: object }>(
    author.call('GET', `/work_log/${entryid}/record`),
  );
  expect(there.sha256).toBe(sealed?.file.sha256);
  expect(there.record).toEqual(sealed?.file.record);
});
