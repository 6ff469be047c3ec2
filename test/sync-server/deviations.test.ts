import { afterAll, beforeAll, expect, test } from 'vitest';

import { deviationNoteLimit, deviationPictureLimit } from '#shared/api/deviations.ts';
import type { Deviation } from '#shared/model/deviations.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import type { TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

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

// All tests share one server, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

interface Answer {
  status: number;
  body: Deviation;
}

const report = async (person: TestPerson, body: object, headers = {}): Promise<Answer> =>
  person.call('POST', '/deviations', body, headers);

const read = async (person: TestPerson, { deviationid }: Deviation): Promise<Answer> =>
  person.call('GET', `/deviations/${deviationid}`);

const decide = async (
  person: TestPerson,
  { deviationid, revisionid }: Deviation,
  body: object,
): Promise<Answer> =>
  person.call('POST', `/deviations/${deviationid}/disposition?revisionid=${revisionid}`, body);

const list = async (person: TestPerson, query: string): Promise<Deviation[]> =>
  (await person.call('GET', `/deviations?${query}`)).body;

const release = { disposition: 'use-as-is', reason: 'The fit was checked by hand' };

/** An order with a torque of 99 Nm, where 40 is the limit. */
async function brokenOrder(person: TestPerson): Promise<WorkLogEntry> {
  const entry = await start(person);
  await move(person, entry, 'stepData', { fields: { [fieldId('Torque')]: 99 } });
  return entry;
}

const torque = () => ({ field_revisionid: fieldId('Torque') });

test('DEVIATION-1 a report keeps the value with its limits, note and pictures, for all who see the entry', async () => {
  const entry = await brokenOrder(ben);
  const photo = await upload(ben);
  const { status, body } = await report(ben, {
    entryid: entry.entryid,
    ...torque(),
    note: ' The wrench slipped ',
    images: [photo],
  });
  expect([status, body]).toMatchObject([
    201,
    {
      entryid: entry.entryid,
      workorderid: entry.workorderid,
      guideid: entry.guideid,
      userid: ben.userid,
      title: 'Torque',
      note: 'The wrench slipped',
      value: { value: '99', limits: { min: 0, max: 40 } },
      images: [{ id: photo }],
      decision: null,
      decisions: [],
    },
  ]);
  expect(await read(admin, body)).toMatchObject({ status: 200, body });
  expect((await read(cleo, body)).status).toBe(404);
  expect(await list(ben, `entryid=${entry.entryid}`)).toEqual([body]);
  expect(await list(cleo, `entryid=${entry.entryid}`)).toEqual([]);
  expect(await list(ben, `entryid=${entry.entryid}&state=decided`)).toEqual([]);
});

test('DEVIATION-2 only people who worked on the order report, and only what deviates', async () => {
  const entry = await brokenOrder(ben);
  expect((await report(cleo, { entryid: entry.entryid, ...torque() })).status).toBe(404);
  await move(ben, entry, 'suspend');
  expect((await report(cleo, { entryid: entry.entryid, ...torque() })).status).toBe(403);
  await move(ben, entry, 'assume');
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 12, [fieldId('Result')]: 'pass' } });
  expect((await report(ben, { entryid: entry.entryid, ...torque() })).status).toBe(422);
  expect((await report(ben, { entryid: entry.entryid })).status).toBe(422);
  const free = await report(ben, { entryid: entry.entryid, title: 'The cover is scratched' });
  expect(free).toMatchObject({ status: 201, body: { title: 'The cover is scratched', stepid: 0 } });
  await move(ben, entry, 'stepData', { fields: { [fieldId('Result')]: 'fail' } });
  const failed = await report(ben, { entryid: entry.entryid, field_revisionid: fieldId('Result') });
  expect(failed).toMatchObject({ status: 201, body: { title: 'Result', value: { value: 'fail' } } });
});

