import { afterEach, expect, test } from 'vitest';

import type { OrderPlan } from '#desktop/engine/api/planned-records.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { ok } from '#test/support/approvals.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeForm, workshopClient } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

type Name = 'Leonie' | 'Wilma';

interface Shop {
  net: { isOn: boolean };
  guide: Guide;
  lead: TestPerson;
  worker: TestPerson;
  /** Key of the picture that only the released revision shows. */
  picture: string;
  /** Opens a person's device. RxDB opens one home at a time, so only one device is open. */
  open: (name: Name) => Promise<WholeDevice>;
  filesOf: (name: Name) => Promise<string[]>;
}

/** A guide with a release, whose title, form and picture have changed since; a lead and a worker. */
async function shop(): Promise<Shop> {
  const server = await startServer({ site: { releases: true } });
  closing.push(server);
  await server.category('Bench Grinder');
  const lead = await server.person('Leonie', ['User', 'Author']);
  const worker = await server.person('Wilma', ['User']);
  const { teamid } = await ok<{ teamid: number }>(lead.call('POST', '/teams', { name: 'Line B' }));
  await ok(lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`));
  const { media, guides } = workshopClient(server, lead);
  const { image } = await media.addImage({
    query: { file: 'a.bmp' },
    body: bmpFile(8, 6, () => [10, 20, 30]),
  });
  const steps = [{ title: 'Open', lines: [{ text: 'Unplug it' }] }];
  const about = { category: 'Bench Grinder', type: 'repair' as const, title: 'Belt', public: true };
  const made = await guides.create({ body: { ...about, steps, image: image.id } });
  const { guideid, revisionid } = made;
  const form = await makeForm(lead, made);
  await ok(lead.call('POST', `/guides/${guideid}/releases?revisionid=${revisionid}`, {}));
  const edit = { title: 'Belt 2', image: null };
  const guide = await ok<Guide>(lead.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, edit));
  const { stepid, form_revisionid } = form;
  const fields = [{ field_type: 'Text Input', label: 'Serial number' }];
  await ok(lead.call('POST', `/step_forms/${stepid}`, { form_revisionid, fields }));
  const net = { isOn: true };
  const disks = { Leonie: newDisk(), Wilma: newDisk() };
  const known = new Set<Name>();
  const open = async (name: Name): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  const filesOf = async (name: Name): Promise<string[]> =>
    (await disks[name].media.list()).map(({ key }) => key);
  return { net, guide, lead, worker, picture: `picture:${image.guid}.original`, open, filesOf };
}

test('PLANNED-10 PLANNED-11 an order that was planned offline for a release is worked offline by its text, forms and pictures', async () => {
  const { net, guide, lead, worker, picture, open, filesOf } = await shop();
  const guideid = String(guide.guideid);
  {
    await using planner = await open('Leonie');
    const { releaseid, title, revision } = must((await planner.look('releases'))[0], 'the release');
    expect(revision).toMatchObject({ counted: { number: 1 } });
    net.isOn = false;
    const plan: OrderPlan = {
      guideid,
      release: { releaseid, title },
      workorderid: 'WO-7',
      assignee: { kind: 'person', id: worker.userid },
      due: null,
      priority: 'normal',
      serials: [],
      note: '',
      rrule: null,
    };
    await planner.actions.planOrders([plan]);
    expect(await planner.look('plannedOrders')).toMatchObject([{ release: { title }, revision }]);
    net.isOn = true;
    planner.actions.syncNow();
    await planner.shows((all) => all[0]?.pending === false, 'plannedOrders');
  }
  await using device = await open('Wilma');
  const [planned] = await device.shows((all) => all[0]?.starts === true, 'plannedOrders');
  expect(planned?.awaitsText).toBe(false);
  await expect.poll(() => filesOf('Wilma')).toContain(picture);

  net.isOn = false;
  const entryid = await device.actions.startPlannedOrder(must(planned, 'the plan').planned_orderid);
  const bound = { counted: { number: 1 } };
  expect(await device.look('workOrder', entryid)).toMatchObject({ release: 'v1.0', revision: bound });
  const view = await device.shows((one) => one !== null, 'orderRevision', entryid);
  expect(view).toMatchObject({ release: 'v1.0', isUndecided: false, bound, guide: { title: 'Belt' } });
  expect(view?.guide?.steps[0]?.fields.map(({ label }) => label)).toContain('Torque');

  net.isOn = true;
  await device.inSync();
  const sent = await device.shows((one) => one?.pending === 0, 'workOrder', entryid);
  expect(sent).toMatchObject({ release: 'v1.0', revision: bound });
  const still = await device.shows((one) => one?.guide?.title === 'Belt', 'orderRevision', entryid);
  expect(still).toMatchObject({ release: 'v1.0', isUndecided: false });
  const [there] = await ok<PlannedOrder[]>(lead.call('GET', '/work_orders'));
  const entry = await ok<WorkLogEntry>(lead.call('GET', `/work_log/${there?.entryid}`));
  expect(entry).toMatchObject({ release: { title: 'v1.0' }, revisions: [{ revision_number: 1 }] });
});

test('PLANNED-10 a device without the text of the release does not start the order, and says why', async () => {
  const { guide, lead, worker, open } = await shop();
  const { guideid } = guide;
  const [release] = await ok<{ releases: { releaseid: number }[] }>(
    lead.call('GET', `/guides/${guideid}/releases`),
  ).then(({ releases }) => releases);
  const body = { guideid, releaseid: release?.releaseid, workorderid: 'WO-7', userid: lead.userid };
  await ok(lead.call('POST', '/work_orders', { ...body, userid: worker.userid }));
  await using device = await open('Leonie');
  const [planned] = await device.shows((all) => all.length === 1, 'plannedOrders');
  expect(planned).toMatchObject({ mine: false, starts: false, awaitsText: false });
  const { planned_orderid } = must(planned, 'the plan');
  await expect(device.actions.startPlannedOrder(planned_orderid)).rejects.toThrow(
    'The text of v1.0 is not on this device yet',
  );
});
