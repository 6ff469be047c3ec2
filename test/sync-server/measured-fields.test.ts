import { afterAll, beforeAll, expect, test } from 'vitest';

import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

const open = { limit_decimals: false, decimals: 0, limit_min: false, min: 0, limit_max: false, max: 0 };
const torque = { field_type: 'Numeric Input', label: 'Torque', options: open };

interface Saved {
  guideid: number;
  stepid: number;
  form: StepForm;
}

async function made(...fields: object[]): Promise<Saved> {
  const guide = await makeGuide(ana);
  const answer = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return { guideid: guide.guideid, stepid: stepAt(guide, 0), form: answer.body };
}

/** Saves the fields of a form again, as `change` returns them. */
async function again(
  { stepid, form }: Saved,
  change: (field: StepForm['fields'][number]) => object,
): Promise<{ status: number; body: StepForm }> {
  const { form_revisionid, fields } = form;
  return ana.call('POST', `/step_forms/${stepid}`, { form_revisionid, fields: fields.map(change) });
}

/** What a client sends that knows only the documented properties. */
function documented(field: StepForm['fields'][number]): object {
  const { field_revisionid, field_guid, field_type, label, placeholder, textarea, required, options } = field;
  return { field_revisionid, field_guid, field_type, label, placeholder, textarea, required, options };
}

function idOf({ form }: Saved, label: string): number {
  return must(
    form.fields.find((one) => one.label === label),
    label,
  ).field_revisionid;
}

async function started({ guideid }: Saved): Promise<WorkLogEntry> {
  return (await ana.call('POST', '/work_log', { guideid, workorderid: 'WO-7' })).body;
}

type Answer = { status: number; body: WorkLogEntry };

function record(entry: WorkLogEntry, body: object): Promise<Answer> {
  return ana.call('PUT', `/work_log/${entry.entryid}/stepData`, body);
}

test('FIELD-1 a save by a client that does not know an extension keeps it; null removes it', async () => {
  const saved = await made({ ...torque, key: 'm1', unit: ' N·m ', target: 3, tolerance: 0.2 });
  expect(saved.form.fields).toMatchObject([{ key: 'm1', unit: 'N·m', target: 3, tolerance: 0.2 }]);
  const same = await again(saved, documented);
  expect(same).toMatchObject({ status: 200, body: saved.form });
  const renamed = await again(saved, (field) => ({ ...documented(field), label: 'Clamp' }));
  expect(renamed.body.fields).toMatchObject([{ label: 'Clamp', unit: 'N·m', target: 3, tolerance: 0.2 }]);
  const bare = await again({ ...saved, form: renamed.body }, (field) => ({
    ...documented(field),
    unit: null,
  }));
  expect(bare.body.fields[0]).not.toHaveProperty('unit');
  expect(bare.body.fields[0]?.field_revisionid).not.toBe(renamed.body.fields[0]?.field_revisionid);
});

test('FIELD-1 a type that does not use an extension loses it, and an extension that no longer fits is dropped', async () => {
  const saved = await made({ ...torque, unit: 'N·m', target: 3, tolerance: 0.2 });
  const narrowed = await again(saved, (field) => ({
    ...documented(field),
    options: { ...open, limit_max: true, max: 2 },
  }));
  expect(narrowed.status).toBe(200);
  expect(narrowed.body.fields).toEqual([
    expect.not.objectContaining({ target: expect.anything() as unknown }),
  ]);
  expect(narrowed.body.fields[0]).toMatchObject({ unit: 'N·m', options: { max: 2 } });
  const text = await again({ ...saved, form: narrowed.body }, (field) => ({
    ...documented(field),
    field_type: 'Text Input',
    options: [],
  }));
  expect(text.body.fields[0]).not.toHaveProperty('unit');
});

test.each([
  ['a tolerance without a target', { tolerance: 0.2 }],
  ['a negative tolerance', { target: 3, tolerance: -0.2 }],
  ['a target outside of its limits', { target: 3, options: { ...open, limit_max: true, max: 2 } }],
  ['an odd key', { key: '1st' }],
  ['an endless unit', { unit: 'N'.repeat(21) }],
])('a number with %s is 422', async (_, bad) => {
  const guide = await makeGuide(ana);
  const answer = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, {
    fields: [{ ...torque, ...bad }],
  });
  expect(answer.status).toBe(422);
});

test('FIELD-2 a number is flagged when it leaves its tolerance, with its unit', async () => {
  const saved = await made({ ...torque, unit: 'N·m', target: 3, tolerance: 0.2 });
  const entry = await started(saved);
  const inside = await record(entry, { fields: { [idOf(saved, 'Torque')]: '3.2' } });
  const limits = { min: 2.8, max: 3.2 };
  expect(inside.body.work_data).toMatchObject([{ value: '3.2', unit: 'N·m', limits, out_of_limits: false }]);
  const outside = await record(entry, { fields: { [idOf(saved, 'Torque')]: '3.21' } });
  expect(outside.body.work_data).toMatchObject([{ value: '3.21', limits, out_of_limits: true }]);
});

test('a number with a target and no stated limits takes decimals', async () => {
  const saved = await made({ field_type: 'Numeric Input', label: 'Gap', target: 0.25 });
  expect(saved.form.fields).toMatchObject([{ options: { limit_decimals: false } }]);
});

const decimals = { ...open, limit_decimals: true, decimals: 2, limit_max: true, max: 3.05 };
const readings = ['m1', 'm2', 'm3'].map((key) => ({ ...torque, label: key, key }));
const average = { ...torque, label: 'Average', computed: 'avg(m1, m2, m3)', options: decimals, unit: 'N·m' };

