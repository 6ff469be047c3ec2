import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type {
  DeviationReport,
  DurationReport,
  NumberFieldReport,
  NumberReport,
  YieldReport,
} from '#shared/api/reports.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let lead: TestPerson;
let wim: TestPerson;
let mia: TestPerson;
let stranger: TestPerson;
let admin: TestPerson;
let teamid: number;
let guide: Guide;
let other: Guide;
let form: StepForm;
/** The orders of the tests, by number. */
const entries: Record<string, number> = {};

const minute = 60;
const day = 24 * 3600;
const now = (): number => Math.floor(Date.now() / 1000);

interface Work {
  person: TestPerson;
  number: string;
  on?: Guide;
  /** Minutes at the first and the second step, with a pause of a minute between them. */
  minutes?: readonly [number, number];
  torque?: string;
  isTight?: boolean;
  daysAgo?: number;
  /** Leaves the required lot without a value. */
  isIncomplete?: boolean;
  more?: object;
}

/** Starts, works and finishes an order, with the times of a device. */
async function work({ person, number, on = guide, minutes = [1, 1], ...rest }: Work): Promise<number> {
  const { torque, isTight = true, daysAgo = 1, isIncomplete = false, more = {} } = rest;
  const call = async (method: string, path: string, body: object, status = 200): Promise<WorkLogEntry> => {
    const answer = await person.call(method, path, body);
    expect([path, answer.status, answer.body]).toMatchObject([path, status, {}]);
    return answer.body;
  };
  let at = (now() - daysAgo * day) * 1000;
  const after = (passed: number): number => (at += passed * minute * 1000);
  const { guideid } = on;
  const started = { guideid, workorderid: number, at, stepid: stepAt(on, 0), ...more };
  // The form is younger than the time of the start.
  const query = on === guide ? `?form_revisionid=${form.form_revisionid}` : '';
  const { entryid } = await call('POST', `/work_log${query}`, started, 201);
  const path = `/work_log/${entryid}`;
  if (on === guide) {
    const fields = {
      ...(torque === undefined ? {} : { [fieldOf('Torque').field_revisionid]: torque }),
      ...(isIncomplete ? {} : { [fieldOf('Lot').field_revisionid]: 'L7' }),
      [fieldOf('Tight').field_revisionid]: isTight,
    };
    await call('PUT', `${path}/stepData`, { fields, at });
  }
  await call('POST', `${path}/pause`, { at: after(minutes[0]) });
  await call('POST', `${path}/resume`, { at: after(1), stepid: stepAt(on, 1) });
  await call('POST', `${path}/finish`, { at: after(minutes[1]) });
  entries[number] = entryid;
  return entryid;
}

function fieldOf(label: string): StepForm['fields'][number] {
  return must(
    form.fields.find((one) => one.label === label),
    label,
  );
}

async function report<T>(person: TestPerson, path: string): Promise<T> {
  const { status, body } = await person.call('GET', `/reports/${path}`);
  expect([path, status, body]).toMatchObject([path, 200, {}]);
  return body as T;
}

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana', ['User', 'Author']);
  lead = await server.person('Lena', ['User', 'Author']);
  wim = await server.person('Wim', ['User']);
  mia = await server.person('Mia', ['User']);
  stranger = await server.person('Stan', ['User']);
  admin = await server.person('Ada', ['User', 'Admin']);
  ({ teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number });
  for (const { userid } of [wim, mia]) await lead.call('PUT', `/teams/${teamid}/users/${userid}`);
  guide = await makeGuide(ana);
  other = await makeGuide(ana);
  const limits = { limit_decimals: true, decimals: 1, limit_min: true, min: 2, limit_max: true, max: 4 };
  const fields = [
    { field_type: 'Numeric Input', label: 'Torque', required: false, unit: 'Nm', options: limits },
    { field_type: 'Checkbox', label: 'Tight', required: false, reason_when_failed: true },
    { field_type: 'Text Input', label: 'Lot', required: true },
  ];
  const saved = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields });
  expect([saved.status, saved.body]).toMatchObject([200, {}]);
  form = saved.body;

  await work({ person: wim, number: 'A', minutes: [2, 3], torque: '3.1', daysAgo: 9 });
  await work({ person: wim, number: 'B', minutes: [4, 6], torque: '4.5', daysAgo: 8 });
  await work({ person: mia, number: 'C', minutes: [10, 10], torque: '2.9', daysAgo: 7 });
  await work({ person: mia, number: 'D', minutes: [1, 1], isIncomplete: true, daysAgo: 6 });
  await work({ person: stranger, number: 'E', minutes: [30, 30], torque: '9.9', isTight: false, daysAgo: 5 });
  await work({ person: wim, number: 'F', on: other, minutes: [7, 7], daysAgo: 4 });
  await work({ person: wim, number: 'Old', minutes: [99, 99], torque: '2.1', daysAgo: 100 });
  const open = await wim.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'Open' });
  const cancelled = await wim.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'Gone' });
  await wim.call('POST', `/work_log/${(cancelled.body as WorkLogEntry).entryid}/cancel`, {});
  expect(open.status).toBe(201);
});
afterAll(async () => server[Symbol.asyncDispose]());

