import { afterEach, expect, test } from 'vitest';

import type { DesignedForm } from '#desktop/engine/areas/step-forms.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { type DesignedField, newFieldGuid } from '#shared/rules/form-design.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Shop {
  net: { isOn: boolean };
  device: WholeDevice;
  guideid: string;
  stepid: number;
  ben: TestPerson;
  /** The form on the server. */
  onServer: () => Promise<StepForm | null>;
  /** Saves as Ben does in another app. */
  asBen: (change: (form: StepForm) => object[]) => Promise<void>;
  /** The form as Ana's device shows it. */
  look: (step?: string) => Promise<DesignedForm>;
  /** Resolves when the device shows such a form. */
  shows: (isSo: (form: DesignedForm) => boolean) => Promise<DesignedForm>;
  save: (change: (fields: DesignedField[]) => DesignedField[], began?: DesignedForm) => Promise<void>;
}

/** Ana's device with a guide whose first step has a form, and Ben, who may change it too. */
async function shop(hasForm = true): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const guide = await makeGuide(ana);
  if (hasForm) await makeForm(ana, guide);
  const net = { isOn: true };
  const device = await startWholeDevice(() => (net.isOn ? server.url : null), newDisk());
  closing.push(device);
  await device.signIn('Ana');
  await device.inSync();
  const guideid = String(guide.guideid);
  const stepid = stepAt(guide, 0);
  await device.actions.openDraft(guideid);
  const key = must((await device.look('draft', guideid))?.content.steps[0], 'the step').key;
  const onServer = async (): Promise<StepForm | null> =>
    (await ben.call('GET', `/step_forms/stepid/${stepid}`)).body as StepForm | null;
  const look = (step = key): Promise<DesignedForm> => device.look('designedForm', guideid, step);
  return {
    net,
    device,
    guideid,
    stepid,
    ben,
    onServer,
    look,
    shows: (isSo) => device.shows(isSo, 'designedForm', guideid, key),
    async asBen(change) {
      const form = (await onServer()) ?? { form_revisionid: 0, fields: [], stepid, guideid: 0 };
      const { form_revisionid } = form;
      const saved = await ben.call('POST', `/step_forms/${stepid}`, {
        form_revisionid,
        fields: change(form),
      });
      expect([saved.status, saved.body]).toMatchObject([200, {}]);
    },
    async save(change, given) {
      const began = given ?? (await look());
      await device.actions.saveStepForm(guideid, key, change(began.fields), began);
    },
  };
}

async function online({ net, device }: Shop): Promise<void> {
  net.isOn = true;
  device.actions.syncNow();
  await device.inSync();
}

const gap: DesignedField = {
  field_guid: newFieldGuid('gap'),
  field_type: 'Numeric Input',
  label: 'Gap',
  placeholder: '',
  textarea: '',
  required: true,
  options: { limit_decimals: false, decimals: 0, limit_min: true, min: 0, limit_max: false, max: 0 },
  unit: 'mm',
  target: 1.5,
  tolerance: 0.2,
};

const labels = (form: { fields: readonly { label: string }[] } | null): string[] =>
  (form?.fields ?? []).map(({ label }) => label);
const renamed = (from: string, label: string) => (fields: DesignedField[]) =>
  fields.map((field) => (field.label === from ? { ...field, label } : field));

test('STEPFORM-3 a form is designed offline, saved twice as one call, and reaches the server', async () => {
  const one = await shop();
  one.net.isOn = false;
  await one.save((fields) => [...fields, gap]);
  await one.save(renamed('Gap', 'Gap at the rest'));
  const waiting = await one.look();
  expect(labels(waiting)).toEqual(['Torque', 'Result', 'Photo', 'Gap at the rest']);
  expect(waiting.state).toBe('queued');
  const activity = await one.device.look('activity');
  expect(activity).toMatchObject([{ kind: 'guide', detail: 'form', subject: 'Belt', guideid: one.guideid }]);
  await online(one);
  expect((await one.onServer())?.fields[3]).toMatchObject({
    label: 'Gap at the rest',
    target: 1.5,
    unit: 'mm',
  });
  expect(await one.look()).toMatchObject({
    state: 'saved',
    fields: (await one.onServer())?.fields.map(({ label }) => ({ label })),
  });
});

test('STEPFORM-3 what a field no longer has is removed on the server', async () => {
  const one = await shop();
  await one.save((fields) => [...fields, gap]);
  await online(one);
  const { target: _t, tolerance: _o, ...bare } = gap;
  await one.save((fields) =>
    fields.map((f) => (f.label === 'Gap' ? { ...bare, field_guid: f.field_guid } : f)),
  );
  await online(one);
  const saved = must((await one.onServer())?.fields[3], 'the gap');
  expect([saved.unit, saved.target, saved.tolerance]).toEqual(['mm', undefined, undefined]);
});

