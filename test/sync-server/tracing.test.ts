import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TracedOrderRecord } from '#shared/api/tracing.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let lead: TestPerson;
let worker: TestPerson;
let mate: TestPerson;
let stranger: TestPerson;
let admin: TestPerson;
let teamid: number;
let guide: Guide;
let form: StepForm;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  lead = await server.person('Lena', ['User', 'Author']);
  worker = await server.person('Wim', ['User']);
  mate = await server.person('Mia', ['User']);
  stranger = await server.person('Stan', ['User', 'Author']);
  admin = await server.person('Ada', ['User', 'Admin']);
  ({ teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number });
  for (const { userid } of [worker, mate]) await lead.call('PUT', `/teams/${teamid}/users/${userid}`);
  guide = await makeGuide(ana);
  const fields = [
    { field_type: 'Text Input', label: 'Battery', format: 'barcode', required: false },
    { field_type: 'Text Input', label: 'Screws, lot', required: false },
    { field_type: 'Text Area', label: 'Remarks', required: false },
    {
      field_type: 'Numeric Input',
      label: 'Torque',
      required: false,
      options: {
        limit_decimals: true,
        decimals: 1,
        limit_min: true,
        min: 2,
        limit_max: true,
        max: 4,
      },
    },
  ];
  form = (await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields })).body;
});
afterAll(async () => server[Symbol.asyncDispose]());