describe('durations', () => {
  test('REPORT-1 finished orders of the last 90 days are counted, by the person who finished them', async () => {
    const { orders, rows } = await report<DurationReport>(admin, 'durations?by=person');
    expect(orders).toBe(6);
    expect(rows.map(({ id, count }) => [id, count])).toEqual([
      [wim.userid, 3],
      [mia.userid, 2],
      [stranger.userid, 1],
    ]);
  });

  test('REPORT-4 they are working time without pauses, with median and 90th percentile, by guide and step', async () => {
    const byGuide = await report<DurationReport>(admin, 'durations');
    // 2, 5, 10, 20 and 60 minutes: p · (n + 1) is 3 for the median and 5.4 for the 90th percentile.
    expect(byGuide.rows).toEqual([
      { id: guide.guideid, count: 5, median: 10 * minute, p90: 60 * minute, total: 97 * minute },
      { id: other.guideid, count: 1, median: 14 * minute, p90: 14 * minute, total: 14 * minute },
    ]);
    const steps = await report<DurationReport>(lead, `durations?by=step&guideid=${guide.guideid}`);
    // At the first step 1, 2, 4 and 10 minutes.
    expect(steps.rows).toContainEqual({
      id: stepAt(guide, 0),
      count: 4,
      median: 3 * minute,
      p90: 10 * minute,
      total: 17 * minute,
    });
    expect((await admin.call('GET', '/reports/durations?by=step')).status).toBe(422);
  });

  test('REPORT-2 people see their own figures, leads those of their teams, administrators all', async () => {
    const people = async (person: TestPerson, query = ''): Promise<number[]> =>
      (await report<DurationReport>(person, `durations?by=person${query}`)).rows.map(({ id }) => id);
    expect(await people(mia)).toEqual([mia.userid]);
    expect(await people(mia, `&userid=${wim.userid}`)).toEqual([]);
    expect(await people(mia, `&teamid=${teamid}`)).toEqual([mia.userid]);
    expect(await people(lead)).toEqual([wim.userid, mia.userid]);
    expect(await people(stranger)).toEqual([stranger.userid]);
    expect(await people(ana)).toEqual([]);
    expect(await people(admin, `&teamid=${teamid}`)).toEqual([wim.userid, mia.userid]);
    // A suspended order is offered to everybody, but its times are nobody else's business.
    const { body } = await wim.call('POST', '/work_log', { guideid: other.guideid, workorderid: 'S' });
    const { entryid } = body as WorkLogEntry;
    await wim.call('POST', `/work_log/${entryid}/suspend`, {});
    await wim.call('POST', `/work_log/${entryid}/assume`, {});
    await wim.call('POST', `/work_log/${entryid}/finish`, {});
    expect((await stranger.call('GET', `/work_log/${entryid}`)).status).toBe(200);
    expect(await people(stranger)).toEqual([stranger.userid]);
    await wim.call('DELETE', `/work_log/${entryid}`);
    expect((await report<DurationReport>(admin, 'durations')).orders).toBe(6);
  });
});