test('STEPFORM-3 two authors who change one form at the same time lose nothing', async () => {
  const one = await shop();
  one.net.isOn = false;
  await one.save((fields) => [...renamed('Torque', 'Torque (Nm)')(fields), gap]);
  await one.asBen(({ fields }) => [
    ...fields.map((field) => (field.label === 'Result' ? { ...field, options: ['ok', 'not ok'] } : field)),
    { field_type: 'Text Area', label: 'Notes' },
  ]);
  await online(one);
  const form = must(await one.onServer(), 'the form');
  expect(labels(form).toSorted()).toEqual(['Gap', 'Notes', 'Photo', 'Result', 'Torque (Nm)']);
  expect(form.fields.find(({ label }) => label === 'Result')?.options).toEqual(['ok', 'not ok']);
});

test('STEPFORM-2 STEPFORM-3 two first forms of a step are merged', async () => {
  const one = await shop(false);
  one.net.isOn = false;
  await one.save(() => [gap]);
  await one.asBen(() => [{ field_type: 'Image', label: 'Photo' }]);
  await online(one);
  expect(labels(await one.onServer()).toSorted()).toEqual(['Gap', 'Photo']);
});

test('STEPFORM-3 an edit that began before others saved is merged with what they saved', async () => {
  const one = await shop();
  const began = await one.look();
  await one.asBen(({ fields }) => fields.slice(0, 2));
  one.device.actions.syncNow();
  await one.shows(({ fields }) => fields.length === 2);
  await one.save(renamed('Torque', 'Tightened to'), began);
  await online(one);
  expect(labels(await one.onServer())).toEqual(['Tightened to', 'Result']);
});

test('MERGE-96 STEPFORM-3 a contradiction is kept until the person has chosen, and the newer save replaces it', async () => {
  const one = await shop();
  one.net.isOn = false;
  await one.save((fields) => [...renamed('Torque', 'Mine')(fields), gap]);
  await one.asBen(({ fields }) => fields.map((f) => (f.label === 'Torque' ? { ...f, label: 'Theirs' } : f)));
  one.net.isOn = true;
  one.device.actions.syncNow();
  const refused = await one.shows(({ state, conflicts }) => state === 'refused' && conflicts.length === 1);
  expect(labels(refused)).toEqual(['Theirs', 'Result', 'Photo', 'Gap']);
  expect(refused.conflicts).toMatchObject([{ mine: 'Mine', theirs: 'Theirs', property: 'label' }]);
  expect(await one.device.look('activity')).toMatchObject([{ state: 'parked' }]);
  await one.save(renamed('Theirs', 'Mine'), refused);
  await online(one);
  expect(labels(await one.onServer())).toEqual(['Mine', 'Result', 'Photo', 'Gap']);
  expect((await one.device.look('activity')).filter(({ state }) => state === 'parked')).toEqual([]);
});

test('STEPFORM-1 what the server would refuse is refused on the device, in the same words, and nothing is sent', async () => {
  const one = await shop();
  const twice = [' M', 'M '];
  const odd: Partial<DesignedField>[] = [
    { label: '  ' },
    { target: undefined },
    { options: { limit_decimals: false, decimals: 0, limit_min: true, min: 2, limit_max: true, max: 1 } },
    { computed: 'a +' },
    { computed: 'nobody * 2' },
    { field_type: 'Radios', options: twice },
    { field_type: 'Select', options: [] },
    { field_type: 'Text Input', options: [], pattern: '(' },
  ] as Partial<DesignedField>[];
  for (const change of odd) {
    const field = { ...gap, ...change };
    const { field_guid: _, ...body } = field;
    const { form_revisionid } = must(await one.onServer(), 'the form');
    const refused = await one.ben.call('POST', `/step_forms/${one.stepid}`, {
      form_revisionid,
      fields: [body],
    });
    expect([refused.status, change]).toEqual([422, change]);
    const saving = one.save(() => [field]);
    await expect(saving, JSON.stringify(change)).rejects.toMatchObject({ code: 'invalid' });
  }
  expect(await one.device.look('activity')).toEqual([]);
});

test('STEPFORM-3 the form of a new step waits for its step', async () => {
  const one = await shop();
  one.net.isOn = false;
  const { actions } = one.device;
  const key = 'tmp:00000000-0000-4000-8000-000000000001';
  await actions.openDraft(one.guideid);
  const step = {
    key,
    title: 'Measure',
    lines: [],
    media: { type: 'image', data: [] },
    time_estimate: 0,
  } as const;
  await actions.editDraft(one.guideid, {
    op: 'insertStep',
    step: { ...step, lines: [], media: { type: 'image', data: [] } },
    index: 0,
  });
  const empty = await one.look(key);
  expect(empty).toMatchObject({ isStepSaved: false, fields: [] });
  await expect(actions.saveStepForm(one.guideid, key, [gap], empty)).rejects.toMatchObject({
    code: 'invalid',
  });
  await actions.saveDraft(one.guideid);
  await actions.saveStepForm(one.guideid, key, [gap], await one.look(key));
  await online(one);
  const forms = (await one.ben.call('GET', `/step_forms/guideid/${one.guideid}`)).body as StepForm[];
  expect(forms.map(labels).flat()).toContain('Gap');
});