test('FIELD-6 the server computes a value from others, flags it, and forgets it with them', async () => {
  const saved = await made(average, ...readings);
  expect(saved.form.fields[0]).toMatchObject({ computed: 'avg(m1, m2, m3)', required: false });
  const entry = await started(saved);
  const two = await record(entry, { fields: { [idOf(saved, 'm1')]: 3, [idOf(saved, 'm2')]: '3.1' } });
  expect(two.body.work_data.map(({ label }) => label)).toEqual(['m1', 'm2']);
  const three = await record(entry, { fields: { [idOf(saved, 'm3')]: '3.1' } });
  expect(three.body.work_data.at(-1)).toMatchObject({
    label: 'Average',
    value: '3.07',
    unit: 'N·m',
    computed: true,
    out_of_limits: true,
  });
  const less = await record(entry, { fields: { [idOf(saved, 'm1')]: '' } });
  expect(less.body.work_data.find(({ label }) => label === 'Average')).toMatchObject({ value: '' });
});

test('FIELD-6 what a client sends for a computed field is not its value, and is never refused', async () => {
  const saved = await made(average, ...readings);
  const entry = await started(saved);
  const alone = await record(entry, { fields: { [idOf(saved, 'Average')]: 'about three' } });
  expect(alone).toMatchObject({ status: 200, body: { work_data: [] } });
  const fields = Object.fromEntries(readings.map(({ key }) => [idOf(saved, key), 2]));
  const all = await record(entry, { fields: { ...fields, [idOf(saved, 'Average')]: '9.9' } });
  expect(all.body.work_data.at(-1)).toMatchObject({ label: 'Average', value: '2.00' });
});

test('FIELD-6 a computed value out of limits is reported when the order is finished', async () => {
  const saved = await made(average, ...readings);
  const entry = await started(saved);
  await record(entry, { fields: Object.fromEntries(readings.map(({ key }) => [idOf(saved, key), 4])) });
  await ana.call('POST', `/work_log/${entry.entryid}/finish`, {});
  const { body } = await ana.call('GET', `/deviations?entryid=${entry.entryid}`);
  expect(body).toMatchObject([{ title: 'Average', value: { value: '4.00', computed: true } }]);
});

test('FIELD-6 the revision that a client names counts, also after the form changed', async () => {
  const saved = await made(average, ...readings);
  const entry = await started(saved);
  const changed = await again(saved, (field) =>
    field.label === 'Average' ? { ...field, computed: 'max(m1, m2, m3)' } : field,
  );
  expect(changed.status).toBe(200);
  const fields = Object.fromEntries(readings.map(({ key }, at) => [idOf(saved, key), at]));
  const old = await record(entry, { fields: { ...fields, [idOf(saved, 'Average')]: '' } });
  expect(old.body.work_data.at(-1)).toMatchObject({
    value: '1.00',
    field_revisionid: idOf(saved, 'Average'),
  });
  const now = await record(entry, { fields });
  expect(now.body.work_data.at(-1)).toMatchObject({
    value: '2.00',
    field_revisionid: idOf({ ...saved, form: changed.body }, 'Average'),
  });
});

test('FIELD-1 a client that removes a number of an expression leaves a plain number', async () => {
  const saved = await made(average, ...readings);
  const fields = saved.form.fields.filter(({ label }) => label !== 'm2').map(documented);
  const { form_revisionid } = saved.form;
  const less = await ana.call('POST', `/step_forms/${saved.stepid}`, { form_revisionid, fields });
  expect(less.status).toBe(200);
  expect((less.body as StepForm).fields[0]).not.toHaveProperty('computed');
});

test.each([
  ['an unknown key', [{ ...average, computed: 'm1 + m9' }]],
  ['a text as a number', [average, { field_type: 'Text Input', label: 'm1', key: 'm1' }]],
  ['a broken expression', [{ ...average, computed: 'avg(m1,' }]],
  ['itself', [{ ...average, key: 'x', computed: 'x + m1' }]],
  [
    'a circle',
    [
      { ...average, key: 'x', computed: 'y' },
      { ...average, key: 'y', computed: 'x' },
    ],
  ],
  ['a key that another field has', [{ ...torque, key: 'm1' }]],
  ['the name of a function as key', [{ ...torque, key: 'avg' }]],
])('FIELD-7 a form whose field has %s is 422', async (_, bad) => {
  const guide = await makeGuide(ana);
  const rest = readings.slice(bad.length > 1 ? 1 : 0);
  const answer = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields: [...rest, ...bad] });
  expect(answer.status).toBe(422);
});

test('FIELD-1 devices of protocol 5 get a plain field and a plain value', async () => {
  const saved = await made({ ...torque, key: 'm1', unit: 'N·m', target: 3, tolerance: 0.2 });
  const entry = await started(saved);
  await record(entry, { fields: { [idOf(saved, 'Torque')]: '3' } });
  const forms = await seenBy(server, ana, 'stepForms');
  const own = forms.find(({ id }) => id === String(saved.stepid))?.doc;
  expect(own).toMatchObject({ fields: [documented(must(saved.form.fields[0], 'the field'))] });
  for (const collection of ['stepForms', 'workLog'] as const) {
    const rows = JSON.stringify(await seenBy(server, ana, collection));
    for (const name of ['unit', 'target', 'tolerance']) expect(rows).not.toContain(`"${name}":`);
  }
});
