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
