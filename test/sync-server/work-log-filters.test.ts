import { afterAll, beforeAll, expect, test } from 'vitest';

import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { TestPerson } from '#test/support/server.ts';

import {
  admin,
  ana,
  ben,
  cleo,
  endWorld,
  fieldId,
  guide,
  move,
  now,
  server,
  start,
  startWorld,
  wait,
} from './work-log/world.ts';

let lead: TestPerson;
let teamid: number;
/** Ben's order, which Cleo's follows; only Ben is in the team. */
let first: WorkLogEntry;
let second: WorkLogEntry;

beforeAll(async () => {
  await startWorld();
  lead = await server.person('Lena', ['User', 'Author']);
  ({ teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number });
  await lead.call('PUT', `/teams/${teamid}/users/${ben.userid}`);
  first = await start(ben, { workorderid: 'WO-1' });
  wait(3600);
  second = await start(cleo, { workorderid: 'WO-2' });
  wait(60);
});
afterAll(endWorld);

async function found(person: TestPerson, query: string): Promise<string[]> {
  const { status, body } = await person.call('GET', `/work_log?order=ASC&${query}`);
  expect(status).toBe(200);
  const { results, totalResults } = body as { results: WorkLogEntry[]; totalResults: number };
  expect(totalResults).toBe(results.length);
  return results.map(({ workorderid }) => workorderid);
}

test('ORDER-LIST-1 entries are filtered by state, and by when they were started', async () => {
  expect(await found(admin, 'status=started')).toEqual(['WO-1', 'WO-2']);
  await move(cleo, second, 'pause');
  expect(await found(admin, 'status=paused')).toEqual(['WO-2']);
  expect((await admin.call('GET', '/work_log?status=sleeping')).status).toBe(422);
  const later = second.starttime;
  expect(await found(admin, `from=${later}`)).toEqual(['WO-2']);
  expect(await found(admin, `until=${later}`)).toEqual(['WO-1']);
  expect(await found(admin, `from=${first.starttime}&until=${Math.floor(now / 1000)}`)).toEqual([
    'WO-1',
    'WO-2',
  ]);
});

test('ORDER-LIST-1 entries are filtered by the team of those who did the work, among those that the caller sees', async () => {
  for (const person of [admin, lead, ben]) expect(await found(person, `teamid=${teamid}`)).toEqual(['WO-1']);
  expect(await found(cleo, `teamid=${teamid}`)).toEqual([]);
  expect(await found(admin, 'teamid=999999')).toEqual([]);
  expect(await found(lead, '')).toEqual(['WO-1']);
});

test('ORDER-LIST-1 entries with deviations are those with a report, a value out of limits, or a missing value', async () => {
  expect(await found(admin, 'deviating=1')).toEqual([]);
  await ben.call('POST', '/deviations', { entryid: first.entryid, title: 'A dent' });
  expect(await found(admin, 'deviating=1')).toEqual(['WO-1']);
  const read = (await ben.call('GET', `/work_log/${first.entryid}`)).body as WorkLogEntry;
  expect(read.deviations).toBe(1);

  const broken = await start(ben, { workorderid: 'WO-3' });
  await move(ben, broken, 'stepData', { fields: { [fieldId('Torque')]: '99' } });
  await move(ben, broken, 'finish');
  const { stepid } = guide.steps[1] ?? { stepid: 0 };
  const required = [{ field_type: 'Text Input', label: 'Serial number', required: true }];
  await ana.call('POST', `/step_forms/${stepid}`, { fields: required });
  const missing = await start(ben, { workorderid: 'WO-4' });
  await move(ben, missing, 'finish');
  expect(await found(admin, 'deviating=1')).toEqual(['WO-1', 'WO-3', 'WO-4']);
  expect(await found(admin, 'deviating=0')).toContain('WO-2');
});
