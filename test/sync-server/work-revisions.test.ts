import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import type { WorkVersion } from '#shared/model/work-version.ts';
import { must } from '#shared/must.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { ok, openShop, type Shop } from '#test/support/approvals.ts';
import type { TestPerson } from '#test/support/server.ts';

// All tests share one server, because starting it takes longer than most of them.
let shop: Shop;
let lea: TestPerson;
let ana: TestPerson;
beforeAll(async () => {
  shop = await openShop();
  ({ lea, ana } = shop);
  await shop.server.category('Bench');
});
afterAll(async () => shop[Symbol.asyncDispose]());

/** A public guide without an approval process. */
function makeGuide(): Promise<Guide> {
  const steps = [
    { title: 'Open', lines: [{ text: 'Unplug it' }] },
    { title: 'Close', lines: [{ text: 'Plug it in' }] },
  ];
  const body = { category: 'Bench', type: 'repair', title: 'Belt', public: true, steps };
  return ok<Guide>(ana.call('POST', '/guides', body));
}

function edit(guide: Guide, change: object): Promise<Guide> {
  return ok<Guide>(ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, change));
}

async function makeForm(guide: Guide, fields: object[], before?: StepForm): Promise<StepForm> {
  const stepid = must(guide.steps[0], 'a step').stepid;
  const seen = before === undefined ? {} : { form_revisionid: before.form_revisionid };
  return ok<StepForm>(ana.call('POST', `/step_forms/${stepid}`, { ...seen, fields }));
}

function start(person: TestPerson, guide: Guide, query = '', more: object = {}): Promise<WorkLogEntry> {
  const body = { guideid: guide.guideid, workorderid: 'WO-1', ...more };
  return ok<WorkLogEntry>(person.call('POST', `/work_log${query}`, body));
}

function decide(entry: WorkLogEntry, decision: 'switch' | 'keep', guide_revisionid: number) {
  return lea.call('POST', `/work_log/${entry.entryid}/revision`, { decision, guide_revisionid });
}

/** The text that a device of the person has for an order. */
async function textFor(person: TestPerson, entryid: number): Promise<WorkVersion | undefined> {
  return (await versionRow(person, entryid))?.doc as WorkVersion | undefined;
}

async function versionRow(person: TestPerson, entryid: number): Promise<Partial<FeedRow> | undefined> {
  const response = await fetch(`${shop.server.url}/sync/1/bootstrap?protocol=6-6`, {
    headers: { Authorization: `api ${person.token}` },
  });
  const rows = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Partial<FeedRow>);
  return rows.find(({ c, id }) => c === 'workVersions' && id === String(entryid));
}

const torque = { field_type: 'Numeric Input', label: 'Torque', required: true };

test('GUIDE-REVISION-10 revisions are counted for each guide; publishing keeps the number', async () => {
  const [one, other] = [await makeGuide(), await makeGuide()];
  const second = await edit(one, { title: 'Belt 2' });
  const hidden = await ok<Guide>(
    ana.call('DELETE', `/guides/${one.guideid}/public?revisionid=${second.revisionid}`),
  );
  await ok(ana.call('PUT', `/guides/${one.guideid}/public?revisionid=${hidden.revisionid}`));
  const list = async ({ guideid }: Guide): Promise<number[]> => {
    const found = await ok<{ revision_number: number }[]>(ana.call('GET', `/guides/${guideid}/revisions`));
    return found.map(({ revision_number }) => revision_number);
  };
  expect(await list(one)).toEqual([2, 2, 2, 1]);
  expect(await list(other)).toEqual([1]);
});

test('WORK-REVISION-1 an order keeps the revision by which it was started, with number, date and approval', async () => {
  const guide = await makeGuide();
  const entry = await start(lea, guide);
  expect(entry.revisions).toEqual([
    {
      decision: 'start',
      guide_revisionid: guide.guide_revisionid,
      form_revisionid: 0,
      revision_number: 1,
      revision_date: guide.modified_date,
      userid: lea.userid,
      at: entry.starttime,
    },
  ]);
  await edit(guide, { title: 'Belt 2' });
  const { guide_revisionid } = guide;
  const earlier = await start(lea, guide, '?unsaved=1', { guide_revisionid });
  expect(earlier.revisions).toMatchObject([{ revision_number: 1, unsaved: true }]);

  const held = await shop.guide({ public: true });
  const before = await start(shop.mira, held);
  expect(before.revisions).toMatchObject([{ revision_number: 1, approval: 'unapproved' }]);
  await shop.signAll((await shop.request(held.guideid)).approval_requestid);
  const after = await start(lea, held);
  expect(after.revisions).toMatchObject([{ revision_number: 1, approval: 'approved' }]);
});

