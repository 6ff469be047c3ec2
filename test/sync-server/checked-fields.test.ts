import { afterAll, beforeAll, expect, test } from 'vitest';

import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { makeGuide, stepAt, workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

type Answer = { status: number; body: WorkLogEntry };

interface Running {
  entryid: number;
  /** Records a value in the only field of the form. */
  record: (value: string | number, details?: object) => Promise<Answer>;
  field_revisionid: number;
}

/** A running order of a guide whose form has this field. */
async function running(field: object): Promise<Running> {
  const guide = await makeGuide(ana);
  const saved = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields: [field] });
  expect([saved.status, saved.body]).toMatchObject([200, { fields: [field] }]);
  const { field_revisionid } = must((saved.body as StepForm).fields[0], 'the field');
  const started = await ana.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO-7' });
  const { entryid } = started.body as WorkLogEntry;
  const record = (value: string | number, details?: object): Promise<Answer> =>
    ana.call('PUT', `/work_log/${entryid}/stepData`, {
      fields: { [field_revisionid]: value },
      ...(details === undefined ? {} : { details: { [field_revisionid]: details } }),
    });
  return { entryid, record, field_revisionid };
}

async function photo(): Promise<number> {
  const { default: sharp } = await import('sharp');
  const body = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const made = await workshopClient(server, ana).media.addImage({
    query: { file: 'photo.png' },
    body: new Uint8Array(body),
  });
  return made.image.id;
}

test('FIELD-3 a failed check is flagged, keeps its reason, and loses it with another answer', async () => {
  const check = { field_type: 'Checkbox', label: 'Guard closed', reason_when_failed: true };
  const { record } = await running(check);
  const failed = await record('0');
  expect(failed.body.work_data).toMatchObject([{ value: '0', failed: true }]);
  expect(failed.body.work_data[0]).not.toHaveProperty('reason');
  const told = await record('0', { reason: ' The hinge is bent ' });
  expect(told.body.work_data).toMatchObject([{ failed: true, reason: 'The hinge is bent' }]);
  // A client that does not know reasons sends the answer again.
  const same = await record('0');
  expect(same.body.work_data).toMatchObject([{ failed: true, reason: 'The hinge is bent' }]);
  const passed = await record('1');
  expect(passed.body.work_data[0]).not.toHaveProperty('failed');
  expect((await record('0')).body.work_data[0]).not.toHaveProperty('reason');
});

test('FIELD-3 the reason belongs to the deviation that finishing reports', async () => {
  const check = { field_type: 'Radios', label: 'Cover', options: ['Pass', 'Fail'], reason_when_failed: true };
  const { entryid, record } = await running(check);
  await record('Fail', { reason: 'A crack' });
  const finished = await ana.call('POST', `/work_log/${entryid}/finish`, {});
  expect(finished.body).toMatchObject({ has_deviations: true });
  const { body } = await ana.call('GET', `/deviations?entryid=${entryid}`);
  expect(body).toMatchObject([{ title: 'Cover', value: { value: 'Fail', failed: true, reason: 'A crack' } }]);
});

test('FIELD-3 an unticked checkbox without the extension is no failure', async () => {
  const { record } = await running({ field_type: 'Checkbox', label: 'Clean' });
  expect((await record('0', { reason: 'none' })).body.work_data).toEqual([
    expect.not.objectContaining({ failed: true, reason: 'none' }),
  ]);
});

test('FIELD-4 the first photo is the value, further ones stay until a call names them', async () => {
  const [first, second, third] = [await photo(), await photo(), await photo()];
  const { record } = await running({ field_type: 'Image', label: 'Photos', max_photos: 3 });
  const saved = await record(first, { more_photos: [second] });
  expect(saved.body.work_data).toMatchObject([
    {
      value: String(first),
      image_src: { id: first },
      more_photos: [String(second)],
      more_photos_src: [{ id: second }],
    },
  ]);
  // A client that knows only the documented value replaces the first photo.
  const replaced = await record(third);
  expect(replaced.body.work_data).toMatchObject([{ value: String(third), more_photos: [String(second)] }]);
  const one = await record(third, { more_photos: [] });
  expect(one.body.work_data[0]).not.toHaveProperty('more_photos');
  await record(third, { more_photos: [first, third, first] });
  const cleared = await record('');
  expect(cleared.body.work_data[0]).not.toHaveProperty('more_photos');
});

test('FIELD-4 too many photos and photos of others are refused', async () => {
  const own = [await photo(), await photo(), await photo()];
  const { record } = await running({ field_type: 'Image', label: 'Photos', max_photos: 2 });
  const many = await record(own[0] ?? 0, { more_photos: own.slice(1) });
  expect(many).toMatchObject({ status: 422, body: { message: 'Photos takes at most 2 photos' } });
  expect((await record(own[0] ?? 0, { more_photos: [999_999] })).status).toBe(422);
  const single = await running({ field_type: 'Image', label: 'Photo' });
  expect((await single.record(own[0] ?? 0, { more_photos: [own[1]] })).status).toBe(422);
});

test('details of a field without a value are 422', async () => {
  const { entryid, field_revisionid } = await running({ field_type: 'Checkbox', label: 'Clean' });
  const answer = await ana.call('PUT', `/work_log/${entryid}/stepData`, {
    fields: {},
    details: { [field_revisionid]: { reason: 'x' } },
  });
  expect(answer.status).toBe(422);
});

test('FIELD-5 a code that does not match its pattern is recorded and flagged', async () => {
  const code = { field_type: 'Text Input', label: 'Serial', format: 'barcode', pattern: 'SN-\\d{4}|X' };
  const { record } = await running(code);
  expect((await record('SN-12345')).body.work_data).toMatchObject([{ value: 'SN-12345', failed: true }]);
  expect((await record('SN-1234')).body.work_data[0]).not.toHaveProperty('failed');
  expect((await record('')).body.work_data[0]).not.toHaveProperty('failed');
  expect((await record('X'.repeat(201))).body.work_data).toMatchObject([{ failed: true }]);
});

test.each([
  ['no regular expression', { field_type: 'Text Input', pattern: '(' }],
  ['a pattern that could take forever', { field_type: 'Text Input', pattern: '(a+)+b' }],
  ['an unknown format', { field_type: 'Text Input', format: 'smell' }],
  ['one photo at most', { field_type: 'Image', max_photos: 1 }],
  ['too many photos', { field_type: 'Image', max_photos: 21 }],
])('a field with %s is 422', async (_, bad) => {
  const guide = await makeGuide(ana);
  const fields = [{ label: 'Field', ...bad }];
  expect((await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields })).status).toBe(422);
});
