import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { FormField, StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { makeForm, makeGuide, seenBy, stepAt, workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let reader: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  reader = await server.person('Rita', ['User']);
});
afterAll(() => server[Symbol.asyncDispose]());

function field(form: StepForm, label: string): FormField {
  return must(
    form.fields.find((one) => one.label === label),
    label,
  );
}

async function guideWithForm(isPublic = true): Promise<{ guide: Guide; stepid: number; form: StepForm }> {
  const guide = await makeGuide(ana, isPublic);
  return { guide, stepid: stepAt(guide, 0), form: await makeForm(ana, guide) };
}

test('a step without a form answers null, an unknown step 404', async () => {
  const guide = await makeGuide(ana);
  const without = await fetch(`${server.url}/api/2.0/step_forms/stepid/${stepAt(guide, 1)}`);
  expect([without.status, await without.text()]).toEqual([200, 'null']);
  expect((await ana.call('GET', '/step_forms/stepid/999999')).status).toBe(404);
});

test('a saved form is found by step, guide, form revision and field revision', async () => {
  const { guide, stepid, form } = await guideWithForm();
  const client = workshopClient(server, reader).stepForms;
  expect(form.fields.map((one) => one.field_type)).toEqual(['Numeric Input', 'Radios', 'Image']);
  expect(await client.ofStep({ params: { stepid } })).toEqual(form);
  expect(await client.ofGuide({ params: { guideid: guide.guideid } })).toEqual([form]);
  expect(await client.ofFormRevision({ params: { form_revisionid: form.form_revisionid } })).toEqual(form);
  const { field_revisionid } = field(form, 'Result');
  expect(await client.ofFieldRevision({ params: { field_revisionid } })).toEqual(form);
});

test('forms of prerequisites are listed with the guide', async () => {
  const { guide, form } = await guideWithForm();
  const dependent = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Motor',
      prerequisites: [guide.guideid],
      public: true,
    },
  });
  const forms = await workshopClient(server, ana).stepForms.ofGuide({
    params: { guideid: dependent.guideid },
  });
  expect(forms).toEqual([form]);
});

test('a field keeps its guid, and its revision unless it changed', async () => {
  const { stepid, form } = await guideWithForm();
  const fields = form.fields.map((one) => (one.label === 'Torque' ? { ...one, label: 'Torque (Nm)' } : one));
  const saved = await ana.call('POST', `/step_forms/${stepid}`, {
    fields: [
      ...fields,
      { field_guid: 'temporary-id', field_type: 'Text Area', label: 'Notes', textarea: 'None' },
    ],
    form_revisionid: form.form_revisionid,
  });
  expect(saved.status).toBe(200);
  const next: StepForm = saved.body;
  expect(next.form_revisionid).toBeGreaterThan(form.form_revisionid);
  expect(field(next, 'Result')).toEqual(field(form, 'Result'));
  expect(field(next, 'Torque (Nm)').field_guid).toBe(field(form, 'Torque').field_guid);
  expect(field(next, 'Torque (Nm)').field_revisionid).toBeGreaterThan(field(form, 'Torque').field_revisionid);
  expect(field(next, 'Notes').field_guid).toMatch(/^[0-9a-f]{18}$/);
  const client = workshopClient(server, reader).stepForms;
  const old = { params: { field_revisionid: field(form, 'Torque').field_revisionid } };
  expect(await client.ofFieldRevision(old)).toEqual(form);
  const kept = { params: { field_revisionid: field(form, 'Result').field_revisionid } };
  expect(await client.ofFieldRevision(kept)).toEqual(next);
});

test('an unchanged form keeps its revision', async () => {
  const { stepid, form } = await guideWithForm();
  const again = await ana.call('POST', `/step_forms/${stepid}?form_revisionid=${form.form_revisionid}`, {
    fields: form.fields,
  });
  expect(again.body).toEqual(form);
});

test('saving over another form answers 409 with the current one', async () => {
  const { stepid, form } = await guideWithForm();
  const client = workshopClient(server, ana).stepForms;
  const next = await client.save({
    params: { stepid },
    body: { fields: form.fields.slice(1), form_revisionid: form.form_revisionid },
  });
  const late = await ana.call('POST', `/step_forms/${stepid}`, {
    fields: form.fields,
    form_revisionid: form.form_revisionid,
  });
  expect([late.status, late.body]).toEqual([409, next]);
});

test('properties that a field type does not use are cleared, and some types are never required', async () => {
  const guide = await makeGuide(ana);
  const { body } = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, {
    fields: [
      { title: 'Checkbox', label: 'Clean', required: true, placeholder: true },
      {
        field_type: 'Radios',
        label: 'Result',
        required: true,
        options: [' pass ', '', 'fail'],
        textarea: 'x',
      },
      { field_type: 'Numeric Input', label: 'Count' },
      { field_type: 'Text Input', label: 'Serial', placeholder: 'A-1', textarea: 'ignored', required: false },
    ],
  });
  const unused = { textarea: '', placeholder: '' };
  expect((body as StepForm).fields).toMatchObject([
    { field_type: 'Checkbox', required: false, options: [], textarea: '', placeholder: '1' },
    { field_type: 'Radios', required: false, options: ['pass', 'fail'], ...unused },
    {
      required: true,
      options: { limit_decimals: true, decimals: 0, limit_min: false, limit_max: false },
      ...unused,
    },
    { required: false, placeholder: 'A-1', textarea: '' },
  ]);
});

