import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

import { ana, ben, endWorld, move, start, startWorld } from './work-log/world.ts';

beforeAll(startWorld);
afterAll(endWorld);

/** A guide with a form, and the field of its photo. */
async function guideWithPhoto(): Promise<{ own: Guide; form: StepForm; photo: StepForm['fields'][number] }> {
  const own = await makeGuide(ana);
  const form = await makeForm(ana, own);
  const photo = must(
    form.fields.find(({ label }) => label === 'Photo'),
    'the photo',
  );
  return { own, form, photo };
}

test('WORK-LOG-2 a reason is kept when its step left the guide before the order was finished', async () => {
  const { own, photo } = await guideWithPhoto();
  const entry = await start(ben, { guideid: own.guideid });
  const stepid = stepAt(own, 0);
  const { body } = await ana.call('GET', `/guides/${own.guideid}`);
  const step = must(
    (body as Guide).steps.find((one) => one.stepid === stepid),
    'the step',
  );
  const removed = await ana.call(
    'DELETE',
    `/guides/${own.guideid}/steps/${stepid}?revisionid=${step.revisionid}`,
  );
  expect(removed.status).toBeLessThan(300);
  const gaps = [{ field_revisionid: photo.field_revisionid, reason: 'The camera is broken' }];
  const { field_revisionid, field_guid, label } = photo;
  // The order was worked by the revision that has the step, so its other required field is a gap, too (WORK-REVISION-3).
  expect((await move(ben, entry, 'finish', { gaps })).body.gaps).toEqual([
    expect.objectContaining({ label: 'Torque', stepid, reason: null }),
    { field_revisionid, field_guid, label, stepid, reason: 'The camera is broken' },
  ]);
});

test('WORK-LOG-2 a reason is kept when its field became optional before the order was finished', async () => {
  const { own, form, photo } = await guideWithPhoto();
  const entry = await start(ben, { guideid: own.guideid });
  const fields = form.fields.map(({ field_revisionid, field_guid, field_type, label, options }) => {
    return { field_revisionid, field_guid, field_type, label, options, required: false };
  });
  const { form_revisionid } = form;
  await ana.call('POST', `/step_forms/${stepAt(own, 0)}`, { form_revisionid, fields });
  const gaps = [{ field_revisionid: photo.field_revisionid, reason: 'The camera is broken' }];
  expect((await move(ben, entry, 'finish', { gaps })).body.gaps).toMatchObject([
    { label: 'Torque', reason: null },
    { label: 'Photo', reason: 'The camera is broken' },
  ]);
});

test('WORK-LOG-2 a reason that names a field of another guide is not part of the record', async () => {
  const { photo } = await guideWithPhoto();
  const entry = await start(ben, { guideid: (await makeGuide(ana)).guideid });
  const gaps = [{ field_revisionid: photo.field_revisionid, reason: 'Another guide' }];
  expect((await move(ben, entry, 'finish', { gaps })).body.gaps).toEqual([]);
});