test('REPORT-3 first-pass yield leaves out deviating and incomplete orders, and does not count rework', async () => {
  const before = await report<YieldReport>(admin, 'first_pass_yield');
  expect(before).toMatchObject({ orders: 6, counted: 6, passed: 3, more: false });
  expect(before.rows).toEqual([
    { guideid: guide.guideid, counted: 5, passed: 2 },
    { guideid: other.guideid, counted: 1, passed: 1 },
  ]);
  const { body } = await lead.call('GET', `/deviations?entryid=${entries['B']}`);
  const { deviationid, revisionid } = must((body as { deviationid: number; revisionid: number }[])[0], 'it');
  const decided = { disposition: 'rework', reason: 'Tighten' };
  await lead.call('POST', `/deviations/${deviationid}/disposition?revisionid=${revisionid}`, decided);
  const planned = await lead.call('POST', `/deviations/${deviationid}/follow_up`, {
    guideid: guide.guideid,
    workorderid: 'B2',
    userid: wim.userid,
  });
  expect([planned.status, planned.body]).toMatchObject([201, {}]);
  const { planned_orderid } = planned.body as { planned_orderid: number };
  const entryid = await work({ person: wim, number: 'B2', torque: '3', more: { planned_orderid } });
  expect(await report<YieldReport>(admin, 'first_pass_yield')).toMatchObject({
    orders: 7,
    counted: 6,
    passed: 3,
  });
  // A deviation that is reported after the end counts, too.
  await mia.call('POST', '/deviations', { entryid: entries['C'], title: 'Scratched' });
  const late = await report<YieldReport>(lead, `first_pass_yield?guideid=${guide.guideid}`);
  expect(late).toMatchObject({ counted: 4, passed: 1 });
  await wim.call('DELETE', `/work_log/${entryid}`);
});

test('REPORT-5 deviations and missing values are counted by kind, guide, step and field', async () => {
  await stranger.call('POST', '/deviations', { entryid: entries['E'], title: 'Scratched' });
  const kinds = await report<DeviationReport>(admin, 'deviations');
  expect(kinds).toMatchObject({ orders: 6, total: 6, more: false });
  expect(kinds.rows).toEqual([
    { count: 2, kind: 'out-of-limits' },
    { count: 2, kind: 'reported' },
    { count: 1, kind: 'failed' },
    { count: 1, kind: 'missing' },
  ]);
  const fields = await report<DeviationReport>(lead, 'deviations?by=field');
  const { guideid } = guide;
  expect(fields.rows).toEqual(
    expect.arrayContaining([
      {
        count: 1,
        guideid,
        stepid: stepAt(guide, 0),
        field_guid: fieldOf('Torque').field_guid,
        label: 'Torque',
      },
      { count: 1, guideid, stepid: stepAt(guide, 0), field_guid: fieldOf('Lot').field_guid, label: 'Lot' },
    ]),
  );
  const byGuide = await report<DeviationReport>(lead, 'deviations?by=guide');
  expect(byGuide.rows).toEqual([{ count: 3, guideid }]);
  const steps = await report<DeviationReport>(stranger, 'deviations?by=step');
  expect(steps.rows.map(({ count }) => count)).toEqual([2, 1]);
  expect(await report<DeviationReport>(ana, 'deviations?by=field')).toMatchObject({ total: 0, rows: [] });
});

test('a number field has its values over time, with limits, order and person', async () => {
  const fields = await report<NumberFieldReport>(lead, 'number_fields');
  const { field_guid } = fieldOf('Torque');
  expect(fields.rows).toEqual([
    {
      field_guid,
      guideid: guide.guideid,
      stepid: stepAt(guide, 0),
      label: 'Torque',
      unit: 'Nm',
      count: 3,
    },
  ]);
  const { values, ...series } = await report<NumberReport>(lead, `numbers?field_guid=${field_guid}`);
  expect(series).toMatchObject({ label: 'Torque', unit: 'Nm', more: false });
  expect(
    values.map(({ value, workorderid, userid, min, max }) => [value, workorderid, userid, min, max]),
  ).toEqual([
    [3.1, 'A', wim.userid, 2, 4],
    [4.5, 'B', wim.userid, 2, 4],
    [2.9, 'C', mia.userid, 2, 4],
  ]);
  const own = await report<NumberReport>(stranger, `numbers?field_guid=${field_guid}`);
  expect(own.values.map(({ value }) => value)).toEqual([9.9]);
  const nothing = { label: '', unit: '', values: [] };
  expect(await report<NumberReport>(ana, `numbers?field_guid=${field_guid}`)).toMatchObject(nothing);
  expect((await lead.call('GET', '/reports/numbers')).status).toBe(422);
});