async function start(person: TestPerson, serials?: string[], more: object = {}): Promise<WorkLogEntry> {
  const body = { guideid: guide.guideid, workorderid: 'WO-1', ...(serials && { serials }), ...more };
  const answer = await person.call('POST', '/work_log', body);
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

async function record(person: TestPerson, { entryid }: WorkLogEntry, values: object): Promise<void> {
  const fields = Object.fromEntries(
    Object.entries(values).map(([label, value]) => {
      const field = form.fields.find((one) => one.label === label);
      return [must(field, label).field_revisionid, value];
    }),
  );
  const { status } = await person.call('PUT', `/work_log/${entryid}/stepData`, { fields });
  expect(status).toBe(200);
}

interface Found {
  status: number;
  total: string | null;
  orders: TracedOrderRecord[];
}

async function trace(person: TestPerson, query: string): Promise<Found> {
  const { status, headers, body } = await person.call('GET', `/work_log/trace?${query}`);
  return { status, total: headers.get('x-total-count'), orders: body };
}

const byNumber = (number: string): string => `number=${encodeURIComponent(number)}`;

async function idsOf(person: TestPerson, number: string): Promise<number[]> {
  return (await trace(person, byNumber(number))).orders.map(({ record: { entryid } }) => entryid);
}

async function suggestions(person: TestPerson, prefix: string): Promise<string[]> {
  const query = `prefix=${encodeURIComponent(prefix)}`;
  const { body } = await person.call('GET', `/work_log/trace/numbers?${query}`);
  return (body as { number: string }[]).map(({ number }) => number);
}

test('TRACE-1 an order is about the numbers of its start, else about those of its planned order', async () => {
  const own = await start(worker, [' A1-1 ', 'A1-2']);
  expect(own.serials).toEqual(['A1-1', 'A1-2']);
  const plan = async (): Promise<number> => {
    const to = { userid: worker.userid, serials: ['A1-P'] };
    const { body } = await lead.call('POST', '/work_orders', {
      guideid: guide.guideid,
      workorderid: 'WO-P',
      ...to,
    });
    return (body as { planned_orderid: number }).planned_orderid;
  };
  const planned = await start(worker, undefined, { planned_orderid: await plan() });
  expect(planned.serials).toEqual(['A1-P']);
  const both = await start(worker, ['A1-Q'], { planned_orderid: await plan() });
  expect(both.serials).toEqual(['A1-Q']);
  expect(await start(worker)).not.toHaveProperty('serials');
  expect(await idsOf(admin, 'A1-2')).toEqual([own.entryid]);
  expect(await idsOf(admin, 'A1-P')).toEqual([planned.entryid]);
  const long = await worker.call('POST', '/work_log', {
    guideid: guide.guideid,
    workorderid: 'WO-1',
    serials: ['x'.repeat(101)],
  });
  expect(long.status).toBe(422);
});

test('TRACE-2 a number leads to the orders about it and to those that recorded it, newest first, with all that happened', async () => {
  const about = await start(worker, ['A2-U']);
  await record(worker, about, { Battery: 'A2-B', Torque: 5 });
  const other = await start(mate, ['A2-V']);
  await record(mate, other, { 'Screws, lot': 'A2-U', Remarks: 'A2-R' });
  await worker.call('POST', `/work_log/${about.entryid}/finish`, {});
  const { orders, total } = await trace(lead, byNumber('A2-U'));
  expect(total).toBe('2');
  expect(orders).toMatchObject([
    { record: { entryid: other.entryid, serials: ['A2-V'] }, sha256: null, deviations: [] },
    {
      record: {
        entryid: about.entryid,
        serials: ['A2-U'],
        guide_title: 'Belt',
        status: 'complete',
        people: [{ userid: worker.userid, name: 'Wim' }],
        revisions: [{ decision: 'start', counted: { number: 1 } }],
        values: [
          { label: 'Battery', value: 'A2-B' },
          { label: 'Torque', value: '5', limits: { min: 2, max: 4 }, out_of_limits: true },
        ],
      },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      deviations: [{ title: 'Torque', decision: null }],
    },
  ]);
  expect(await idsOf(lead, 'A2-B')).toEqual([about.entryid]);
  // Texts of several lines are remarks.
  expect(await idsOf(lead, 'A2-R')).toEqual([]);
  const second = await trace(lead, `${byNumber('A2-U')}&limit=1&offset=1`);
  expect([second.total, second.orders]).toMatchObject(['2', [{ record: { entryid: about.entryid } }]]);
});

test('TRACE-2 a value that is replaced, removed or deleted with its order is not found any more', async () => {
  const entry = await start(worker, ['A3-U']);
  await record(worker, entry, { Battery: 'A3-B', 'Screws, lot': 'A3-S' });
  await record(worker, entry, { Battery: 'A3-C' });
  expect(await idsOf(admin, 'A3-B')).toEqual([]);
  expect(await idsOf(admin, 'A3-C')).toEqual([entry.entryid]);
  expect(await idsOf(admin, 'A3-S')).toEqual([entry.entryid]);
  await record(worker, entry, { Battery: 'A3-S' });
  await record(worker, entry, { 'Screws, lot': '' });
  expect(await idsOf(admin, 'A3-S')).toEqual([entry.entryid]);
  await record(worker, entry, { Battery: '' });
  expect(await idsOf(admin, 'A3-S')).toEqual([]);
  expect((await worker.call('DELETE', `/work_log/${entry.entryid}`)).status).toBe(204);
  expect(await idsOf(admin, 'A3-U')).toEqual([]);
});

test('TRACE-3 case and surrounding spaces do not matter, inner spaces do', async () => {
  const entry = await start(worker, ['Äb 4-u']);
  await record(worker, entry, { Battery: '  [)> 06 A4  x ' });
  for (const same of ['äB 4-U', '  ÄB 4-u ', 'A\u0308b 4-u'])
    expect(await idsOf(worker, same), same).toEqual([entry.entryid]);
  expect(await idsOf(worker, 'Äb  4-u')).toEqual([]);
  expect(await idsOf(worker, '[)> 06 a4  X')).toEqual([entry.entryid]);
  expect(await idsOf(worker, '[)> 06 A4 x')).toEqual([]);
});

test('TRACE-4 everybody traces within the orders that they may see, without a hint of others', async () => {
  const [mine, theirs] = [await start(worker, ['A5-X']), await start(mate, ['A5-X'])];
  const [outside] = [await start(stranger, ['a5-x', 'A5-Y'])];
  const seen = async (person: TestPerson): Promise<unknown[]> => {
    const { orders, total } = await trace(person, `${byNumber('A5-X')}&limit=1`);
    return [total, orders.length, await idsOf(person, 'A5-X'), await suggestions(person, 'a5')];
  };
  const all = [outside, theirs, mine].map(({ entryid }) => entryid);
  expect(await seen(admin)).toEqual(['3', 1, all, ['A5-X', 'A5-Y']]);
  expect(await seen(lead)).toEqual(['2', 1, all.slice(1), ['A5-X']]);
  expect(await seen(worker)).toEqual(['1', 1, [mine.entryid], ['A5-X']]);
  expect(await seen(stranger)).toEqual(['1', 1, [outside.entryid], ['a5-x', 'A5-Y']]);
  expect(await seen(ana)).toEqual(['0', 0, [], []]);
  // A suspended order is offered to everybody who sees the guide.
  await mate.call('POST', `/work_log/${theirs.entryid}/suspend`, {});
  expect(await seen(ana)).toEqual(['1', 1, [theirs.entryid], ['A5-X']]);
  // The guide becomes private: it is offered to nobody any more.
  const { revisionid } = (await ana.call('GET', `/guides/${guide.guideid}`)).body as Guide;
  const path = `/guides/${guide.guideid}/public`;
  const hidden = (await ana.call('DELETE', `${path}?revisionid=${revisionid}`)).body as Guide;
  expect(await seen(stranger)).toEqual(['1', 1, [outside.entryid], ['a5-x', 'A5-Y']]);
  expect(await seen(mate)).toEqual(['1', 1, [theirs.entryid], ['A5-X']]);
  await ana.call('PUT', `${path}?revisionid=${hidden.revisionid}`);
  await worker.call('POST', `/work_log/${theirs.entryid}/assume`, {});
  expect(await seen(worker)).toEqual(['2', 1, [theirs.entryid, mine.entryid], ['A5-X']]);
});

test('TRACE-5 the first characters suggest numbers, each once, at most ten', async () => {
  for (let count = 0; count < 12; count += 1) await start(worker, [`A6-${10 + count}`, 'A6-10']);
  await start(worker, ['a6_', 'A6%']);
  const first = Array.from({ length: 10 }, (_, index) => `A6-${10 + index}`);
  expect(await suggestions(worker, ' a6-')).toEqual(first);
  expect(await suggestions(admin, 'A6-')).toEqual(first);
  expect(await suggestions(lead, 'A6-2')).toEqual(['A6-20', 'A6-21']);
  expect(await suggestions(worker, 'A6_')).toEqual(['a6_']);
  expect(await suggestions(worker, 'A6%')).toEqual(['A6%']);
  expect(await suggestions(worker, ' ')).toEqual([]);
});

test('TRACE-6 a revision leads to the orders that were started by it or changed to it', async () => {
  const other = await makeGuide(ana);
  const begun = async (person: TestPerson): Promise<WorkLogEntry> =>
    start(person, [], { guideid: other.guideid });
  const [stays, changes] = [await begun(worker), await begun(worker)];
  const edited = await ana.call('PATCH', `/guides/${other.guideid}?revisionid=${other.revisionid}`, {
    title: 'Belt 2',
  });
  const { guide_revisionid } = edited.body as Guide;
  const later = await begun(stranger);
  const decide = (entry: WorkLogEntry, decision: string) =>
    worker.call('POST', `/work_log/${entry.entryid}/revision`, { decision, guide_revisionid });
  expect([(await decide(stays, 'keep')).status, (await decide(changes, 'switch')).status]).toEqual([
    200, 200,
  ]);
  const workedBy = async (person: TestPerson, revision: number): Promise<number[]> => {
    const query = `guideid=${other.guideid}&revision_number=${revision}`;
    return (await trace(person, query)).orders.map(({ record: { entryid } }) => entryid);
  };
  expect(await workedBy(admin, 1)).toEqual([changes.entryid, stays.entryid]);
  expect(await workedBy(admin, 2)).toEqual([later.entryid, changes.entryid]);
  expect(await workedBy(lead, 2)).toEqual([changes.entryid]);
  expect(await workedBy(admin, 3)).toEqual([]);
});

test('a trace names either a number or a revision of a guide', async () => {
  for (const query of [
    '',
    'number=',
    'guideid=1',
    'revision_number=1',
    'number=A&guideid=1&revision_number=1',
  ])
    expect((await trace(worker, query)).status, query).toBe(422);
});

onlySqlite('plan')(
  'a trace reads only ranges of an index, for administrators and for everyone else',
  async () => {
    const read = server.services.storage.reader;
    const plans = await import('kysely').then(({ sql }) =>
      Promise.all([
        sql<{ detail: string }>`EXPLAIN QUERY PLAN
        SELECT DISTINCT entryid FROM traced_numbers WHERE number = 'a' ORDER BY entryid DESC LIMIT 20`.execute(
          read,
        ),
        sql<{ detail: string }>`EXPLAIN QUERY PLAN
        SELECT DISTINCT entryid FROM json_each('[1,2]') AS audiences CROSS JOIN traced_numbers
        WHERE audience = audiences.value AND number = 'a' ORDER BY entryid DESC LIMIT 20`.execute(read),
      ]),
    );
    const [forAdmin, forOthers] = plans.map(({ rows }) => rows.map(({ detail }) => detail).join('\n'));
    expect(forAdmin).toBe('SEARCH traced_numbers USING PRIMARY KEY (number=?)');
    expect(forOthers).toContain(
      'SEARCH traced_numbers USING COVERING INDEX traced_numbers_of_audience (audience=? AND number=?)',
    );
  },
);
