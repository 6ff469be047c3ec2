import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Deviation } from '#shared/model/deviations.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { recordInConflict } from '#server/sync/batch.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';
import type { TestPerson } from '#test/support/server.ts';

import {
  admin,
  ana,
  ben,
  cleo,
  endWorld,
  fieldId,
  move,
  server,
  start,
  startWorld,
  upload,
} from './work-log/world.ts';

beforeAll(startWorld);
afterAll(endWorld);

const report = async (person: TestPerson, body: object): Promise<{ status: number; body: Deviation }> =>
  person.call('POST', '/deviations', body);
const list = async (person: TestPerson, query: string): Promise<Deviation[]> =>
  (await person.call('GET', `/deviations?${query}`)).body;
const decide = async (person: TestPerson, { deviationid, revisionid }: Deviation) =>
  person.call('POST', `/deviations/${deviationid}/disposition?revisionid=${revisionid}`, {
    disposition: 'use-as-is',
    reason: 'Checked',
  });
/** Ids of deviations in the feed of a fresh device. */
async function feedOf(person: TestPerson, collection = 'deviations'): Promise<string[]> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?collections=${collection}&protocol=6`, {
    headers: { Authorization: `api ${person.token}` },
  });
  return (await response.text())
    .trim()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as { c: string; id: string })
    .filter(({ c }) => c === collection)
    .map(({ id }) => id);
}

test('DEVIATION-1 when the guide of an offered order becomes private, its deviations leave those who lose the order', async () => {
  const own = await makeGuide(ana);
  const entry = await start(ben, { guideid: own.guideid });
  const { body } = await report(ben, { entryid: entry.entryid, title: 'A dent', note: 'Secret' });
  await move(ben, entry, 'suspend');
  expect(await feedOf(cleo)).toContain(String(body.deviationid));
  await ana.client.guides.unpublish({ params: { guideid: own.guideid }, revisionid: own.revisionid });
  expect((await cleo.call('GET', `/work_log/${entry.entryid}`)).status).toBe(404);
  expect((await cleo.call('GET', `/deviations/${body.deviationid}`)).status).toBe(404);
  expect.soft(await list(cleo, `entryid=${entry.entryid}`)).toEqual([]);
  expect.soft(await feedOf(cleo)).not.toContain(String(body.deviationid));
});

test('DEVIATION-1 when the guide of an offered order is deleted, its deviations leave those who lose the order', async () => {
  const own = await makeGuide(ana);
  const entry = await start(ben, { guideid: own.guideid });
  const { body } = await report(ben, { entryid: entry.entryid, title: 'A dent', note: 'Secret' });
  await move(ben, entry, 'suspend');
  await ana.call('DELETE', `/guides/${own.guideid}?revisionid=${own.revisionid}`);
  expect((await cleo.call('GET', `/work_log/${entry.entryid}`)).status).toBe(404);
  expect.soft(await list(cleo, `entryid=${entry.entryid}`)).toEqual([]);
  expect.soft(await feedOf(cleo)).not.toContain(String(body.deviationid));
});

test('DEVIATION-1 when a guide becomes public again, those who gain an order gain its deviations', async () => {
  const own = await makeGuide(ana, false);
  await ana.call('PUT', `/guides/${own.guideid}/users/${ben.userid}`);
  const entry = await start(ben, { guideid: own.guideid });
  const { body } = await report(ben, { entryid: entry.entryid, title: 'A dent' });
  await move(ben, entry, 'suspend');
  await ana.call('PUT', `/guides/${own.guideid}/public?revisionid=${own.revisionid}`);
  expect((await cleo.call('GET', `/work_log/${entry.entryid}`)).status).toBe(200);
  expect((await cleo.call('GET', `/deviations/${body.deviationid}`)).status).toBe(200);
  expect.soft(await list(cleo, `entryid=${entry.entryid}`)).toHaveLength(1);
  expect.soft(await feedOf(cleo)).toContain(String(body.deviationid));
});

/** A guide whose torque field has been revised while an order runs. */
async function revised(): Promise<{ entry: WorkLogEntry; old: number; now: number; newForm: number }> {
  const own = await makeGuide(ana);
  const form = await makeForm(ana, own);
  const torque = must(
    form.fields.find(({ label }) => label === 'Torque'),
    'torque',
  );
  const entry = await start(ben, { guideid: own.guideid });
  const next = await ana.call('POST', `/step_forms/${stepAt(own, 0)}`, {
    form_revisionid: form.form_revisionid,
    fields: form.fields.map(({ field_revisionid, field_guid, field_type, label, options }) => ({
      field_revisionid,
      field_guid,
      field_type,
      label: label === 'Torque' ? 'Torque in Nm' : label,
      options,
    })),
  });
  expect([next.status, next.body]).toMatchObject([200, {}]);
  const body = next.body as typeof form;
  const now = must(
    body.fields.find(({ label }) => label === 'Torque in Nm'),
    'new torque',
  );
  expect(now.field_guid).toBe(torque.field_guid);
  expect(now.field_revisionid).not.toBe(torque.field_revisionid);
  return { entry, old: torque.field_revisionid, now: now.field_revisionid, newForm: body.form_revisionid };
}

test('DEVIATION-4 finishing reports a field once, also if it was recorded in two revisions of its form', async () => {
  const { entry, old, now } = await revised();
  await move(ben, entry, 'stepData', { fields: { [old]: 99 } });
  await move(ben, entry, 'stepData', { fields: { [now]: 98 } });
  await move(ben, entry, 'finish');
  expect((await list(ben, `entryid=${entry.entryid}`)).map(({ value }) => value?.value)).toEqual(['98']);
});

test('DEVIATION-4 a value that was corrected in a newer revision of the form is not reported at finish', async () => {
  const { entry, old, now } = await revised();
  await move(ben, entry, 'stepData', { fields: { [old]: 99 } });
  await move(ben, entry, 'stepData', { fields: { [now]: 12 } });
  await move(ben, entry, 'finish');
  expect(await list(ben, `entryid=${entry.entryid}`)).toEqual([]);
});

test('DEVIATION-3 the deviation names the form revision of the value that was measured again', async () => {
  const { entry, old, now, newForm } = await revised();
  await move(ben, entry, 'stepData', { fields: { [old]: 99 } });
  const { body } = await report(ben, { entryid: entry.entryid, field_revisionid: old });
  await move(ben, entry, 'stepData', { fields: { [now]: 98 } });
  const [after] = await list(ben, `entryid=${entry.entryid}`);
  expect(after).toMatchObject({
    deviationid: body.deviationid,
    value: { value: '98' },
    form_revisionid: newForm,
  });
});

test('DEVIATION-4 finishing reports a value that was measured again after the decision', async () => {
  const entry = await start(ben);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 41 } });
  const { body } = await report(ben, { entryid: entry.entryid, field_revisionid: fieldId('Torque') });
  expect((await decide(admin, body)).status).toBe(200);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 500 } });
  await move(ben, entry, 'finish');
  const open = await list(ben, `entryid=${entry.entryid}&state=open`);
  expect(open.map(({ value }) => value?.value)).toEqual(['500']);
});

test('DEVIATION-2 a note that is part of an earlier note is kept', async () => {
  const entry = await start(ben);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 99 } });
  const torque = { entryid: entry.entryid, field_revisionid: fieldId('Torque') };
  await report(ben, { ...torque, note: 'Not OK to ship before the wrench is checked' });
  await move(ben, entry, 'suspend');
  await move(cleo, entry, 'assume');
  const { body } = await report(cleo, { ...torque, note: 'OK to ship' });
  expect(body.note.split('\n\n')).toContain('OK to ship');
});

test('DEVIATION-2 the title that a person wrote is kept when the report joins an open deviation', async () => {
  const entry = await start(ben);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 99 } });
  const torque = { entryid: entry.entryid, field_revisionid: fieldId('Torque') };
  await report(ben, { ...torque, note: 'First' });
  const { body } = await report(ben, { ...torque, title: 'The wrench is broken' });
  expect(JSON.stringify(body)).toContain('The wrench is broken');
});

test('DEVIATION-2 a report that arrives after a decision about the same value does not double the deviation', async () => {
  const entry = await start(ben);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 99 } });
  await move(ben, entry, 'finish');
  const [auto] = await list(ben, `entryid=${entry.entryid}`);
  await decide(admin, must(auto, 'auto'));
  await report(ben, { entryid: entry.entryid, field_revisionid: fieldId('Torque'), note: 'Late' });
  expect(await list(ben, `entryid=${entry.entryid}`)).toHaveLength(1);
});

test('DEVIATION-5 a 409 about a deviation brings the row of the deviation', () => {
  const body = { deviationid: 5, entryid: 81, guideid: 3, form_revisionid: 4, stepid: 7 };
  expect(recordInConflict('/deviations/5/disposition', body)).toEqual({ c: 'deviations', id: '5' });
});

test('DEVIATION-1 a lead reads the picture of a deviation by its id', async () => {
  const entry = await start(ben);
  const photo = await upload(ben);
  const { body } = await report(ben, { entryid: entry.entryid, title: 'A dent', images: [photo] });
  await move(ben, entry, 'suspend');
  expect((await cleo.call('GET', `/deviations/${body.deviationid}`)).status).toBe(200);
  expect((await cleo.call('GET', `/media/images/${photo}`)).status).toBe(200);
});

test('TEAM-17 a former owner, and an owner who was removed, lose entries and deviations on their devices', async () => {
  const lead = await server.person('Lene', ['User', 'Author']);
  const second = await server.person('Lars', ['User', 'Author']);
  const worker = await server.person('Wolf', ['User']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line Z' })).body as { teamid: number };
  for (const one of [second, worker]) await lead.call('PUT', `/teams/${teamid}/users/${one.userid}`);
  const entry = await start(worker);
  const { body } = await report(worker, { entryid: entry.entryid, title: 'A dent' });
  const id = String(body.deviationid);
  expect(await feedOf(lead)).toContain(id);
  expect(await feedOf(second)).not.toContain(id);
  await lead.call('PATCH', `/teams/${teamid}`, { owner: second.userid });
  expect(await feedOf(lead)).not.toContain(id);
  expect(await feedOf(second)).toContain(id);
  expect((await lead.call('GET', `/deviations/${id}`)).status).toBe(404);
  expect((await decide(lead, body)).status).toBe(404);
  await second.call('DELETE', `/teams/${teamid}/users/${second.userid}`);
  expect(await feedOf(second)).not.toContain(id);
  expect(await feedOf(lead)).toContain(id);
  await admin.call('DELETE', `/teams/${teamid}`);
  expect(await feedOf(lead)).not.toContain(id);
  expect(await feedOf(worker)).toContain(id);
});

test('PROTOCOL-5 a device of protocol 5 gets no deviations and no teams, by any way', async () => {
  const lead = await server.person('Lotte', ['User', 'Author']);
  await lead.call('POST', '/teams', { name: 'Line Y' });
  const entry = await start(lead);
  await move(lead, entry, 'stepData', { fields: { [fieldId('Torque')]: 99 } });
  const get = async (path: string, init: RequestInit = {}): Promise<string> =>
    (
      await fetch(`${server.url}/sync/1/${path}`, {
        ...init,
        headers: { Authorization: `api ${lead.token}` },
      })
    ).text();
  const place = /"checkpoint":"([^"]+)"/.exec(await get('bootstrap'))?.[1] ?? '';
  const finish = {
    protocol: 5,
    calls: [
      {
        id: 'finish-of-five-1',
        lane: 'a',
        method: 'POST',
        path: `/work_log/${entry.entryid}/finish`,
        body: {},
      },
    ],
  };
  const answers = [
    await get('batch', { method: 'POST', body: JSON.stringify(finish) }),
    await get(`pull?since=${place}`),
    await get('bootstrap'),
    await get('bootstrap?collections=deviations'),
  ];
  expect((await feedOf(lead)).length).toBeGreaterThan(0);
  expect(answers[1]).toContain(`"id":"${entry.entryid}"`);
  for (const answer of answers) {
    expect.soft(answer).not.toContain('"deviations"');
    expect.soft(answer).not.toContain('teamids');
  }
});