test('WORK-REVISION-2 devices keep the text and forms of an open order when the guide changes, until it changes too', async () => {
  const guide = await makeGuide();
  const form = await makeForm(guide, [torque]);
  const entry = await start(lea, guide);
  expect(await textFor(lea, entry.entryid)).toBeUndefined();
  const changed = await edit(guide, { title: 'Belt 2' });
  await makeForm(guide, [{ ...torque, label: 'Torque (Nm)', field_guid: form.fields[0]?.field_guid }], form);
  const text = must(await textFor(lea, entry.entryid), 'the text');
  expect(text).toMatchObject({ guide: { title: 'Belt', revision: { number: 1 } } });
  expect(text.forms.flatMap(({ fields }) => fields.map(({ label }) => label))).toEqual(['Torque']);
  expect(await textFor(shop.tom, entry.entryid)).toBeUndefined();

  await ok(decide(entry, 'switch', changed.guide_revisionid));
  expect(await textFor(lea, entry.entryid)).toBeUndefined();
});

test('WORK-REVISION-2 the text leaves with the access to the guide', async () => {
  const guide = await makeGuide();
  const entry = await start(lea, guide);
  const changed = await edit(guide, { title: 'Belt 2' });
  expect(await textFor(lea, entry.entryid)).toBeDefined();
  await ok(ana.call('DELETE', `/guides/${guide.guideid}/public?revisionid=${changed.revisionid}`));
  expect(await textFor(lea, entry.entryid)).toBeUndefined();
});

test('WORK-REVISION-7 devices get the text once, until who may see it changes', async () => {
  const guide = await makeGuide();
  const entry = await start(lea, guide);
  const second = await edit(guide, { title: 'Belt 2' });
  const row = must(await versionRow(lea, entry.entryid), 'the text');
  const third = await edit(second, { title: 'Belt 3' });
  expect(await versionRow(lea, entry.entryid)).toEqual(row);
  await ok(ana.call('DELETE', `/guides/${guide.guideid}/public?revisionid=${third.revisionid}`));
  expect(await versionRow(lea, entry.entryid)).toBeUndefined();
  expect(await textFor(ana, entry.entryid)).toEqual(row.doc);
});