test('DEVIATION-2 another report of the same field adds to the open deviation', async () => {
  const entry = await brokenOrder(ben);
  const first = await report(ben, { entryid: entry.entryid, ...torque(), note: 'Too tight' });
  const photo = await upload(ben);
  const second = await report(ben, {
    entryid: entry.entryid,
    ...torque(),
    note: 'Here it is',
    images: [photo],
  });
  expect(second.body).toMatchObject({
    deviationid: first.body.deviationid,
    note: 'Too tight\n\nHere it is',
    images: [{ id: photo }],
  });
  expect(second.body.revisionid).toBeGreaterThan(first.body.revisionid);
  const repeated = await report(ben, { entryid: entry.entryid, ...torque(), note: 'Too tight' });
  expect(repeated.body).toEqual(second.body);
  expect(await list(ben, `entryid=${entry.entryid}`)).toHaveLength(1);
});

test('DEVIATION-7 reports that no longer fit into a deviation become a further one, and nothing of them is lost', async () => {
  const entry = await brokenOrder(ben);
  const told = Array.from({ length: 12 }, (_, index) => `${index}: ${'x'.repeat(3990)}`);
  for (const note of told)
    expect(await report(ben, { entryid: entry.entryid, ...torque(), note })).toMatchObject({ status: 201 });
  const all = await list(ben, `entryid=${entry.entryid}`);
  expect(all.map(({ title }) => title)).toEqual(['Torque', 'Torque (continued)', 'Torque (continued)']);
  for (const { note } of all) expect(note.length).toBeLessThanOrEqual(deviationNoteLimit);
  expect(all.flatMap(({ note }) => note.split('\n\n'))).toEqual(told);
  const last = must(all.at(-1), 'the last one');
  expect(last).toMatchObject({ value: { value: '99' }, decision: null });
  const repeated = await report(ben, { entryid: entry.entryid, ...torque(), note: told[0] });
  expect(repeated.body).toEqual(last);
  const measured = { fields: { [fieldId('Torque')]: 55 } };
  await move(ben, entry, 'stepData', measured);
  const values = (await list(ben, `entryid=${entry.entryid}`)).map(({ value }) => value?.value);
  expect(values).toEqual(['55', '55', '55']);
});

test('DEVIATION-7 photos that no longer fit into a deviation become a further one', async () => {
  const entry = await brokenOrder(ben);
  for (let count = 0; count < 6; count += 1) {
    const images: number[] = [];
    for (let photo = 0; photo < deviationPictureLimit; photo += 1) images.push(await upload(ben));
    await report(ben, { entryid: entry.entryid, ...torque(), images });
  }
  const pictures = (await list(ben, `entryid=${entry.entryid}`)).map(({ images }) => images.length);
  expect(pictures).toEqual([100, 20]);
});

test('DEVIATION-2 a report of several paragraphs that arrives again adds nothing', async () => {
  const entry = await brokenOrder(ben);
  const note = 'The wrench slipped.\n\nThe bolt is new.';
  await report(ben, { entryid: entry.entryid, ...torque(), note: 'Too tight' });
  const { body } = await report(ben, { entryid: entry.entryid, ...torque(), note });
  const repeated = await report(ben, { entryid: entry.entryid, ...torque(), note });
  expect(repeated.body).toEqual(body);
});

test('DEVIATION-3 a value that is measured again makes a decision about the earlier one stale', async () => {
  const entry = await brokenOrder(ben);
  const { body: before } = await report(ben, { entryid: entry.entryid, ...torque() });
  await move(ben, entry, 'stepData', { fields: { [fieldId('Result')]: 'pass' } });
  expect((await read(ben, before)).body).toEqual(before);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 55 } });
  const refused = await decide(admin, before, release);
  expect(refused).toMatchObject({ status: 409, body: { value: { value: '55' }, decision: null } });
  expect((await decide(admin, refused.body, release)).status).toBe(200);
  await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 60 } });
  expect((await read(ben, before)).body.value).toMatchObject({ value: '55' });
  const again = await report(ben, { entryid: entry.entryid, ...torque() });
  expect(again.body.deviationid).not.toBe(before.deviationid);
});