test('REPORT-6 a report covers the time that it names, and at most 200 rows or 1,000 values', async () => {
  const old = `from=${now() - 101 * day}&until=${now() - 99 * day}`;
  const { orders, rows, from, until } = await report<DurationReport>(admin, `durations?${old}`);
  expect(until - from).toBe(2 * day);
  expect([orders, rows]).toMatchObject([1, [{ count: 1, median: 198 * minute }]]);
  await addCopies(1205);
  const many = await report<DurationReport>(admin, 'durations');
  expect([many.orders, many.rows.length, many.more]).toEqual([1211, 200, true]);
  const yields = await report<YieldReport>(admin, 'first_pass_yield');
  expect([yields.counted, yields.rows.length, yields.more]).toEqual([1211, 200, true]);
  const { values, more } = await report<NumberReport>(admin, `numbers?field_guid=copied`);
  expect([values.length, values[0]?.value, values.at(-1)?.value, more]).toEqual([1000, 206, 1205, true]);
  // What somebody may not see changes nothing for them.
  expect((await report<DurationReport>(lead, 'durations')).orders).toBe(5);
});

test('REPORT-15 a report covers at most two years, and a longer time is refused in words', async () => {
  const until = now();
  const asked = (days: number, path = 'durations') =>
    admin.call('GET', `/reports/${path}?from=${until - days * day}&until=${until}`);
  expect((await asked(732)).status).toBe(200);
  for (const path of ['durations', 'first_pass_yield', 'deviations', 'number_fields']) {
    const { status, body } = await asked(733, path);
    expect([status, body]).toMatchObject([
      422,
      { errors: [{ field: 'from', message: 'A report covers at most two years (732 days)' }] },
    ]);
  }
  // Without an end, a report reaches until now.
  expect((await admin.call('GET', '/reports/durations?from=0')).status).toBe(422);
});

onlySqlite('plan')('REPORT-16 a report reads ranges of indexes only, whoever asks for whatever', async () => {
  const { longReads, reader } = server.services.storage;
  const statements = vi.spyOn(longReads, 'read');
  const { field_guid } = fieldOf('Torque');
  const filters = ['', `&guideid=${guide.guideid}`, `&userid=${wim.userid}`, `&teamid=${teamid}`];
  const paths = [
    'durations?by=guide',
    'durations?by=person',
    `durations?by=step&guideid=${guide.guideid}`,
    'first_pass_yield?',
    'deviations?by=field',
    'number_fields?',
    `numbers?field_guid=${field_guid}`,
  ];
  for (const person of [admin, lead, wim])
    for (const path of paths) for (const filter of filters) await report(person, `${path}${filter}`);
  const plans = new Set<string>();
  for (const { sql: text, parameters } of statements.mock.calls.flatMap(([, all]) => all)) {
    const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters]);
    const { rows } = await reader.executeQuery<{ detail: string }>(explain);
    for (const { detail } of rows) plans.add(detail);
  }
  statements.mockRestore();
  const tables =
    /^(SCAN|SEARCH) (finished_orders|measured_numbers|number|step_times|missing_values|deviations|documents|work_log|planned_orders)\b/;
  const reads = [...plans].filter((detail) => tables.test(detail));
  // The second is one step: to the first of all fields.
  const isRange = (detail: string): boolean =>
    /^SEARCH .*[=><]\?/.test(detail) || detail === 'SEARCH measured_numbers USING PRIMARY KEY';
  expect(reads.filter((detail) => !isRange(detail))).toEqual([]);
  const orders = 'SEARCH finished_orders USING COVERING INDEX finished_orders';
  expect(reads).toEqual(
    expect.arrayContaining([
      `${orders}_by_end (ended>? AND ended<?)`,
      `${orders}_of_person (userid=? AND ended>? AND ended<?)`,
      `${orders}_of_audience (audience=? AND ended>? AND ended<?)`,
      `${orders}_of_guide (guideid=? AND ended>? AND ended<?)`,
    ]),
  );
});

/** Orders of nobody in many guides, added to the database as another program would. */
async function addCopies(number: number): Promise<void> {
  await using raw = await openRaw(server.dataDir);
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${number})`;
  const ended = now() - day;
  const rows = [
    `INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
    ${numbers} SELECT 100000 + i, 5000 + i % 300, 7777, 'WO-' || i, 'complete', 5, ${ended} FROM n`,
    `INSERT INTO finished_orders (entryid, guideid, userid, ended, active, missing, audience)
    ${numbers} SELECT 100000 + i, 5000 + i % 300, 7777, ${ended} + i, i, 0, 0 FROM n`,
    `INSERT INTO measured_numbers
      (field_guid, ended, entryid, stepid, label, unit, value, min, max, userid, at)
    ${numbers} SELECT 'copied', ${ended} + i, 100000 + i, 1, 'Copied', '', i, NULL, NULL, 7777, ${ended} + i FROM n`,
  ];
  await raw.past(async () => {
    for (const statement of rows) await raw.run(statement);
  });
}