test.each([
  ['a choice without choices', { field_type: 'Select', label: 'Size', options: [' '] }],
  ['two equal choices', { field_type: 'Radios', label: 'Size', options: ['M', ' M'] }],
  [
    'crossed limits',
    {
      field_type: 'Numeric Input',
      label: 'N',
      options: { limit_decimals: false, decimals: 0, limit_min: true, min: 2, limit_max: true, max: 1 },
    },
  ],
  ['no type', { label: 'Size' }],
  ['an unknown guid', { field_type: 'Image', label: 'Photo', field_guid: 'nobody-knows' }],
])('a field with %s is 422 and its place is named', async (_, bad) => {
  const guide = await makeGuide(ana);
  const refused = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, {
    fields: [{ field_type: 'Image', label: 'First' }, bad],
  });
  expect(refused.status).toBe(422);
  expect((refused.body as { errors: object[] }).errors).toMatchObject([{ field: 'fields', index: 1 }]);
});

test('refusals come in order: 401, 404, 403, 422, 409', async () => {
  const { guide, stepid, form } = await guideWithForm();
  const hidden = await guideWithForm(false);
  const path = `/step_forms/${stepid}`;
  const anonymous = await fetch(`${server.url}/api/2.0${path}`, { method: 'POST', body: '{"bad":1}' });
  expect(anonymous.status).toBe(401);
  expect((await ben.call('POST', `/step_forms/${hidden.stepid}`, { bad: 1 })).status).toBe(404);
  expect((await ben.call('GET', `/step_forms/guideid/${hidden.guide.guideid}`)).status).toBe(404);
  expect((await ben.call('GET', `/step_forms/form_revisionid/${hidden.form.form_revisionid}`)).status).toBe(
    404,
  );
  expect((await reader.call('POST', path, { bad: 1 })).status).toBe(403);
  expect((await ben.call('POST', path, { fields: form.fields })).status).toBe(422);
  expect((await ben.call('POST', path, { fields: [{ label: 'No type' }], form_revisionid: 1 })).status).toBe(
    422,
  );
  expect(
    (await ben.call('POST', path, { fields: [], form_revisionid: form.form_revisionid + 1000 })).status,
  ).toBe(409);
  expect(guide.public).toBe(true);
});

test('on a site for existing apps, a form is saved by the revisions of its fields', async () => {
  await using site = await startServer({ site: { compatibility: true } });
  await site.category('Bench Grinder');
  const otto = await site.person('Otto');
  const guide = await makeGuide(otto, true);
  const first = await makeForm(otto, guide);
  const save = (fields: object[]): Promise<{ status: number; body: StepForm }> =>
    otto.call('POST', `/step_forms/${first.stepid}`, { fields });
  const added = { field_type: 'Text Area', label: 'Notes', textarea: 'None' };
  const renamed = first.fields.map((one) => ({ ...one, label: `${one.label} again` }));
  const second = await save([...renamed, added]);
  expect(second.status).toBe(200);
  expect(second.body.fields).toHaveLength(4);
  const refused = [
    first.fields,
    [added],
    [],
    second.body.fields.map(({ field_revisionid: _revision, ...one }) => one),
  ];
  for (const fields of refused) expect(await save(fields)).toMatchObject({ status: 409, body: second.body });
  expect((await save(second.body.fields.slice(1))).body.fields).toHaveLength(3);
});

test('a repeated save takes effect once', async () => {
  const guide = await makeGuide(ana);
  const headers = { 'Idempotency-Key': 'form-save-1' };
  const body = { fields: [{ field_type: 'Image', label: 'Photo' }] };
  const first = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, body, headers);
  const second = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, body, headers);
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
});

test('the feed shows a form to everyone who sees the guide, also after it is published', async () => {
  const { guide, stepid, form } = await guideWithForm(false);
  const idsFor = async (person: TestPerson): Promise<string[]> =>
    (await seenBy(server, person, 'stepForms')).map((row) => row.id);
  expect(await idsFor(ben)).not.toContain(String(stepid));
  const rows = await seenBy(server, ana, 'stepForms');
  expect(rows.find((row) => row.id === String(stepid))?.doc).toEqual(form);
  await ana.client.guides.publish({ params: { guideid: guide.guideid }, revisionid: guide.revisionid });
  expect(await idsFor(ben)).toContain(String(stepid));
});

test('STEPFORM-2 revision 0 says that the step had no form: the first save succeeds, a second first one is 409', async () => {
  const guide = await makeGuide(ana);
  const path = `/step_forms/${stepAt(guide, 0)}`;
  const body = { form_revisionid: 0, fields: [{ field_type: 'Image', label: 'Photo' }] };
  const first = await ana.call('POST', path, body);
  expect(first.status).toBe(200);
  const second = await ben.call('POST', path, { ...body, fields: [{ field_type: 'Video', label: 'Sound' }] });
  expect([second.status, second.body]).toEqual([409, first.body]);
});
