import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import type { ReleaseFacts, ReleaseText } from '#shared/model/release-facts.ts';
import type { Release } from '#shared/model/release.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { contextForJob } from '#server/core/job.ts';
import { publishStoredReleases } from '#server/features/guides/release-facts.ts';
import { ok } from '#test/support/approvals.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

// All tests share one server, because starting it takes longer than most of them.
let server: TestServer;
let lead: TestPerson;
let worker: TestPerson;
let mate: TestPerson;
let stranger: TestPerson;
let teamid: number;
beforeAll(async () => {
  server = await startServer({ site: { releases: true } });
  await server.category('Bench');
  lead = await server.person('Lena', ['User', 'Author']);
  worker = await server.person('Wim', ['User']);
  mate = await server.person('Mia', ['User']);
  stranger = await server.person('Sam', ['User']);
  ({ teamid } = await ok<{ teamid: number }>(lead.call('POST', '/teams', { name: 'Line B' })));
  for (const { userid } of [worker, mate]) await ok(lead.call('PUT', `/teams/${teamid}/users/${userid}`));
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Released {
  guide: Guide;
  release: Release;
  form: StepForm;
}

const torque = { field_type: 'Numeric Input', label: 'Torque', required: true };

/** A guide whose first revision is released; since then its text and its form have changed. */
async function moved(isPublic = true): Promise<Released> {
  const steps = [{ title: 'Open', lines: [{ text: 'Unplug it' }] }];
  const body = { category: 'Bench', type: 'repair', title: 'Belt', public: isPublic, steps };
  const made = await ok<Guide>(lead.call('POST', '/guides', body));
  const stepid = must(made.steps[0], 'a step').stepid;
  const form = await ok<StepForm>(lead.call('POST', `/step_forms/${stepid}`, { fields: [torque] }));
  const release = await ok<Release>(
    lead.call('POST', `/guides/${made.guideid}/releases?revisionid=${made.revisionid}`, {}),
  );
  const path = `/guides/${made.guideid}?revisionid=${made.revisionid}`;
  const guide = await ok<Guide>(lead.call('PATCH', path, { title: 'Belt 2' }));
  const { form_revisionid } = form;
  const fields = [{ ...torque, label: 'Torque (Nm)', field_guid: form.fields[0]?.field_guid }];
  await ok(lead.call('POST', `/step_forms/${stepid}`, { form_revisionid, fields }));
  return { guide, release, form };
}

let count = 0;
function plan({ guide, release }: Pick<Released, 'guide' | 'release'>, more: object = {}) {
  count += 1;
  const { guideid } = guide;
  const { releaseid } = release;
  const body = { guideid, releaseid, workorderid: `WO-${count}`, userid: worker.userid, ...more };
  return lead.call('POST', '/work_orders', body);
}

async function planned(released: Released, more: object = {}): Promise<PlannedOrder> {
  return ok<PlannedOrder>(plan(released, more));
}

function change(seen: PlannedOrder, body: object): Promise<PlannedOrder> {
  const path = `/work_orders/${seen.planned_orderid}?revisionid=${seen.revisionid}`;
  return ok<PlannedOrder>(lead.call('PATCH', path, body));
}

/** What a fresh device of the person has of a release: what it is, and its text. */
async function onDevice(
  person: TestPerson,
  { releaseid }: Release,
): Promise<{ facts: ReleaseFacts | undefined; text: ReleaseText | undefined }> {
  const response = await fetch(
    `${server.url}/sync/1/bootstrap?collections=releases,releaseTexts&protocol=6-6`,
    { headers: { Authorization: `api ${person.token}` } },
  );
  const lines = (await response.text()).trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Partial<FeedRow>);
  const find = (c: string): unknown => rows.find((row) => row.c === c && row.id === String(releaseid))?.doc;
  return { facts: find('releases') as ReleaseFacts, text: find('releaseTexts') as ReleaseText };
}

const hasText = async (person: TestPerson, release: Release): Promise<boolean> =>
  (await onDevice(person, release)).text !== undefined;

test('PLANNED-10 everyone who sees a guide knows its releases; only those who are to do the work have the text', async () => {
  const released = await moved();
  const { guide, release, form } = released;
  const { form_revisionid } = form;
  expect((await onDevice(stranger, release)).facts).toMatchObject({
    guideid: guide.guideid,
    title: release.title,
    date: release.release_date,
    revision: { guide_revisionid: release.guide_revisionid, form_revisionid, counted: { number: 1 } },
  });
  const order = await planned(released);
  expect(order.release).toEqual({ releaseid: release.releaseid, title: release.title });
  const { text } = await onDevice(worker, release);
  expect(text).toMatchObject({ guide: { title: 'Belt', revision: { number: 1 } } });
  expect(text?.forms.flatMap(({ fields }) => fields.map(({ label }) => label))).toEqual(['Torque']);
  for (const person of [mate, lead, stranger]) expect(await hasText(person, release)).toBe(false);

  const other = await planned(released, { userid: undefined, teamid });
  expect(await hasText(mate, release)).toBe(true);
  await change(order, { releaseid: null });
  expect(await hasText(worker, release)).toBe(true);
  const withdrawn = `/work_orders/${other.planned_orderid}/withdraw?revisionid=${other.revisionid}`;
  await ok(lead.call('POST', withdrawn, {}));
  for (const person of [worker, mate]) expect(await hasText(person, release)).toBe(false);
});

test('PLANNED-10 a reassigned order takes the text along, and one that is done needs none', async () => {
  const released = await moved();
  const { release, guide } = released;
  const order = await planned(released);
  await change(order, { userid: mate.userid });
  expect([await hasText(worker, release), await hasText(mate, release)]).toEqual([false, true]);
  const { planned_orderid } = order;
  const start = { guideid: guide.guideid, workorderid: 'WO', planned_orderid };
  const { entryid } = await ok<WorkLogEntry>(mate.call('POST', '/work_log', start));
  expect(await hasText(mate, release)).toBe(true);
  await ok(mate.call('POST', `/work_log/${entryid}/finish`, {}));
  expect(await hasText(mate, release)).toBe(false);
});

test('PLANNED-10 the text follows the access to the guide, now and then', async () => {
  const open = await moved();
  await planned(open);
  const { guideid, revisionid } = open.guide;
  const hidden = await ok<Guide>(lead.call('DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`));
  expect(await onDevice(worker, open.release)).toEqual({ facts: undefined, text: undefined });
  const path = `/guides/${guideid}/public?revisionid=${hidden.revisionid}`;
  const shown = await ok<Guide>(lead.call('PUT', path));
  expect(await hasText(worker, open.release)).toBe(true);
  await ok(lead.call('DELETE', `/guides/${guideid}?revisionid=${shown.revisionid}`));
  expect(await onDevice(worker, open.release)).toEqual({ facts: undefined, text: undefined });

  const secret = await moved(false);
  const { guide } = secret;
  await ok(lead.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`));
  await planned(secret);
  expect((await onDevice(worker, secret.release)).facts).toBeDefined();
  expect(await hasText(worker, secret.release)).toBe(false);
});

test('PLANNED-10 a release of another guide, one that is not there, and one of a site without releases are refused', async () => {
  const [one, other] = [await moved(), await moved()];
  expect((await plan({ ...one, release: other.release })).status).toBe(422);
  expect((await plan(one, { releaseid: 999_999 })).status).toBe(422);
  const order = await planned(one);
  const { guideid } = other.guide;
  expect((await change(order, { guideid })).release).toBeUndefined();
  await using plain = await startServer();
  await plain.category('Bench');
  const admin = await plain.person('Ada', ['User', 'Admin']);
  const body = { category: 'Bench', type: 'repair', title: 'Belt', public: true, steps: [] };
  const guide = await ok<Guide>(admin.call('POST', '/guides', body));
  const named = { guideid: guide.guideid, releaseid: 1, workorderid: 'WO', userid: admin.userid };
  expect((await admin.call('POST', '/work_orders', named)).status).toBe(422);
});

test('PLANNED-11 a start of a planned order is bound to its release, with the forms of that time', async () => {
  const released = await moved();
  const { guide, release, form } = released;
  const order = await planned(released);
  const { planned_orderid } = order;
  const body = { guideid: guide.guideid, workorderid: 'WO', planned_orderid };
  const entry = await ok<WorkLogEntry>(worker.call('POST', '/work_log', body));
  const { releaseid, title } = release;
  expect(entry).toMatchObject({
    guide_revisionid: release.guide_revisionid,
    release: { releaseid, title },
    revisions: [{ decision: 'start', revision_number: 1, form_revisionid: form.form_revisionid }],
  });
  const { gaps } = await ok<WorkLogEntry>(worker.call('POST', `/work_log/${entry.entryid}/finish`, {}));
  expect(gaps?.map(({ label }) => label)).toEqual(['Torque']);

  const again = await planned(released);
  const seen = { ...body, planned_orderid: again.planned_orderid, guide_revisionid: guide.guide_revisionid };
  const present = await ok<WorkLogEntry>(worker.call('POST', '/work_log', seen));
  expect(present).toMatchObject({ revisions: [{ revision_number: 2 }] });
  expect(present.release).toBeUndefined();
});

test('PLANNED-8 the orders of a series name the release, too', async () => {
  const released = await moved();
  const due = Math.floor(Date.now() / 1000) + 3600;
  await planned(released, { rrule: 'FREQ=DAILY;COUNT=3', due });
  const path = `/work_orders?guideid=${released.guide.guideid}`;
  const all = await ok<PlannedOrder[]>(lead.call('GET', path));
  expect(all.map(({ release }) => release?.title)).toEqual(Array(3).fill(released.release.title));
});

test('PLANNED-10 releases that an older server stored are known after its next start', async () => {
  const { release } = await moved();
  const { services } = server;
  await contextForJob(services, null, async ({ db }) => {
    const own = db.deleteFrom('documents').where('id', '=', String(release.releaseid));
    await own.where('collection', '=', 'releases').execute();
  });
  expect((await onDevice(worker, release)).facts).toBeUndefined();
  await publishStoredReleases(services);
  expect((await onDevice(worker, release)).facts).toMatchObject({ title: release.title });
});