test('DEVIATION-4 finishing reports what nobody reported', async () => {
  const entry = await start(ben);
  const fields = { [fieldId('Torque')]: 41, [fieldId('Result')]: 'fail' };
  await move(ben, entry, 'stepData', { fields });
  const { body: known } = await report(ben, { entryid: entry.entryid, ...torque() });
  await move(ben, entry, 'finish');
  const all = await list(ben, `entryid=${entry.entryid}&order=ASC`);
  expect(all.map(({ title, userid }) => [title, userid])).toEqual([
    ['Torque', ben.userid],
    ['Result', ben.userid],
  ]);
  expect(all[0]).toEqual(known);
  const clean = await start(ben);
  await move(ben, clean, 'finish');
  expect(await list(ben, `entryid=${clean.entryid}`)).toEqual([]);
});

test('DEVIATION-5 a lead of the team decides about the work of others; decisions are kept', async () => {
  const lead = await server.person('Lea', ['User', 'Author']);
  const other = await server.person('Lou', ['User', 'Author']);
  const worker = await server.person('Wim', ['User']);
  const team = async (owner: TestPerson): Promise<number> =>
    ((await owner.call('POST', '/teams', { name: `Team of ${owner.userid}` })).body as { teamid: number })
      .teamid;
  const teamid = await team(lead);
  await team(other);
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  const entry = await brokenOrder(worker);
  const { body } = await report(worker, { entryid: entry.entryid, ...torque() });
  expect((await decide(worker, body, release)).status).toBe(403);
  expect((await decide(other, body, release)).status).toBe(404);
  expect((await decide(lead, body, { ...release, reason: ' ' })).status).toBe(422);
  const decided = await decide(lead, body, release);
  expect(decided).toMatchObject({ status: 200, body: { decision: { ...release, userid: lead.userid } } });
  expect((await decide(admin, body, release)).status).toBe(409);
  const changed = await decide(admin, decided.body, { disposition: 'scrap', reason: 'A crack' });
  expect(changed.body.decisions.map(({ disposition }) => disposition)).toEqual(['use-as-is', 'scrap']);

  const own = await brokenOrder(lead);
  const { body: mine } = await report(lead, { entryid: own.entryid, ...torque() });
  expect((await decide(lead, mine, release)).status).toBe(403);
});

test('DEVIATION-1 the next person of an order sees its deviations; they go with the order', async () => {
  const entry = await brokenOrder(ben);
  const { body } = await report(ben, { entryid: entry.entryid, ...torque() });
  await move(ben, entry, 'suspend');
  expect((await read(cleo, body)).status).toBe(200);
  await move(cleo, entry, 'assume');
  expect((await read(cleo, body)).status).toBe(200);
  expect((await ana.call('DELETE', `/work_log/${entry.entryid}`)).status).toBe(403);
  expect((await cleo.call('DELETE', `/work_log/${entry.entryid}`)).status).toBe(204);
  expect((await read(ben, body)).status).toBe(404);
});

test('DEVIATION-1 who loses the guide of a suspended order loses its deviations, too', async () => {
  const own = await makeGuide(ana);
  const entry = await start(ben, { guideid: own.guideid });
  const { body } = await report(ben, { entryid: entry.entryid, title: 'A dent' });
  await move(ben, entry, 'suspend');
  expect(await list(cleo, `entryid=${entry.entryid}`)).toHaveLength(1);
  const hidden = await ana.call('DELETE', `/guides/${own.guideid}/public?revisionid=${own.revisionid}`);
  expect(hidden.status).toBe(200);
  expect((await read(cleo, body)).status).toBe(404);
  expect(await list(cleo, `entryid=${entry.entryid}`)).toEqual([]);
  expect(await list(ben, `entryid=${entry.entryid}`)).toHaveLength(1);
});

test('DEVIATION-2 a report that is sent twice is stored once', async () => {
  const entry = await brokenOrder(ben);
  const body = { entryid: entry.entryid, title: 'A dent' };
  const key = crypto.randomUUID();
  const first = await report(ben, body, { 'Idempotency-Key': key });
  const second = await report(ben, body, { 'Idempotency-Key': key });
  expect(second.body).toEqual(first.body);
  expect(await list(ben, `entryid=${entry.entryid}`)).toHaveLength(1);
});