test('WORK-REVISION-4 a version that is only published is no other revision', async () => {
  const guide = await makeGuide();
  const entry = await start(ana, guide);
  const hidden = await ok<Guide>(
    ana.call('DELETE', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`),
  );
  expect(hidden.guide_revisionid).not.toBe(guide.guide_revisionid);
  expect(await textFor(ana, entry.entryid)).toBeUndefined();
});

test('WORK-REVISION-3 a finish asks for the required fields of the revision of the order', async () => {
  const guide = await makeGuide();
  const form = await makeForm(guide, [{ field_type: 'Text Input', label: 'Serial number', required: false }]);
  const [kept, changed] = [await start(lea, guide), await start(lea, guide)];
  await makeForm(guide, [must(form.fields[0], 'a field'), torque], form);
  await ok(decide(changed, 'switch', guide.guide_revisionid));
  const finish = async ({ entryid }: WorkLogEntry) =>
    (await ok<WorkLogEntry>(lea.call('POST', `/work_log/${entryid}/finish`, {}))).gaps?.map(
      ({ label }) => label,
    );
  expect(await finish(kept)).toEqual([]);
  expect(await finish(changed)).toEqual(['Torque']);
});

test('WORK-REVISION-5 a decision is recorded with person and time; only the holder of an open order decides', async () => {
  const guide = await makeGuide();
  const entry = await start(lea, guide);
  const changed = await edit(guide, { title: 'Belt 2' });
  const kept = await ok<WorkLogEntry>(decide(entry, 'keep', changed.guide_revisionid));
  expect(kept).toMatchObject({
    guide_revisionid: guide.guide_revisionid,
    revisions: [{ decision: 'start' }, { decision: 'keep', revision_number: 2, userid: lea.userid }],
  });
  const moved = await ok<WorkLogEntry>(decide(entry, 'switch', changed.guide_revisionid));
  expect(moved.guide_revisionid).toBe(changed.guide_revisionid);
  expect(moved.revisions?.map(({ decision }) => decision)).toEqual(['start', 'keep', 'switch']);
  expect((await decide(entry, 'switch', 1_000_000)).status).toBe(422);
  const foreign = await makeGuide();
  expect((await decide(entry, 'switch', foreign.guide_revisionid)).status).toBe(422);
  const path = `/work_log/${entry.entryid}/revision`;
  const body = { decision: 'keep', guide_revisionid: changed.guide_revisionid };
  expect((await shop.tom.call('POST', path, body)).status).toBe(404);
  await ok(lea.call('POST', `/work_log/${entry.entryid}/finish`, {}));
  expect((await lea.call('POST', path, body)).status).toBe(422);
});

test('WORK-RECORD-1 WORK-RECORD-2 the record has everything with person and time, and its hash is stored at the end', async () => {
  const guide = await makeGuide();
  const limits = { limit_decimals: false, decimals: 0, limit_min: false, min: 0, limit_max: true, max: 40 };
  const form = await makeForm(guide, [
    { ...torque, options: limits },
    { field_type: 'Text Input', label: 'Serial number', required: true },
  ]);
  const field = must(form.fields[0], 'a field').field_revisionid;
  const stepid = must(guide.steps[0], 'a step').stepid;
  const { entryid } = await start(lea, guide);
  const open = await ok<WorkRecordFile>(lea.call('GET', `/work_log/${entryid}/record`));
  expect(open).toMatchObject({ sha256: null, record: { status: 'started', ended: null } });
  // The page session of a device measures time exactly.
  const now = Date.now();
  const moment = (ms: number): object => ({ at: now - 600_000 + ms, mono: ms, session: 'lea', offset: 0 });
  const moved = await start(lea, guide, '', { workorderid: 'WO-2', ...moment(0) });
  const own = `/work_log/${moved.entryid}`;
  await ok(lea.call('PUT', `${own}/step`, { stepid, ...moment(1000) }));
  await ok(lea.call('PUT', `${own}/stepData`, { fields: { [field]: '55' }, ...moment(61_000) }));
  await ok(lea.call('POST', `${own}/suspend`, { note: 'Nut is tight', ...moment(121_000) }));
  await ok(ana.call('POST', `${own}/assume`, { at: now - 300_000, mono: 0, session: 'ana', offset: 0 }));
  await ok(ana.call('PUT', `${own}/step`, { stepid, at: now - 300_000, mono: 1, session: 'ana', offset: 0 }));
  await ok(ana.call('POST', `${own}/finish`, { at: now - 240_000, mono: 60_001, session: 'ana', offset: 0 }));
  const { record, sha256, deviations } = await ok<WorkRecordFile>(ana.call('GET', `${own}/record`));
  expect(record).toMatchObject({
    format: 'benchbook-work-record',
    workorderid: 'WO-2',
    guide_title: 'Belt',
    status: 'complete',
    people: [
      { userid: ana.userid, name: 'Ana' },
      { userid: lea.userid, name: 'Lea' },
    ],
    revisions: [{ decision: 'start', counted: { number: 1 }, userid: lea.userid }],
    history: [
      { type: 'start', userid: lea.userid },
      { type: 'suspend', note: 'Nut is tight' },
      { type: 'assume', userid: ana.userid },
      { type: 'finish', userid: ana.userid },
    ],
    step_times: [
      { stepid, userid: lea.userid, duration: 120 },
      { stepid, userid: ana.userid, duration: 60 },
    ],
    values: [{ label: 'Torque', value: '55', out_of_limits: true, userid: lea.userid }],
    missing: [{ label: 'Serial number', reason: null }],
  });
  expect(deviations).toMatchObject([{ title: 'Torque' }]);
  expect(sha256).toBe(createHash('sha256').update(canonicalJson(record)).digest('hex'));
  // Names and titles are those of the end.
  await edit(guide, { title: 'Belt 2' });
  expect((await ok<WorkRecordFile>(ana.call('GET', `${own}/record`))).record).toEqual(record);
});
