import { expect, test } from 'vitest';

import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { movieFile } from '#test/support/media-files.ts';
import { makeForm, makeGuide, stepAt, workshopClient } from '#test/support/workshop.ts';

import { ana, ben, fieldId, guide, move, server, start, upload } from './world.ts';

/** Values recorded at a step. */
export function testValues(): void {
  test('values are strings, checked against their field, and can be overwritten', async () => {
    const entry = await start(ben);
    const photo = await upload(ben);
    const saved = await move(ben, entry, 'stepData', {
      fields: { [fieldId('Torque')]: 12.5, [fieldId('Result')]: 'pass', [fieldId('Photo')]: photo },
      lasttimingid: entry.timingid,
    });
    const common = { stepid: stepAt(guide, 0), step_number: 1 };
    expect([saved.status, saved.body.work_data]).toMatchObject([
      200,
      [
        {
          label: 'Torque',
          value: '12.5',
          field_revisionid: fieldId('Torque'),
          field_type: 'Numeric Input',
          ...common,
        },
        { label: 'Result', value: 'pass', field_type: 'Radios', ...common },
        { label: 'Photo', value: String(photo), field_type: 'Image', image_src: { id: photo }, ...common },
      ],
    ]);
    const again = await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: '13' } });
    expect(again.body.work_data.map((one) => one.value)).toEqual(['13', 'pass', String(photo)]);
  });

  test('WORK-LOG-1 a video record has its address and its poster picture', async () => {
    const own = await makeGuide(ana);
    const fields = [{ field_type: 'Video', label: 'Run-out' }];
    const asked = await ana.call('POST', `/step_forms/${stepAt(own, 0)}`, { fields });
    const field = must((asked.body as StepForm).fields[0], 'the field').field_revisionid;
    const film = await workshopClient(server, ben).media.addVideo({
      query: { file: 'run-out.mp4' },
      body: movieFile('isom'),
    });
    const entry = await start(ben, { guideid: own.guideid });
    const saved = await move(ben, entry, 'stepData', { fields: { [field]: film.videoid } });
    const [value] = saved.body.work_data;
    const url = must(film.encodings[0], 'an encoding').url;
    expect(value).toMatchObject({
      field_type: 'Video',
      value: String(film.videoid),
      video_src: url,
      video_data: {
        type: 'GuideVideoObject',
        videoid: film.videoid,
        srcid: null,
        active: true,
        imageid: film.image?.image.id,
        video_urls: { mp4_720: url },
        mini: film.image?.image.mini,
        '140x105': film.image?.image['140x105'],
      },
    });
  });

  test('bad values are 422, each with its reason', async () => {
    const entry = await start(ben);
    const theirs = await upload(ana);
    const refused = await ben.call('PUT', `/work_log/${entry.entryid}/stepData`, {
      fields: {
        [fieldId('Torque')]: 'much',
        [fieldId('Result')]: 'perhaps',
        [fieldId('Photo')]: theirs,
        999999: 'x',
      },
    });
    expect(refused.status).toBe(422);
    expect((refused.body as { errors: { message: string }[] }).errors.map((error) => error.message)).toEqual([
      'Torque is a number such as 12.5',
      'Result is one of: pass, fail',
      'Photo: the file is not in your media manager',
      'The guide never had this field',
    ]);
    expect((await ben.call('GET', `/work_log/${entry.entryid}`)).body).toMatchObject({ work_data: [] });
  });

  test('WORK-LOG-3 a value out of limits is recorded with the limits of its form revision, and flagged', async () => {
    const entry = await start(ben);
    const outside = { value: '99', limits: { min: 0, max: 40 }, out_of_limits: true };
    const saved = await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: '99' } });
    expect(saved).toMatchObject({ status: 200, body: { work_data: [outside] } });
    const corrected = await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: '40' } });
    expect(corrected.body.work_data).toMatchObject([{ ...outside, value: '40', out_of_limits: false }]);
    const plain = await move(ben, entry, 'stepData', { fields: { [fieldId('Result')]: 'fail' } });
    expect(plain.body.work_data.at(-1)).not.toHaveProperty('limits');
  });

  test('WORK-LOG-2 finishing keeps each required field without a value, with the reason or without one', async () => {
    const gap = (label: string, reason: string | null) => ({
      field_revisionid: fieldId(label),
      field_guid: expect.any(String) as string,
      label,
      stepid: stepAt(guide, 0),
      reason,
    });
    const bare = await start(ben);
    await move(ben, bare, 'stepData', { fields: { [fieldId('Torque')]: 12 } });
    const done = await move(ben, bare, 'finish', {});
    expect(done).toMatchObject({ status: 200, body: { status: 'complete', has_deviations: true } });
    expect(done.body.gaps).toEqual([gap('Photo', null)]);

    const told = await start(ben);
    const reasons = [
      { field_revisionid: fieldId('Photo'), reason: ' The camera is broken ' },
      { field_revisionid: fieldId('Result'), reason: 'It may be left empty' },
      { field_revisionid: 999_999, reason: 'There is no such field' },
    ];
    const finished = await move(ben, told, 'finish', { gaps: reasons });
    expect(finished.body.gaps).toEqual([gap('Torque', null), gap('Photo', 'The camera is broken')]);
    expect((await ben.call('GET', `/work_log/${told.entryid}`)).body).toMatchObject(finished.body);

    const whole = await start(ben);
    const fields = { [fieldId('Torque')]: 12, [fieldId('Photo')]: await upload(ben) };
    expect((await move(ben, whole, 'stepData', { fields })).body).not.toHaveProperty('gaps');
    expect((await move(ben, whole, 'finish', {})).body).toMatchObject({ gaps: [], has_deviations: false });

    const outside = await start(ben);
    await move(ben, outside, 'stepData', { fields: { ...fields, [fieldId('Torque')]: 41 } });
    expect((await move(ben, outside, 'finish', {})).body).toMatchObject({ gaps: [], has_deviations: true });

    const empty = await start(ben);
    const refused = await move(ben, empty, 'finish', { gaps: [{ ...reasons[0], reason: '  ' }] });
    expect(refused.status).toBe(422);
  });

  test('WORK-LOG-4 a suspension keeps a note for the next person; the last one counts', async () => {
    // Other tests expect no further suspended entry of the shared guide.
    const { guideid } = await makeGuide(ana);
    const entry = await start(ben, { guideid });
    expect((await move(ben, entry, 'suspend', { note: ' Mind the spring ' })).body.handover).toMatchObject({
      note: 'Mind the spring',
    });
    const taken = await move(ana, entry, 'assume', {});
    expect(taken.body.handover).toEqual({
      note: 'Mind the spring',
      userid: ben.userid,
      at: expect.any(Number) as number,
    });
    expect((await move(ana, entry, 'suspend', {})).body).not.toHaveProperty('handover');
  });

  test("a field of another guide is refused; an older revision of this guide's field is accepted", async () => {
    const other = await makeGuide(ana);
    const otherForm = await makeForm(ana, other);
    const entry = await start(ben, { guideid: other.guideid });
    const torque = must(otherForm.fields[0], 'the torque').field_revisionid;
    const edited = await ana.call('POST', `/step_forms/${stepAt(other, 0)}`, {
      fields: otherForm.fields.map((one) => ({ ...one, label: `${one.label}!` })),
      form_revisionid: otherForm.form_revisionid,
    });
    expect(edited.status).toBe(200);
    expect((await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 1 } })).status).toBe(422);
    const saved = await move(ben, entry, 'stepData', { fields: { [torque]: 1 } });
    expect(saved.body.work_data).toMatchObject([{ label: 'Torque', value: '1' }]);
  });
}
